// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8247630: Use two key share entries
 *
 * What goes wrong: a TLS 1.3 client sends a key for x25519 only. A server that knows secp256r1 but
 * not x25519 (there are many) must ask for a retry, and each full handshake takes one more round
 * trip.
 *
 * What it takes: TLS 1.3, and a server that accepts only secp256r1: here a raw socket that asks for
 * a retry if the key is missing, and counts the ClientHellos. In the control the client prefers
 * secp256r1 (jdk.tls.namedGroups), so its one key is the one that the server needs.
 *
 * Judged by a count of ClientHellos on the wire.
 *
 * Without its precondition
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: do not offer protocol TLSv1.3
 *     control -Dcontrol.groups=secp384r1,secp256r1: reproduced: had to ask for a retry
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/RetryForP256Server.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/RetryForP256Server.java
 *     java -cp classes RetryForP256Server [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     client_hellos = 2 messages (bound 2)
 *       offers_tls13: true
 *       supported_groups: [29, 23, 24, 25, 30, 256, 257, 258, 259, 260]
 *       key_shares: [29]
 *       key_shares_after_retry: [23]
 *     reproduced: A server with secp256r1 alone had to ask for a retry (client_hellos 2, bound
 *           2).
 * On a fixed build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     client_hellos = 1 messages (bound 2)
 *       offers_tls13: true
 *       supported_groups: [29, 23, 24, 25, 30, 256, 257, 258, 259, 260]
 *       key_shares: [29, 23]
 *     not-reproduced: A server with secp256r1 alone needed no retry (client_hellos 1, bound 2).
 */

/*
 * @test
 * @bug 8247630 8171279
 * @summary A server with secp256r1 alone must not need a HelloRetryRequest
 * @key waits
 * @library /lib
 * @run main/othervm RetryForP256Server control
 * @run main/othervm RetryForP256Server subject
 */

import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;

public class RetryForP256Server {
    // A retry means a second ClientHello.
    private static final long BOUND_HELLOS = 2;

    /** For the kit's own tests: what the control's client prefers. */
    private static final String PREFERRED =
        System.getProperty("control.groups", "secp256r1,x25519");

    public static void main(String[] args) throws Exception {
        Reproducer.run("RetryForP256Server", "JDK-8247630", args, RetryForP256Server::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        if (which == Case.CONTROL) {
            System.setProperty("jdk.tls.namedGroups", PREFERRED);
        }
        try (ServerSocket listener = new ServerSocket(0, 1, TlsPeer.loopback());
                SSLSocket client = (SSLSocket) which.clientContext().getSocketFactory()
                    .createSocket(TlsPeer.loopback(), listener.getLocalPort());
                Socket server = listener.accept()) {
            server.setSoTimeout(Client.PATIENCE_MS);
            new TimedCall("client", client::startHandshake);
            List<ClientHello> hellos = new ArrayList<>();
            ClientHello hello = next(server, hellos);
            boolean tls13 = hello.has(ClientHello.SUPPORTED_VERSIONS)
                && hello.has(ClientHello.KEY_SHARE);
            findings.fact("offers_tls13", tls13);
            findings.fact("supported_groups", hello.supportedGroups());
            findings.fact("key_shares", hello.keyShares());
            checkOffer(tls13, hello, findings);
            if (!hello.keyShares().contains(ClientHello.SECP256R1)) {
                checkKeys(hello);
                server.getOutputStream().write(RawHello.retry(hello).bytes);
                hello = next(server, hellos);
                findings.fact("key_shares_after_retry", hello.keyShares());
                findings.require(hello.keyShares().contains(ClientHello.SECP256R1),
                    "The client did not heed the retry: it sent keys for " + hello.keyShares());
            }
            findings.judgeCount("client_hellos", hellos.size(), BOUND_HELLOS, "messages",
                "A server with secp256r1 alone had to ask for a retry",
                "A server with secp256r1 alone needed no retry");
        }
    }

    private static void checkOffer(boolean tls13, ClientHello hello, Findings findings) {
        if (!tls13) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE,
                "The client's defaults do not offer protocol TLSv1.3, which the bug needs.");
        }
        findings.require(hello.supportedGroups().contains(ClientHello.SECP256R1),
            "The client does not support secp256r1, but groups " + hello.supportedGroups() + ".");
    }

    /** A fixed client sends two keys; its order of groups decides for which. */
    private static void checkKeys(ClientHello hello) {
        if (hello.keyShares().size() > 1) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE, "The client sends keys for groups "
                + hello.keyShares() + " at once, as the fix has it, but prefers others to secp256r1"
                + " (23): the retry is not this bug's.");
        }
    }

    /** Reads the next ClientHello, and any change_cipher_spec before it. */
    private static ClientHello next(Socket server, List<ClientHello> hellos) throws IOException {
        InputStream in = server.getInputStream();
        TlsRecord record = TlsRecord.read(in);
        while (record != null && record.type() == TlsRecord.CHANGE_CIPHER_SPEC) {
            record = TlsRecord.read(in);
        }
        if (record == null || !record.isHandshake(TlsRecord.CLIENT_HELLO)) {
            throw new IOException("no ClientHello, but " + record);
        }
        hellos.add(new ClientHello(record));
        return hellos.get(hellos.size() - 1);
    }
}
