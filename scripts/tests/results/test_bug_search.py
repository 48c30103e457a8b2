# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Do the exceptions and frames that people ask about in public lead to the right bug?

Of each thread only its address, and names of exceptions and frames.
"""

import pytest

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.results.bug_search import find_bugs

GITHUB = "https://github.com/"
QUESTIONS = [
    (
        "adoptium/adoptium-support/issues/988",
        "at sun.net.www.http.KeepAliveCache.put(KeepAliveCache.java:80)\n"
        "at sun.net.www.protocol.https.HttpsClient.putInKeepAliveCache(HttpsClient.java:659)",
        {"8293562"},
    ),
    ("corretto/corretto-8/issues/455", "sun.net.www.http.KeepAliveCache.get", {"8293562"}),
    (
        "softwaremill/sttp/issues/2788",
        "java.io.IOException: too many concurrent streams",
        {"8225647"},
    ),
    (
        "OpenLiberty/open-liberty/issues/25279",
        "java.io.IOException: /127.0.0.1:59522: GOAWAY received",
        {"8335181"},
    ),
    (
        "eclipse-tycho/tycho/issues/2695",
        "java.io.IOException: /10.1.0.143:43288: GOAWAY received\n"
        "    at jdk.internal.net.http.Http2Connection.handleGoAway (Http2Connection.java:1008)",
        {"8335181"},
    ),
    (
        "opensearch-project/security/issues/70",
        "javax.net.ssl.SSLHandshakeException: Insufficient buffer remaining for AEAD cipher "
        "fragment (2). Needs to be more than tag size (16)",
        {"8331682"},
    ),
    # The same lock is that of both: of look-ups that succeed, and of those that fail.
    (
        "jwtk/jjwt/issues/59",
        "at java.security.Provider.getService(Provider.java:680)\n"
        "- waiting to lock <0x0000000787dd34c8> (a sun.security.provider.Sun)\n"
        "at sun.security.jca.ProviderList$ServiceList.tryGet(ProviderList.java:436)",
        {"7092821", "8276660"},
    ),
    (
        "eclipse-californium/californium/issues/642",
        "java.security.Provider.getService(String, String)\n"
        "at sun.security.jca.ProviderList$ServiceList.tryGet(int)",
        {"7092821", "8276660"},
    ),
    (
        "Tencent/TencentKona-8/issues/135",
        "at java.security.Provider.getService(Provider.java:1035)",
        {"7092821", "8276660"},
    ),
    (
        "payara/Payara/issues/4987",
        "at sun.security.ssl.SSLEngineImpl.wrap(SSLEngineImpl.java:130)\n"
        "at org.glassfish.grizzly.ssl.SSLUtils.handshakeWrap(SSLUtils.java:303)\n"
        "at org.glassfish.grizzly.ssl.SSLBaseFilter.silentRehandshake(SSLBaseFilter.java:801)",
        {"8214418"},
    ),
    (
        "eclipse-ee4j/glassfish-grizzly/issues/2075",
        "at sun.security.ssl.SSLEngineImpl.writeRecord(java.base@11.0.4/SSLEngineImpl.java:253)\n"
        "at sun.security.ssl.SSLEngineImpl.wrap(java.base@11.0.4/SSLEngineImpl.java:136)\n"
        "at org.glassfish.grizzly.ssl.SSLBaseFilter.silentRehandshake(SSLBaseFilter.java:801)",
        {"8214418"},
    ),
    (
        "square/okhttp/issues/4703",
        "javax.net.ssl.SSLPeerUnverifiedException: Hostname graph.facebook.com not verified "
        "(no certificates)",
        {"8212885"},
    ),
    (
        "ConsenSys/tessera/issues/880",
        "javax.net.ssl.SSLPeerUnverifiedException: Hostname localhost not verified "
        "(no certificates)",
        {"8212885"},
    ),
    (
        "apache/maven-wagon/issues/626",
        "javax.net.ssl.SSLException: Connection reset",
        {"8259662"},
    ),
    (
        "CommunitySolidServer/CommunitySolidServer/issues/498",
        "HttpClient GET Content-Length: 0",
        {"8283544"},
    ),
    (
        "async-profiler/async-profiler/issues/769",
        "java.net.Socket.connect timeout profiling",
        {"8312065"},
    ),
    ("OpenFeign/feign/issues/3068", "HttpClient request timeout body", {"8208693"}),
    (
        "TechEmpower/FrameworkBenchmarks/pull/10618",
        "sun.net.httpserver.nodelay",
        {"6968351"},
    ),
    (
        "google/dagger/pull/4079",
        "java.base/java.lang.VirtualThread$VThreadContinuation.onPinned(VirtualThread.java:185)\n"
        "java.base/jdk.internal.vm.Continuation.onPinned0(Continuation.java:393)",
        {"8338383"},
    ),
    ("NanoHttpd/nanohttpd/issues/577", "HttpClient 204 Content-Length: 0", {"8218662"}),
    ("jamesward/kotlin-bars/issues/3", "HttpClient 204 Content-Length", {"8218662"}),
    ("softwaremill/sttp/issues/1987", 'ReadException "too many concurrent streams"', {"8225647"}),
    (
        "java-operator-sdk/jenvtest/issues/155",
        "java.io.IOException: /127.0.0.1:37288: GOAWAY received\n"
        "\tat java.net.http/jdk.internal.net.http.HttpClientImpl.send(HttpClientImpl.java:565)",
        {"8335181"},
    ),
    (
        "helidon-io/helidon/issues/9606",
        "java.lang.VirtualThread.parkOnCarrierThread(boolean, long) line: 689\n"
        "java.lang.VirtualThread.parkNanos(long) line: 648",
        {"8338383"},
    ),
    (
        "eclipse-ee4j/glassfish-grizzly/issues/2148",
        "SSLEngine 100% CPU NEED_WRAP",
        {"8214418"},
    ),
    (
        "jetty/jetty.project/issues/3645",
        "  sun.security.ssl.SSLEngineImpl.getHandshakeStatus() SSLEngineImpl.java:801\n"
        "  sun.security.ssl.SSLEngineImpl.wrap(ByteBuffer[], int, int) SSLEngineImpl.java:136",
        {"8214418"},
    ),
    (
        "google/guava/issues/1197",
        "Provider.getService() synchronized blocked threads",
        {"7092821", "8276660"},
    ),
    ("openjdk/jdk/pull/3113", "HttpClient AuthenticationFilter NullPointerException", {"8263899"}),
    ("openjdk/jdk/pull/11590", "session tickets SSLContext memory", {"8298381"}),
    (
        "Tencent/TencentKonaSMSuite/issues/429",
        "ConcurrentModificationException PKCS12KeyStore.engineGetEntry",
        {"8309667"},
    ),
    ("openjdk/jdk11u-dev/pull/608", "HttpClient HTTP/2 sockets CLOSE_WAIT", {"8236596"}),
    ("openjdk/jdk/pull/5760", "SSLSocket.close() hangs during handshake", {"8274524", "8290005"}),
    ("openjdk/jdk/pull/4520", "TCP connection reset simple socket SSL server", {"8268965"}),
    ("openjdk/jdk/pull/14778", "NullPointerException CertificateRequest", {"8295068"}),
    (
        "spring-projects/spring-framework/pull/35581",
        "HttpClient timeout response body",
        {"8208693"},
    ),
    ("vrk-kpa/xroad-joint-development/issues/104", "OCSP read timeout", {"8179502", "8347506"}),
]
# Of other causes: no bug is better than a wrong one.
OTHER_CAUSES = [
    ("bcgit/bc-java/issues/2021", "java.net.SocketException: Connection reset"),
    (
        "async-profiler/async-profiler/issues/295",
        "java.net.SocketTimeoutException: Accept timed out",
    ),
    (
        "jetty/jetty.project/issues/363",
        "java.lang.IllegalStateException: Max local stream count 100 exceeded",
    ),
    # A record of application data that does not decrypt; the bug is one of handshakes.
    (
        "corretto/corretto-8/issues/424",
        "javax.net.ssl.SSLException: Tag mismatch!\n"
        "\tat sun.security.ssl.SSLSocketImpl.decode(SSLSocketImpl.java:1400)\n"
        "\tat sun.security.ssl.SSLSocketImpl.readApplicationRecord(SSLSocketImpl.java:1368)",
    ),
    (
        "eclipse-openj9/openj9/issues/16169",
        "javax.net.ssl.SSLException: Tag mismatch!\n"
        "\tat sun.security.ssl.SSLEngineImpl.decode(SSLEngineImpl.java:588)",
    ),
    # What JDKs throw at any refusal, without a bug.
    (
        "aws/aws-sdk-java-v2/pull/3050",
        "java.net.ProtocolException: Server rejected operation\n"
        "\tat sun.net.www.protocol.http.HttpURLConnection.expect100Continue",
    ),
    (
        "google/conscrypt/issues/783",
        "Caused by: java.util.ConcurrentModificationException\n"
        "\tat java.base/java.util.ArrayList$Itr.checkForComodification(Unknown Source)",
    ),
    (
        "phax/phase4/issues/124",
        "java.security.cert.CertPathValidatorException: Unable to determine revocation status due "
        "to network error\n\tat sun.security.provider.certpath.PKIXCertPathValidator.validate",
    ),
    (
        "reactor/reactor-netty/issues/1576",
        "javax.net.ssl.SSLHandshakeException: no cipher suites in common",
    ),
    (
        "openlink/virtuoso-opensource/issues/965",
        "at virtuoso.jdbc4.VirtuosoStatement.close_rs(VirtuosoStatement.java:178)\n"
        "at java.lang.ref.Finalizer.runFinalizer(java.base@11.0.11/Finalizer.java:87)",
    ),
    ("tailcallhq/tailcall/issues/23", "java.lang.OutOfMemoryError: Direct buffer memory"),
    (
        "mclear/NFC_Ring_Control/issues/75",
        "ClientCertRequest cannot be resolved to a type",
    ),
]


@pytest.mark.parametrize(
    ("address", "text", "bugs"), QUESTIONS, ids=[address for address, _, _ in QUESTIONS]
)
def test_a_public_question_leads_to_its_bug(
    ledger: Ledger, address: str, text: str, bugs: set[str]
) -> None:
    first_bug = find_bugs(text, ledger.bugs)[0]
    assert first_bug.id.removeprefix("JDK-") in bugs, f"{GITHUB}{address}: {first_bug.id}"


@pytest.mark.parametrize(
    ("address", "text"), OTHER_CAUSES, ids=[address for address, _ in OTHER_CAUSES]
)
def test_a_question_of_another_cause_leads_to_none(ledger: Ledger, address: str, text: str) -> None:
    assert find_bugs(text, ledger.bugs) == (), f"{GITHUB}{address}"


def test_each_trace_leads_to_its_bug(ledger: Ledger) -> None:
    """Alone in a dump; where two bugs have it, to one of them."""
    for bug in ledger.bugs:
        for trace in bug.traces:
            text = "\n".join(f"at x.{part}" for part in trace.split(" ... "))
            bugs = find_bugs(trace.replace(" ... ", " ") if ":" in trace else text, ledger.bugs)
            assert bugs, (bug.id, trace)
            assert trace in bugs[0].traces, (bug.id, trace, bugs[0].id)


def test_a_frame_below_an_exception_is_no_hang(ledger: Ledger) -> None:
    frame = "at sun.net.www.http.KeepAliveCache.get(KeepAliveCache.java:1)"
    assert find_bugs(frame, ledger.bugs)
    assert find_bugs(f"java.net.ConnectException: Connection refused\n{frame}", ledger.bugs) == ()


@pytest.mark.parametrize("text", ["", "the", "of the JDK", "qwertz", "cookie qwertz"])
def test_words_that_no_bug_has(ledger: Ledger, text: str) -> None:
    assert find_bugs(text, ledger.bugs) == ()


@pytest.mark.parametrize(
    ("text", "bug"),
    [
        ("cookie max-age", "8351983"),
        ("early hints HttpURLConnection", "8170305"),
        ("SSLEngine 100% CPU loop", "8214418"),
        ("finalizer", "8212136"),
        ("user_canceled", "8282600"),
        ("jdk.virtualThreadScheduler.parallelism", "8338383"),
    ],
)
def test_words(ledger: Ledger, text: str, bug: str) -> None:
    assert find_bugs(text, ledger.bugs)[0].id == f"JDK-{bug}"
