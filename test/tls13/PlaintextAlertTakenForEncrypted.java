// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8331682: Slow networks/Impatient clients can potentially send unencrypted TLSv1.3 alerts
 * that won't parse on the server
 *
 * What goes wrong: a TLS 1.3 client gives up before the answer to its ClientHello has come, because
 * its network is slow or its time is up. It sends user_canceled and close_notify in the clear, as
 * it has no keys. The server has sent its part of the handshake and takes each record for an
 * encrypted one. It fails to decrypt them, and its log reports a cipher fragment that is too short,
 * not a client that went away.
 *
 * What it takes: TLS 1.3, and a client that closes before it has read the ServerHello.
 *
 * Control: TLS 1.2, where both sides encrypt later.
 *
 * Judged by a count of alerts that it tried to decrypt.
 *
 * Without its precondition
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: negotiated protocol TLSv1.2
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/PlaintextAlertTakenForEncrypted.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/PlaintextAlertTakenForEncrypted.java
 *     java -cp classes PlaintextAlertTakenForEncrypted [CASE]
 * where CASE is one of tls12 and subject (the default).
 *
 * On an affected build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     alerts_decrypted = 1 alerts (bound 1)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       server_threw: javax.net.ssl.SSLHandshakeException: Insufficient buffer remaining for AEAD
 *           cipher fragment (2). Needs to be more than tag size (16)
 *       because: javax.crypto.BadPaddingException: Insufficient buffer remaining for AEAD cipher
 *           fragment (2). Needs to be more than tag size (16)
 *     reproduced: The server tried to decrypt the alert of a client that had no keys yet
 *         (alerts_decrypted 1, bound 1).
 * On a fixed build:
 *     # java: 25.0.2+10-LTS, Eclipse Adoptium
 *     alerts_decrypted = 0 alerts (bound 1)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       server_threw: javax.net.ssl.SSLProtocolException: Unexpected exception
 *       because: java.security.GeneralSecurityException: Unexpected plaintext alert received:
 *           Level: warning; Alert: user_canceled
 *     not-reproduced: The server took the alert of a client that had no keys yet as it came
 *         (alerts_decrypted 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has what the server threw.
 */

/*
 * @test
 * @bug 8331682
 * @summary A server must read the alert of a client that gave up before the ServerHello came
 * @key waits
 * @library /lib
 * @run main/othervm PlaintextAlertTakenForEncrypted tls12
 * @run main/othervm PlaintextAlertTakenForEncrypted subject
 */

import javax.crypto.BadPaddingException;
import javax.net.ssl.SSLException;

public class PlaintextAlertTakenForEncrypted {
    public static void main(String[] args) throws Exception {
        Reproducer.run("PlaintextAlertTakenForEncrypted", "JDK-8331682", args,
            PlaintextAlertTakenForEncrypted::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        EnginePair pair = new EnginePair(
            which.clientContext(), Identity.serverContext(), "peer.example", 443).hellos();
        findings.require(pair.server.getHandshakeSession() != null,
            "The server is not shaking hands: " + pair.server.getHandshakeStatus());
        which.checkProtocol(pair.server.getHandshakeSession(), findings);
        pair.client.closeOutbound();
        SSLException thrown = thrownByServer(pair);
        Throwable root = root(thrown);
        findings.fact("server_threw", String.valueOf(thrown));
        findings.fact("because", root == null ? "" : root.toString());
        findings.require(thrown != null || pair.server.isInboundDone(),
            "The server has not read the client's alert.");
        findings.judgeCount("alerts_decrypted", root instanceof BadPaddingException ? 1 : 0, 1,
            "alerts", "The server tried to decrypt the alert of a client that had no keys yet",
            "The server took the alert of a client that had no keys yet as it came");
    }

    /** Sends what the client has to say as it gives up, in the clear, as it has no keys. */
    private static SSLException thrownByServer(EnginePair pair) {
        try {
            pair.flushClient();
            return null;
        } catch (SSLException e) {
            return e;
        }
    }

    private static Throwable root(Throwable thrown) {
        Throwable root = thrown;
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
