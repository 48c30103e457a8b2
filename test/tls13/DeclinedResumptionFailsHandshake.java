// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8301686: TLS 1.3 handshake fails if server_name doesn't match resuming session
 *
 * What goes wrong: a server declines to resume a session, because the server name that it accepts
 * now is not the one that it accepted when the session was made. Yet it answers as if it resumed.
 * The two sides then have different keys, and the handshake fails where it should have been a full
 * one.
 *
 * What it takes: TLS 1.3, the build under test as the server, and a name that the server accepts on
 * one connection and not on another of the same context. Here an SNIMatcher is set on the last
 * connection only; a JSSE client that resumes always sends the name of its session. In the control
 * there is no matcher. No network.
 *
 * Judged by a count of failed handshakes.
 *
 * Without its precondition
 *     -Dsessions.kept=off: inconclusive: was not resumed
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: negotiated protocol TLSv1.2
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/DeclinedResumptionFailsHandshake.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/DeclinedResumptionFailsHandshake.java
 *     java -cp classes DeclinedResumptionFailsHandshake [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.12+7-Debian-2deb11u1, Debian
 *     handshakes_failed = 1 handshakes (bound 1)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       third_failed_with: javax.net.ssl.SSLException: Tag mismatch!
 *     reproduced: The handshake whose resumption was declined failed (handshakes_failed 1, bound
 *           1).
 * On a fixed build:
 *     # java: 17.0.19+10-1-deb12u2-Debian, Debian
 *     handshakes_failed = 0 handshakes (bound 1)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       third_resumed: false
 *     not-reproduced: The handshake did not fail (handshakes_failed 0, bound 1).
 */

/*
 * @test
 * @bug 8301686
 * @summary Declined resumption must lead to a full handshake, not to a failed one
 * @library /lib
 * @run main/othervm DeclinedResumptionFailsHandshake control
 * @run main/othervm DeclinedResumptionFailsHandshake subject
 */

import java.util.Collections;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

public class DeclinedResumptionFailsHandshake {
    private static final String NAME = "peer.example";

    public static void main(String[] args) throws Exception {
        Reproducer.run("DeclinedResumptionFailsHandshake", "JDK-8301686", args,
            DeclinedResumptionFailsHandshake::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SSLContext client = which.clientContext();
        SSLContext server = Identity.serverContext();
        connect(client, server, false).close();
        Resumption second = Resumption.fromNow();
        EnginePair pair = connect(client, server, false);
        which.checkProtocol(pair.client.getSession(), findings);
        findings.require(second.resumed(pair.client.getSession()),
            "The second of 2 connections was not resumed, before any was declined.");
        pair.close();
        Resumption third = Resumption.fromNow();
        int failed = 0;
        try {
            EnginePair last = connect(client, server, which == Case.SUBJECT);
            boolean resumed = third.resumed(last.client.getSession());
            findings.fact("third_resumed", resumed);
            findings.require(resumed == (which == Case.CONTROL), "The third connection was "
                + (resumed ? "" : "not ") + "resumed, which is not how this case is meant.");
        } catch (SSLException e) {
            findings.fact("third_failed_with", e.toString());
            failed = 1;
        }
        findings.judgeCount("handshakes_failed", failed, 1, "handshakes",
            "The handshake whose resumption was declined failed",
            "The handshake did not fail");
    }

    private static EnginePair connect(SSLContext client, SSLContext server, boolean matching)
            throws SSLException {
        EnginePair pair = new EnginePair(client, server, NAME, 443);
        SSLParameters asking = pair.client.getSSLParameters();
        asking.setServerNames(Collections.singletonList(new SNIHostName(NAME)));
        pair.client.setSSLParameters(asking);
        if (matching) {
            SSLParameters accepting = pair.server.getSSLParameters();
            accepting.setSNIMatchers(
                Collections.singletonList(SNIHostName.createSNIMatcher("peer\\.example")));
            pair.server.setSSLParameters(accepting);
        }
        return pair.handshake().exchange();
    }
}
