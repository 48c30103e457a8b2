// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8212885: TLS 1.3 resumed session does not retain peer certificate chain
 *
 * What goes wrong: a client resumes a TLS 1.3 session, and asks who its peer is. The session has no
 * certificates any more: getPeerCertificates() throws SSLPeerUnverifiedException. A client that
 * checks the host name itself, or pins a certificate, refuses its own server.
 *
 * What it takes: TLS 1.3, and a session that is resumed.
 *
 * Control: TLS 1.2, where a resumed session has the chain of the first.
 *
 * Without a session to resume (-Dsessions.kept=off) the test is inconclusive.
 *
 * Judged by a count of resumed sessions without their peer's certificates.
 *
 * Without its precondition
 *     -Dsessions.kept=off: inconclusive: was not resumed
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/ResumedSessionLosesPeerChain.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/ResumedSessionLosesPeerChain.java
 *     java -cp classes ResumedSessionLosesPeerChain [CASE]
 * where CASE is one of tls12 and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.2+7-LTS, Azul Systems, Inc.
 *     chains_lost = 3 sessions (bound 1)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_128_GCM_SHA256
 *       first_chain: 1
 *       resumed: 3
 *       thrown: javax.net.ssl.SSLPeerUnverifiedException: peer not authenticated
 *     reproduced: Resumed sessions did not know the certificates of their peer
 *         (chains_lost 3, bound 1).
 * On a fixed build:
 *     # java: 11.0.5+10-LTS, Azul Systems, Inc.
 *     chains_lost = 0 sessions (bound 1)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       first_chain: 1
 *       resumed_chain: 1
 *       resumed: 3
 *       thrown:
 *     not-reproduced: Resumed sessions knew the certificates of their peer
 *         (chains_lost 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has what was thrown.
 */

/*
 * @test
 * @bug 8212885
 * @summary A resumed session must have the certificates of its peer
 * @key waits
 * @library /lib
 * @run main/othervm ResumedSessionLosesPeerChain tls12
 * @run main/othervm ResumedSessionLosesPeerChain subject
 */

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

public class ResumedSessionLosesPeerChain {
    private static final String HOST = "peer.example";
    private static final int PORT = 443;
    private static final int RESUMPTIONS = 3;

    public static void main(String[] args) throws Exception {
        Reproducer.run("ResumedSessionLosesPeerChain", "JDK-8212885", args,
            ResumedSessionLosesPeerChain::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SSLContext server = RsaIdentity.serverContext();
        SSLContext client = RsaIdentity.clientContext(which == Case.TLS12 ? "TLSv1.2" : "TLS");
        SSLSession first = session(client, server);
        which.checkProtocol(first, findings);
        findings.fact("first_chain", first.getPeerCertificates().length);
        Resumption round = Resumption.fromNow();
        int lost = 0;
        String thrown = "";
        for (int i = 0; i < RESUMPTIONS; i++) {
            SSLSession next = session(client, server);
            findings.require(round.resumed(next), "Session " + (i + 2) + " was not resumed.");
            try {
                findings.fact("resumed_chain", next.getPeerCertificates().length);
            } catch (SSLPeerUnverifiedException e) {
                lost++;
                thrown = e.toString();
            }
        }
        findings.fact("resumed", RESUMPTIONS);
        findings.fact("thrown", thrown);
        findings.judgeCount("chains_lost", lost, 1, "sessions",
            "Resumed sessions did not know the certificates of their peer",
            "Resumed sessions knew the certificates of their peer");
    }

    private static SSLSession session(SSLContext client, SSLContext server) throws Exception {
        EnginePair pair = new EnginePair(client, server, HOST, PORT).handshake().exchange();
        return pair.client.getSession();
    }
}
