// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8368041: Enhance TLS certificate handling
 *
 * What goes wrong: a server of TLS 1.2 asks for a client certificate without requiring it
 * (setWantClientAuth). The client answers with the warning no_certificate, an alert of SSL 3.0 that
 * no later version has (RFC 5246 section 7.2.2: reserved). The server takes it in place of a
 * Certificate message and goes on with the handshake.
 *
 * What it takes: TLS 1.2, a server that wants a certificate, and such a client, which the test puts
 * together by hand. After the alert it sends a Finished, which is wrong for a server that goes on.
 *
 * Control: the server requires a certificate (setNeedClientAuth), and so refuses the alert.
 *
 * Judged by a count of alerts no_certificate that the server did not refuse.
 *
 * Without its precondition
 *     -Djdk.tls.server.protocols=TLSv1.3: inconclusive: The server did not ask for a certificate
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/NoCertificateAlertTaken.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/NoCertificateAlertTaken.java
 *     java -cp classes NoCertificateAlertTaken [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 21.0.9+10-LTS, Eclipse Adoptium
 *     alerts_taken = 1 alerts (bound 1)
 *       answer: alert 10
 *     reproduced: The server took no_certificate for an answer, and went on to the next message
 *         (alerts_taken 1, bound 1).
 * On a fixed build:
 *     # java: 21.0.13+9-1-deb13u2-Debian, Debian
 *     alerts_taken = 0 alerts (bound 1)
 *       answer: alert 40
 *     not-reproduced: The server refused the alert no_certificate (alerts_taken 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the server's answer.
 */

/*
 * @test
 * @bug 8368041
 * @summary The alert no_certificate must end a handshake of TLS 1.2
 * @key waits
 * @library /lib
 * @run main/othervm NoCertificateAlertTaken control
 * @run main/othervm NoCertificateAlertTaken subject
 */

import java.io.InputStream;
import java.net.Socket;
import javax.net.ssl.SSLSocket;

public class NoCertificateAlertTaken {
    private static final int CERTIFICATE_REQUEST = 13;
    private static final int SERVER_HELLO_DONE = 14;
    private static final int FINISHED = 20;
    private static final int FINISHED_BYTES = 12;

    /** Levels and descriptions of alerts (RFC 5246 section 7.2), and where the second one is. */
    private static final byte WARNING = 1;
    private static final byte NO_CERTIFICATE = 41;
    private static final int HANDSHAKE_FAILURE = 40;
    private static final int UNEXPECTED_MESSAGE = 10;
    private static final int DESCRIPTION = TlsRecord.HEADER_BYTES + 1;

    public static void main(String[] args) throws Exception {
        Reproducer.run("NoCertificateAlertTaken", "JDK-8368041", args,
            NoCertificateAlertTaken::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (TlsServer server = new TlsServer(Identity.serverContext(),
                    socket -> ask(socket, which == Case.CONTROL));
                Socket client = new Socket(TlsPeer.loopback(), server.address().getPort())) {
            client.setSoTimeout(Client.PATIENCE_MS);
            client.getOutputStream().write(RawHello.client12().bytes);
            findings.require(isAsked(client.getInputStream()),
                "The server did not ask for a certificate in a handshake of TLS 1.2.");
            client.getOutputStream().write(RawHello.join(
                TlsRecord.of(TlsRecord.ALERT, new byte[] {WARNING, NO_CERTIFICATE}).bytes,
                RawHello.message(FINISHED, new byte[FINISHED_BYTES]).bytes));
            TlsRecord answer = TlsRecord.read(client.getInputStream());
            boolean isAlert = answer != null && answer.type() == TlsRecord.ALERT;
            int description = isAlert ? answer.bytes[DESCRIPTION] : -1;
            findings.fact("answer", isAlert ? "alert " + description : String.valueOf(answer));
            findings.require(description == HANDSHAKE_FAILURE || description == UNEXPECTED_MESSAGE,
                "The server sent neither handshake_failure nor unexpected_message.");
            findings.judgeCount("alerts_taken", description == UNEXPECTED_MESSAGE ? 1 : 0, 1,
                "alerts",
                "The server took no_certificate for an answer, and went on to the next message",
                "The server refused the alert no_certificate");
        }
    }

    private static void ask(SSLSocket socket, boolean isNeeded) throws Exception {
        if (isNeeded) {
            socket.setNeedClientAuth(true);
        } else {
            socket.setWantClientAuth(true);
        }
        socket.startHandshake();
    }

    /** Reads the server's flight, each message of which is a record of its own. */
    private static boolean isAsked(InputStream in) throws Exception {
        boolean isAsked = false;
        TlsRecord record = TlsRecord.read(in);
        while (record != null && record.type() == TlsRecord.HANDSHAKE
                && !record.isHandshake(SERVER_HELLO_DONE)) {
            isAsked |= record.isHandshake(CERTIFICATE_REQUEST);
            record = TlsRecord.read(in);
        }
        return isAsked && record != null && record.isHandshake(SERVER_HELLO_DONE);
    }
}
