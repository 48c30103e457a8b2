// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8338383: Implement JEP 491: Synchronize Virtual Threads without Pinning
 *
 * What goes wrong: a certificate is checked against a revocation list, which is fetched inside
 * URICertStore.engineGetCRLs, a synchronized method. A virtual thread that waits there for the
 * list's server pins its carrier, so as many slow fetches as there are cores stop all virtual
 * threads of the JVM. Helidon ran into this (helidon-io/helidon#9606).
 *
 * What it takes: one carrier, a virtual thread that fetches a list from a server that accepts and
 * stays silent, and another virtual thread that is ready to run meanwhile.
 *
 * Control: the first virtual thread asks the same server with HttpURLConnection, outside any
 * monitor.
 *
 * The certificate names a list at a host that does not exist. The proxy for that host is the silent
 * server.
 *
 * Judged by a count of looks that find the only carrier kept while another virtual thread has
 * something to do, for longer than that thread may lack a CPU.
 *
 * Without its precondition
 *     with java.lang.Thread$Builder -Dpeer.listens=off: inconclusive: did not wait for the
 *     without java.lang.Thread$Builder -Dpeer.listens=off: not-applicable: no virtual threads
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/certpath/CrlFetchPinsCarrier.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib certpath/CrlFetchPinsCarrier.java
 *     java -cp classes CrlFetchPinsCarrier [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     looks_at_kept_carrier = 40 looks (bound 40)
 *       waits_in: Socket$SocketInputStream.read < HttpClient.parseHTTPHeader <
 *           HttpClient.parseHTTP < HttpURLConnection.getInputStream0 <
 *           HttpURLConnection.getInputStream < URICertStore.engineGetCRLs
 *       carrier: mounted
 *     reproduced: A virtual thread that waited for a revocation list kept its carrier from another
 *         (looks_at_kept_carrier 40, bound 40).
 * On a fixed build:
 *     # java: 25.0.2+10-LTS, Eclipse Adoptium
 *     looks_at_kept_carrier = 0 looks (bound 40)
 *       waits_in: Socket$SocketInputStream.implRead < Socket$SocketInputStream.read <
 *           HttpClient.parseHTTPHeader < HttpClient.parseHTTP <
 *           HttpURLConnection.getInputStream0 < HttpURLConnection.getInputStream <
 *           URICertStore.engineGetCRLs
 *       carrier: free
 *     not-reproduced: A virtual thread that waited for a revocation list gave its carrier up
 *         (looks_at_kept_carrier 0, bound 40).
 *
 * Evidence: outcome.json beside the scratch files has the frames of the fetching thread and the
 * state of its carrier; a recording has jdk.VirtualThreadPinned.
 */

/*
 * @test
 * @bug 8338383
 * @summary A virtual thread that waits in a monitor for a revocation list must give its carrier up
 * @key waits
 * @library /lib
 * @run main/othervm CrlFetchPinsCarrier control
 * @run main/othervm CrlFetchPinsCarrier subject
 */

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.PKIXRevocationChecker.Option;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.Collections;
import java.util.EnumSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

public class CrlFetchPinsCarrier {
    private static final String LIST = "http://crl.example/list.crl";

    // The certificate of CN=leaf, which names that list; CN=issuer, whose key is below, issued it.
    private static final String CERTIFICATE =
        "MIIBhjCCASugAwIBAgIBAjAKBggqhkjOPQQDAjARMQ8wDQYDVQQDDAZpc3N1ZXIwIBcNMjYx"
        + "MTI1MjIxMDEyWhgPMjEwMDEwMjgyMjEwMTJaMA8xDTALBgNVBAMMBGxlYWYwWTATBgcqhkjO"
        + "PQIBBggqhkjOPQMBBwNCAARFeJNzOTui28ko+QAF8ePD4vTZ+Y7P47Yt+Mpznjpra/O5CS0+"
        + "OEAeY1Y5vvg8uG6e9GRIW4qrkWd2iWBnQH76o3QwcjAsBgNVHR8EJTAjMCGgH6AdhhtodHRw"
        + "Oi8vY3JsLmV4YW1wbGUvbGlzdC5jcmwwHQYDVR0OBBYEFPmwL4EWTyytMqhOkVdUz8r2qQlX"
        + "MCMGA1UdIwQcMBqhFaQTMBExDzANBgNVBAMMBmlzc3VlcoIBATAKBggqhkjOPQQDAgNJADBG"
        + "AiEAlDGlfcY1L4/J6egI5ZjV90qFM0KgEPnrQD5g/bxHJoACIQDi7pZPCOfrDIwrbkpE7Iz9"
        + "tKWoW+2ec7RbaZwdViOvKQ==";
    private static final String ISSUER_KEY =
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAESoJYCvlsyluA+1tuc5iNyXJvhRAA/6SlwUcM"
        + "3iof5AAlubrF82R0m5XvqsXWsoFTurj5hk8IZWueKGrV11IFBw==";

    // For the kit's own tests: no server to wait for.
    private static final boolean LISTENS = !"off".equals(System.getProperty("peer.listens"));

    // The other virtual thread needs only microseconds once it has the carrier.
    private static final int LOOKS = 40;
    private static final long LOOK_EVERY_MS = 25;

    private static final String NO_WAIT = "The first virtual thread did not wait for the server.";
    private static final String MONITOR_FRAME =
        "sun.security.provider.certpath.URICertStore.engineGetCRLs";

    /** What a virtual thread does; the first waits for the server. */
    private interface Wait {
        void run() throws IOException, GeneralSecurityException;
    }

    public static void main(String[] args) throws Exception {
        // The scheduler reads its properties when the first virtual thread starts.
        System.setProperty("jdk.virtualThreadScheduler.parallelism", "1");
        System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", "1");
        System.setProperty("com.sun.security.enableCRLDP", "true");
        Reproducer.run("CrlFetchPinsCarrier", "JDK-8338383", args, CrlFetchPinsCarrier::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        final CountDownLatch release = new CountDownLatch(1);
        ServerSocket socket = new ServerSocket(0, Listener.BACKLOG,
            InetAddress.getLoopbackAddress());
        System.setProperty("http.proxyHost", socket.getInetAddress().getHostAddress());
        System.setProperty("http.proxyPort", String.valueOf(socket.getLocalPort()));
        try (Listener peer = new Listener("silent-peer", socket, (accepted, number) ->
                release.await(Client.PATIENCE_MS, TimeUnit.MILLISECONDS))) {
            peer.start();
            if (!LISTENS) {
                peer.close();
            }
            Thread fetcher = virtual("fetcher", which == Case.SUBJECT
                ? CrlFetchPinsCarrier::validate : () -> new URL(LIST).openStream().close());
            Patience patience = new Patience(Client.PATIENCE_MS);
            while (!waits(fetcher) && fetcher.isAlive() && patience.left()) {
                Thread.sleep(LOOK_EVERY_MS);
            }
            findings.require(waits(fetcher), NO_WAIT);
            findings.fact("waits_in", Stacks.frames(fetcher.getStackTrace())
                .replaceFirst(" < CertStore.getCRLs.*", ""));
            boolean inMonitor = isIn(fetcher, MONITOR_FRAME);
            findings.require(inMonitor == (which == Case.SUBJECT), "It waits "
                + (inMonitor ? "" : "not ") + "in " + MONITOR_FRAME + ".");
            CountDownLatch ran = new CountDownLatch(1);
            virtual("other", ran::countDown);
            int looks = 0;
            // Extended by the time the machine withholds: the other thread may only lack a CPU.
            Patience watched = new Patience(LOOKS * LOOK_EVERY_MS);
            while (!ran.await(LOOK_EVERY_MS, TimeUnit.MILLISECONDS)
                    && (looks < LOOKS || watched.left())) {
                looks += waits(fetcher) ? 1 : 0;
            }
            // Checked before the server lets go: a thread that has run by now did get the carrier,
            // if late.
            boolean kept = ran.getCount() > 0;
            findings.fact("carrier", carrier());
            findings.require(waits(fetcher), NO_WAIT);
            release.countDown();
            findings.require(ran.await(Client.PATIENCE_MS, TimeUnit.MILLISECONDS),
                "The other virtual thread did not run after the wait, either.");
            findings.judgeCount("looks_at_kept_carrier", kept ? looks : 0, LOOKS, "looks",
                "A virtual thread that waited for a revocation list kept its carrier from another",
                "A virtual thread that waited for a revocation list gave its carrier up");
        }
    }

    /** Checks the certificate against the revocation list that it names. */
    private static void validate() throws GeneralSecurityException {
        X509Certificate leaf = (X509Certificate) CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(bytes(CERTIFICATE)));
        PublicKey key = KeyFactory.getInstance("EC")
            .generatePublic(new X509EncodedKeySpec(bytes(ISSUER_KEY)));
        PKIXParameters parameters =
            new PKIXParameters(Collections.singleton(new TrustAnchor("CN=issuer", key, null)));
        parameters.setDate(leaf.getNotAfter());
        CertPathValidator validator = CertPathValidator.getInstance("PKIX");
        PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
        checker.setOptions(EnumSet.of(Option.PREFER_CRLS, Option.NO_FALLBACK));
        parameters.addCertPathChecker(checker);
        validator.validate(CertificateFactory.getInstance("X.509")
            .generateCertPath(Collections.singletonList(leaf)), parameters);
    }

    private static byte[] bytes(String base64) {
        return Base64.getDecoder().decode(base64);
    }

    /** Starts a virtual thread by reflection, as this is compiled for JDKs before 21. */
    private static Thread virtual(String name, Wait wait) throws Exception {
        Runnable task = () -> {
            try {
                wait.run();
            } catch (IOException | GeneralSecurityException e) {
                System.out.println(name + ": " + e);  // the peer says nothing, and hangs up
            }
        };
        try {
            Thread thread = (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class)
                .invoke(null, task);
            thread.setName(name);
            return thread;
        } catch (NoSuchMethodException e) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE, "This runtime has no virtual threads.");
        }
    }

    private static boolean waits(Thread thread) {
        return isIn(thread, "sun.nio.ch.NioSocketImpl.implRead");
    }

    private static boolean isIn(Thread thread, String method) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (method.equals(frame.getClassName() + "." + frame.getMethodName())) {
                return true;
            }
        }
        return false;
    }

    /** The state of the one carrier: with a virtual thread mounted, it runs a continuation. */
    private static String carrier() {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("ForkJoinPool-1-worker")) {
                return isIn(thread, "jdk.internal.vm.Continuation.run") ? "mounted" : "free";
            }
        }
        return "unknown";
    }
}
