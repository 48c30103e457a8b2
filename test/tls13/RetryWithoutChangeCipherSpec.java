// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8326643: JDK server does not send a dummy change_cipher_spec record after HelloRetryRequest
 *              message
 *
 * What goes wrong: a server that asks a TLS 1.3 client for a retry sends no change_cipher_spec
 * after that message. The compatibility mode wants it right after the server's first message (RFC
 * 8446, appendix D.4). Clients and middleboxes that wait for it break the connection.
 *
 * What it takes: the build under test as the server; a client in compatibility mode that sends no
 * key for a group of the server's (here a raw socket that sends none at all). The control sends a
 * key at once, so no retry is needed: after a ServerHello all builds send the record.
 *
 * Judged by a count of records missing on the wire.
 *
 * Without its precondition
 *     -Djdk.tls.server.protocols=TLSv1.2: inconclusive: which is not the HelloRetryRequest
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/RetryWithoutChangeCipherSpec.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/RetryWithoutChangeCipherSpec.java
 *     java -cp classes RetryWithoutChangeCipherSpec [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     records_missing = 1 records (bound 1)
 *       first_is_retry: true
 *       answers: [handshake 2, 161 bytes, handshake 2, 155 bytes]
 *     reproduced: The server's first message was not followed by change_cipher_spec
 *           (records_missing 1, bound 1).
 * On a fixed build:
 *     # java: 11.0.24+8-post-Debian-2deb11u1, Debian
 *     records_missing = 0 records (bound 1)
 *       first_is_retry: true
 *       answers: [handshake 2, 161 bytes, change_cipher_spec, 1 bytes]
 *     not-reproduced: The server's first message was followed by change_cipher_spec
 *           (records_missing 0, bound 1).
 */

/*
 * @test
 * @bug 8326643
 * @summary A HelloRetryRequest must be followed by change_cipher_spec
 * @key waits
 * @library /lib
 * @run main/othervm RetryWithoutChangeCipherSpec control
 * @run main/othervm RetryWithoutChangeCipherSpec subject
 */

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

public class RetryWithoutChangeCipherSpec {
    public static void main(String[] args) throws Exception {
        Reproducer.run("RetryWithoutChangeCipherSpec", "JDK-8326643", args,
            RetryWithoutChangeCipherSpec::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (TlsServer server = new TlsServer(Identity.serverContext(), TlsServer::echo);
                Socket client = new Socket(TlsPeer.loopback(), server.address().getPort())) {
            client.setSoTimeout(Client.PATIENCE_MS);
            List<TlsRecord> answers = new ArrayList<>();
            client.getOutputStream().write(
                RawHello.client(which == Case.CONTROL, null).bytes);
            TlsRecord first = next(client, answers);
            findings.fact("first_is_retry", RawHello.isRetry(first));
            findings.require(first.isHandshake(TlsRecord.SERVER_HELLO)
                && RawHello.isRetry(first) == (which == Case.SUBJECT), "The server answered "
                + first + ", which is not the " + (which == Case.SUBJECT ? "HelloRetryRequest"
                : "ServerHello") + " that it should be.");
            if (which == Case.SUBJECT) {
                // What the server sends of its own accord comes before its answer to this.
                client.getOutputStream().write(RawHello.client(true, first).bytes);
            }
            TlsRecord second = next(client, answers);
            findings.fact("answers", answers.toString());
            findings.require(second.type() != TlsRecord.ALERT,
                "The server answered the second ClientHello with an alert.");
            findings.judgeCount("records_missing",
                second.type() == TlsRecord.CHANGE_CIPHER_SPEC ? 0 : 1, 1, "records",
                "The server's first message was not followed by change_cipher_spec",
                "The server's first message was followed by change_cipher_spec");
        }
    }

    private static TlsRecord next(Socket client, List<TlsRecord> answers) throws IOException {
        TlsRecord record = TlsRecord.read(client.getInputStream());
        if (record == null) {
            throw new IOException("the server closed the connection after " + answers);
        }
        answers.add(record);
        return record;
    }
}
