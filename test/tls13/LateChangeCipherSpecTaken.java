// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8366244: TLS1.3 ChangeCipherSpec message received after the client's Finished message should
 *              trigger a connection abort with "unexpected message"
 *
 * What goes wrong: after the client's Finished, a change_cipher_spec record must end the connection
 * with unexpected_message (RFC 8446, section 5). A server takes the first one, whenever it comes,
 * and goes on. Scanners and conformance suites report it.
 *
 * What it takes: TLS 1.3, and a client without compatibility mode, whose first change_cipher_spec
 * comes after its Finished (RawClient).
 *
 * Control: the same record with a content that no change_cipher_spec has, 2. All builds refuse it.
 *
 * Judged by a count of such records after which a byte was echoed.
 *
 * Without its precondition
 *     -Djdk.tls.server.protocols=TLSv1.2: inconclusive: No handshake of TLS 1.3
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/LateChangeCipherSpecTaken.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/LateChangeCipherSpecTaken.java
 *     java -cp classes LateChangeCipherSpecTaken [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.21.1+2, Debian
 *     records_taken = 1 records (bound 1)
 *       answer: the byte that was sent
 *     reproduced: The server took a change_cipher_spec after the client's Finished (records_taken
 *         1, bound 1).
 * On a fixed build:
 *     # java: 26.0.2.1+1, Debian
 *     records_taken = 0 records (bound 1)
 *       answer: alert 10
 *     not-reproduced: The server ended the connection at that record (records_taken 0, bound 1).
 */

/*
 * @test
 * @bug 8366244
 * @summary A change_cipher_spec after the client's Finished must end the connection
 * @key waits
 * @library /lib
 * @run main/othervm LateChangeCipherSpecTaken control
 * @run main/othervm LateChangeCipherSpecTaken subject
 */

public class LateChangeCipherSpecTaken {
    public static void main(String[] args) throws Exception {
        Reproducer.run("LateChangeCipherSpecTaken", "JDK-8366244", args,
            LateChangeCipherSpecTaken::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (TlsServer server = new TlsServer(Identity.serverContext(), TlsServer::echo);
                RawClient client = RawClient.connect(server.address(), findings)) {
            byte[] content = {(byte) (which == Case.SUBJECT ? 1 : 2)};
            client.send(TlsRecord.of(TlsRecord.CHANGE_CIPHER_SPEC, content));
            boolean echoed = client.isEchoed(findings);
            findings.judgeCount("records_taken", echoed ? 1 : 0, 1, "records",
                "The server took a change_cipher_spec after the client's Finished",
                "The server ended the connection at that record");
        }
    }
}
