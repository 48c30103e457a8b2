// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8366454: TLS1.3 server fails with bad_record_mac when receiving encrypted records with empty
 *              body
 *
 * What goes wrong: a peer sends a record of application data that has no byte, which RFC 8446
 * allows (section 5.4), for example to hide how much it has to say. JSSE takes it for one that
 * was tampered with: it answers with bad_record_mac, and the connection is gone. Client and server
 * read records by the same code; here the server does.
 *
 * What it takes: TLS 1.3, and a peer that sends such a record. No JSSE client does, so this one is
 * made by hand (RawClient).
 *
 * Control: the same client without that record.
 *
 * Judged by a count of connections that ended before a byte sent afterwards was echoed.
 *
 * Without its precondition
 *     -Djdk.tls.server.protocols=TLSv1.2: inconclusive: No handshake of TLS 1.3
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/EmptyRecordEndsConnection.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/EmptyRecordEndsConnection.java
 *     java -cp classes EmptyRecordEndsConnection [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.21.1+2, Debian
 *     connections_ended = 1 connections (bound 1)
 *       answer: alert 20
 *     reproduced: The server ended the connection at a record without a byte (connections_ended 1,
 *         bound 1).
 * On a fixed build:
 *     # java: 26.0.2.1+1, Debian
 *     connections_ended = 0 connections (bound 1)
 *       answer: the byte that was sent
 *     not-reproduced: The server echoed what was sent (connections_ended 0, bound 1).
 */

/*
 * @test
 * @bug 8366454
 * @summary A record of application data without a byte must not end the connection
 * @key waits
 * @library /lib
 * @run main/othervm EmptyRecordEndsConnection control
 * @run main/othervm EmptyRecordEndsConnection subject
 */

public class EmptyRecordEndsConnection {
    public static void main(String[] args) throws Exception {
        Reproducer.run("EmptyRecordEndsConnection", "JDK-8366454", args,
            EmptyRecordEndsConnection::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (TlsServer server = new TlsServer(Identity.serverContext(), TlsServer::echo);
                RawClient client = RawClient.connect(server.address(), findings)) {
            if (which == Case.SUBJECT) {
                client.send(TlsRecord.APPLICATION_DATA, new byte[0]);
            }
            boolean echoed = client.isEchoed(findings);
            findings.judgeCount("connections_ended", echoed ? 0 : 1, 1, "connections",
                "The server ended the connection at a record without a byte",
                "The server echoed what was sent");
        }
    }
}
