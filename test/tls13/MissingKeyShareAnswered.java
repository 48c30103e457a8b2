// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8215711: Missing key_share extension for (EC)DHE key exchange should alert missing_extension
 *
 * What goes wrong: a client offers TLS 1.3 with groups, but without the extension key_share. The
 * server must send the alert missing_extension (RFC 8446 section 9.2). Instead it sends a
 * ServerHello without a key, then fails and closes: the client is left with half a handshake, and
 * the server with "Not negotiated key shares".
 *
 * What it takes: TLS 1.3 and such a ClientHello, which the test puts together by hand.
 *
 * Control: the same ClientHello with a key share.
 *
 * Judged by a count of ServerHellos on the wire that answer a ClientHello without key_share.
 *
 * Without its precondition
 *     -Djdk.tls.server.protocols=TLSv1.2: inconclusive: neither ServerHello nor missing_extension
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/MissingKeyShareAnswered.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/MissingKeyShareAnswered.java
 *     java -cp classes MissingKeyShareAnswered [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.7+10-LTS, Azul Systems, Inc.
 *     hellos_answered = 1 ClientHellos (bound 1)
 *       answer: handshake 2, 82 bytes
 *       alert: none
 *     reproduced: The server sent a ServerHello to a client that had sent no key_share extension
 *         (hellos_answered 1, bound 1).
 * On a fixed build:
 *     # java: 11.0.9.1+1, AdoptOpenJDK
 *     hellos_answered = 0 ClientHellos (bound 1)
 *       answer: alert, 2 bytes
 *       alert: 109
 *     not-reproduced: The server told the client of the missing extension (hellos_answered 0,
 *         bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the server's answer.
 */

/*
 * @test
 * @bug 8215711
 * @summary A ClientHello without key_share must be answered with missing_extension
 * @key waits
 * @library /lib
 * @run main/othervm MissingKeyShareAnswered control
 * @run main/othervm MissingKeyShareAnswered subject
 */

import java.net.Socket;

public class MissingKeyShareAnswered {
    /** The code of that alert, and where it is in the record (RFC 8446 section 6.2). */
    private static final int MISSING_EXTENSION = 109;
    private static final int DESCRIPTION = TlsRecord.HEADER_BYTES + 1;

    public static void main(String[] args) throws Exception {
        Reproducer.run("MissingKeyShareAnswered", "JDK-8215711", args,
            MissingKeyShareAnswered::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (TlsServer server = new TlsServer(Identity.serverContext(), TlsServer::echo);
                Socket client = new Socket(TlsPeer.loopback(), server.address().getPort())) {
            client.setSoTimeout(Client.PATIENCE_MS);
            client.getOutputStream().write((which == Case.CONTROL
                ? RawHello.client(true, null) : RawHello.clientWithoutKeyShare()).bytes);
            TlsRecord answer = TlsRecord.read(client.getInputStream());
            findings.fact("answer", String.valueOf(answer));
            findings.require(answer != null, "The server closed the connection without a word.");
            boolean alert = answer.type() == TlsRecord.ALERT && answer.bodyBytes() == 2;
            int description = alert ? answer.bytes[DESCRIPTION] : -1;
            findings.fact("alert", alert ? description : "none");
            boolean answered = answer.isHandshake(TlsRecord.SERVER_HELLO);
            findings.require(answered || which == Case.SUBJECT && description == MISSING_EXTENSION,
                "The server sent neither ServerHello nor missing_extension, but " + answer + ".");
            boolean wrong = which == Case.SUBJECT && answered;
            findings.judgeCount("hellos_answered", wrong ? 1 : 0, 1, "ClientHellos",
                "The server sent a ServerHello to a client that had sent no key_share extension",
                which == Case.CONTROL ? "The server answered a ClientHello with a key share"
                    : "The server told the client of the missing extension");
        }
    }
}
