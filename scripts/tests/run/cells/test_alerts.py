# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A row's alert is the one that the JDK under test sent: not the one it received, nor the one that
the row requires. The texts are of 8u332, 17.0.9, 17.0.21.1 and their peers.
"""

import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.jdk

DRIVER = """
class Driver {
    public static void main(String[] texts) {
        for (String text : texts) {
            System.out.println("alert " + Told.alertSent(text));
        }
    }
}
"""
SENT = {
    # What the peer read from the wire counts, whatever the JDK says of it.
    "Refused: SSLHandshakeException: (handshake_failure) Empty certificate chain | the peer: "
    "seen {answered=bad_certificate}": "bad_certificate",
    "Refused: SSLProtocolException: Unexpected message | the peer: seen {answered=none}": "",
    "{answered=none, protocol=TLSv1.3}": "",
    # What JSSE, OpenSSL and BoringSSL received.
    "Refused: SSLHandshakeException: The client supported protocol versions [TLSv1.1] are not "
    "accepted by server preferences [TLS13] | the peer: SSLHandshakeException: (protocol_version) "
    "Received fatal alert: protocol_version": "protocol_version",
    "Refused: SSLException: closed | the peer: EOFException: error:0A000418:SSL routines:"
    "ssl3_read_bytes:tlsv1 alert unknown ca:../ssl/record/rec_layer_s3.c:1590:": "unknown_ca",
    "Refused: SSLException: closed | the peer: SSLException: error:10000410:SSL routines:"
    "OPENSSL_internal:SSLV3_ALERT_HANDSHAKE_FAILURE": "handshake_failure",
    # What JSSE says that it sends, if no peer says more.
    "Refused: SSLHandshakeException: (certificate_unknown) PKIX path building failed | the peer: "
    "IOException: no whole request": "certificate_unknown",
    "SSLHandshakeException: (no_application_protocol) None": "no_application_protocol",
    # Received, and not sent.
    "Refused: SSLHandshakeException: Received fatal alert: protocol_version | the peer: "
    "SSLHandshakeException: (protocol_version) The client supported protocol versions": "",
    "Refused: SSLHandshakeException: (handshake_failure) Received fatal alert: handshake_failure "
    "| the peer: SSLHandshakeException: (handshake_failure) no cipher suites in common": "",
    "IOException: hangs: ended": "",
}


def test_the_alert_is_the_one_that_was_sent(root: Path, tool_jdk: Path, tmp_path: Path) -> None:
    driver = tmp_path / "Driver.java"
    driver.write_text(DRIVER)
    sources = [str(root / "test/interop/lib/Told.java"), str(driver)]
    javac = [
        str(tool_jdk / "bin" / "javac"),
        "--release",
        "8",
        "-Xlint:-options",
        "-d",
        str(tmp_path),
    ]
    subprocess.run([*javac, *sources], check=True, timeout=120)
    java = [str(tool_jdk / "bin" / "java"), "-cp", str(tmp_path), "Driver", *SENT]
    process = subprocess.run(java, check=True, capture_output=True, text=True, timeout=120)
    assert process.stdout.splitlines() == [f"alert {name}" for name in SENT.values()]
