// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8273553: sun.security.ssl.SSLEngineImpl.closeInbound also has similar error of JDK-8253368
 *
 * What goes wrong: SSLEngine.closeInbound() before the peer's close_notify throws an SSLException,
 * as it must, but also sends a fatal alert and drops the session. So the next connection to that
 * peer is a full handshake. NIO servers and clients call it whenever a peer just goes away.
 *
 * What it takes: two SSLEngines, and no close_notify. The control first closes in good order.
 *
 * Judged by a count of sessions lost.
 *
 * Without its precondition
 *     -Dsessions.kept=off: inconclusive: was not resumed
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/CloseInboundLosesSession.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/CloseInboundLosesSession.java
 *     java -cp classes CloseInboundLosesSession [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.3+7, Eclipse Adoptium
 *     sessions_lost = 1 sessions (bound 1)
 *       protocol: TLSv1.3
 *       close_inbound: threw closing inbound before receiving peer's close_notify; the server
 *           got Received fatal alert: internal_error
 *       session_valid: false
 *     reproduced: After closeInbound() without close_notify the next connection was not resumed
 *           (sessions_lost 1, bound 1).
 * On a fixed build:
 *     # java: 17.0.7+7, Eclipse Adoptium
 *     sessions_lost = 0 sessions (bound 1)
 *       protocol: TLSv1.3
 *       close_inbound: threw closing inbound before receiving peer's close_notify; the server
 *           got no fatal alert
 *       session_valid: true
 *     not-reproduced: After closeInbound() the next connection was resumed (sessions_lost 0,
 *           bound 1).
 */

/*
 * @test
 * @bug 8273553
 * @summary closeInbound() without close_notify must not cost the session
 * @key waits
 * @library /lib
 * @run main/othervm CloseInboundLosesSession control
 * @run main/othervm CloseInboundLosesSession subject
 */

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

public class CloseInboundLosesSession {
    private static final String HOST = "peer.example";
    private static final int PORT = 443;

    public static void main(String[] args) throws Exception {
        Reproducer.run("CloseInboundLosesSession", "JDK-8273553", args,
            CloseInboundLosesSession::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SSLContext client = which.clientContext();
        SSLContext server = Identity.serverContext();
        connect(client, server).close();
        Resumption second = Resumption.fromNow();
        EnginePair pair = connect(client, server);
        findings.fact("protocol", pair.client.getSession().getProtocol());
        findings.require(second.resumed(pair.client.getSession()),
            "The second of 2 connections was not resumed, before closeInbound() was called.");
        if (which == Case.CONTROL) {
            pair.close();
        }
        String thrown = closeInbound(pair);
        findings.fact("close_inbound", thrown);
        findings.require(thrown.equals("returned") == (which == Case.CONTROL),
            "closeInbound() " + thrown + (which == Case.CONTROL ? "" : ", not threw") + ".");
        findings.fact("session_valid", pair.client.getSession().isValid());
        Resumption third = Resumption.fromNow();
        boolean resumed = third.resumed(connect(client, server).client.getSession());
        findings.judgeCount("sessions_lost", resumed ? 0 : 1, 1, "sessions",
            "After closeInbound() without close_notify the next connection was not resumed",
            "After closeInbound() the next connection was resumed");
    }

    private static EnginePair connect(SSLContext client, SSLContext server) throws SSLException {
        return new EnginePair(client, server, HOST, PORT).handshake().exchange();
    }

    /** @return {@code returned}, or {@code threw}, the message, and what the server got */
    private static String closeInbound(EnginePair pair) {
        try {
            pair.client.closeInbound();
            return "returned";
        } catch (SSLException e) {
            return "threw " + e.getMessage() + "; the server got " + alert(pair);
        }
    }

    private static String alert(EnginePair pair) {
        try {
            pair.client.closeOutbound();
            pair.flushClient();
            return "no fatal alert";
        } catch (SSLException e) {
            return e.getMessage();
        }
    }
}
