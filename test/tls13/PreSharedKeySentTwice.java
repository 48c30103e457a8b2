// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8213202: Possible race condition in TLS 1.3 session resumption
 *
 * What goes wrong: the key of a session ticket is good for one connection. A client that opens
 * several connections before it has another ticket sends the same key in each, so an eavesdropper
 * sees that they belong together.
 *
 * What it takes: TLS 1.3; one ticket; two ClientHellos before the next ticket has come. The threads
 * of the title are not needed: ClientHellos one after the other show it.
 *
 * Control: before each ClientHello there is a handshake, which brings a new ticket.
 *
 * Without a session to resume (-Dsessions.kept=off) the test is inconclusive.
 *
 * Judged by a count of keys sent again in a ClientHello.
 *
 * Without its precondition
 *     -Dsessions.kept=off: inconclusive: carried 0 pre-shared keys
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/PreSharedKeySentTwice.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/PreSharedKeySentTwice.java
 *     java -cp classes PreSharedKeySentTwice [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.2+7-LTS, Azul Systems, Inc.
 *     keys_sent_again = 3 keys (bound 1)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_128_GCM_SHA256
 *       hellos: 4
 *       keys_of_each_hello: [1, 1, 1, 1]
 *       keys_sent: 1
 *     reproduced: ClientHellos carried a pre-shared key that an earlier one had
 *         carried (keys_sent_again 3, bound 1).
 * On a fixed build:
 *     # java: 11.0.5+10-LTS, Azul Systems, Inc.
 *     keys_sent_again = 0 keys (bound 1)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       hellos: 4
 *       keys_of_each_hello: [1, 0, 0, 0]
 *       keys_sent: 1
 *     not-reproduced: No pre-shared key was sent twice (keys_sent_again 0, bound
 *         1).
 *
 * Evidence: outcome.json beside the scratch files has the number of keys that each ClientHello
 * carried.
 */

/*
 * @test
 * @bug 8213202
 * @summary A client must not send the same pre-shared key twice
 * @key waits
 * @library /lib
 * @run main/othervm PreSharedKeySentTwice control
 * @run main/othervm PreSharedKeySentTwice subject
 */

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

public class PreSharedKeySentTwice {
    private static final String HOST = "peer.example";
    private static final int PORT = 443;
    private static final int HELLOS = 4;

    public static void main(String[] args) throws Exception {
        Reproducer.run("PreSharedKeySentTwice", "JDK-8213202", args,
            PreSharedKeySentTwice::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SSLContext server = RsaIdentity.serverContext();
        SSLContext client = RsaIdentity.clientContext("TLS");
        List<Integer> keysOfEach = new ArrayList<>();
        Set<BigInteger> sent = new HashSet<>();
        int again = 0;
        for (int i = 0; i < HELLOS; i++) {
            if (i == 0 || which == Case.CONTROL) {
                EnginePair pair = new EnginePair(client, server, HOST, PORT).handshake().exchange();
                which.checkProtocol(pair.client.getSession(), findings);
            }
            List<byte[]> keys = hello(client).preSharedKeys();
            keysOfEach.add(keys.size());
            for (byte[] key : keys) {
                again += sent.add(new BigInteger(1, key)) ? 0 : 1;
            }
        }
        findings.fact("hellos", HELLOS);
        findings.fact("keys_of_each_hello", keysOfEach);
        findings.fact("keys_sent", sent.size());
        int least = which == Case.CONTROL ? HELLOS : 1;
        findings.require(sent.size() >= least, "The ClientHellos carried " + sent.size()
            + " pre-shared keys (bound " + least + ").");
        findings.judgeCount("keys_sent_again", again, 1, "keys",
            "ClientHellos carried a pre-shared key that an earlier one had carried",
            "No pre-shared key was sent twice");
    }

    private static ClientHello hello(SSLContext context) throws Exception {
        SSLEngine engine = context.createSSLEngine(HOST, PORT);
        engine.setUseClientMode(true);
        engine.beginHandshake();
        ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), out);
        return new ClientHello(
            TlsRecord.read(new ByteArrayInputStream(out.array(), 0, out.position())));
    }
}
