// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8311644: Server should not send bad_certificate alert when the client does not send any
 * certificates
 *
 * What goes wrong: a server needs a certificate from its client, and the client has none. TLS 1.3
 * has an alert for that, certificate_required (RFC 8446 4.4.2.4). The server sends bad_certificate
 * instead, so operators look for a fault in a certificate that was never sent.
 *
 * What it takes: a server that needs client authentication, and a client without a key.
 *
 * Control: the server asks for a certificate, but does without.
 *
 * Judged by a count of alerts bad_certificate.
 *
 * Without its precondition
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: defaults offer TLSv1.2
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/MissingCertificateCalledBad.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/MissingCertificateCalledBad.java
 *     java -cp classes MissingCertificateCalledBad [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     tls-server: connection 1: javax.net.ssl.SSLHandshakeException: Empty client
 *         certificate chain
 *     wrong_alerts = 1 alerts (bound 1)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       heard: Received fatal alert: bad_certificate
 *     reproduced: A client that had sent no certificate was told bad_certificate
 *         (wrong_alerts 1, bound 1).
 * On a fixed build:
 *     # java: 17.0.19+10-1-deb12u2-Debian, Debian
 *     tls-server: connection 1: javax.net.ssl.SSLHandshakeException:
 *         (certificate_required) Empty client certificate chain
 *     wrong_alerts = 0 alerts (bound 1)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       heard: (certificate_required) Received fatal alert: certificate_required
 *     not-reproduced: The client was told certificate_required (wrong_alerts 0, bound
 *         1).
 *
 * Evidence: outcome.json beside the scratch files has the alert as the client got it.
 */

/*
 * @test
 * @bug 8311644
 * @summary A client without a certificate must be told certificate_required
 * @key waits
 * @library /lib
 * @run main/othervm MissingCertificateCalledBad control
 * @run main/othervm MissingCertificateCalledBad subject
 */

import java.io.IOException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

public class MissingCertificateCalledBad {
    private static final String BAD = "bad_certificate";
    private static final String REQUIRED = "certificate_required";

    public static void main(String[] args) throws Exception {
        Reproducer.run("MissingCertificateCalledBad", "JDK-8311644", args,
            MissingCertificateCalledBad::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (TlsServer server = new TlsServer(Identity.serverContext(),
                socket -> serve(which, socket))) {
            SSLSocket socket = TlsClient.connect(
                which.tls13ClientContext().getSocketFactory(), server.address());
            which.checkProtocol(socket.getSession(), findings);
            String heard = heardBy(socket);
            findings.fact("heard", heard);
            if (which == Case.CONTROL) {
                findings.require(heard.isEmpty(), "The client heard: " + heard);
            } else {
                findings.require(heard.contains(BAD) || heard.contains(REQUIRED),
                    "The client heard neither " + BAD + " nor " + REQUIRED + ", but: " + heard);
            }
            findings.judgeCount("wrong_alerts", heard.contains(BAD) ? 1 : 0, 1, "alerts",
                "A client that had sent no certificate was told " + BAD,
                which == Case.CONTROL ? "The client was told nothing"
                    : "The client was told " + REQUIRED);
        }
    }

    private static void serve(Case which, SSLSocket socket) throws IOException {
        if (which == Case.SUBJECT) {
            socket.setNeedClientAuth(true);
        } else {
            socket.setWantClientAuth(true);
        }
        socket.getOutputStream().write(1);
    }

    /**
     * Reads the server's verdict: in TLS 1.3 the client's handshake ends before the server looks at
     * its certificate. Does not write: that would fail first if the server has gone away.
     */
    private static String heardBy(SSLSocket socket) throws IOException {
        try {
            return socket.getInputStream().read() == 1 ? "" : "the end of the connection";
        } catch (SSLException alert) {
            return String.valueOf(alert.getMessage());
        }
    }
}
