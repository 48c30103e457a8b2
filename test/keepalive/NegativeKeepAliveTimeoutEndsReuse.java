// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8291637: HttpClient default keep alive timeout not followed if server sends invalid value
 *
 * What goes wrong: a server sends "Keep-Alive: timeout=-20". The value is invalid, and the
 * connection should be kept as if there were no such header. Instead each request opens a new
 * connection, which over TLS costs a handshake.
 *
 * What it takes: the header beside "Connection: keep-alive", with a value well below 0 (-1 does no
 * harm on any build).
 *
 * Control: the server sends "timeout=20".
 *
 * Judged by a count of connections not used again.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: had Keep-Alive: null
 *     -Dhttp.keepAlive=false: inconclusive: Without the header 0 of 4
 *     control -Dhttp.keepAlive=false: reproduced: Connections were not reused
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/keepalive/NegativeKeepAliveTimeoutEndsReuse.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib keepalive/NegativeKeepAliveTimeoutEndsReuse.java
 *     java -cp classes NegativeKeepAliveTimeoutEndsReuse [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.7+7, Eclipse Adoptium
 *     connections_not_reused = 3 connections (bound 1)
 *       keep_alive: timeout=-20
 *       reused_without_header: 3
 *       connections: 4
 *     reproduced: Connections were not reused after an invalid idle life (connections_not_reused 3,
 *         bound 1).
 * On a fixed build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     connections_not_reused = 0 connections (bound 1)
 *       keep_alive: timeout=-20
 *       reused_without_header: 3
 *       connections: 1
 *     not-reproduced: The connection was reused (connections_not_reused 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the number of connections that the requests
 * took.
 */

/*
 * @test
 * @bug 8291637
 * @summary An invalid Keep-Alive timeout must not end the reuse of connections
 * @key waits
 * @library /lib
 * @run main/othervm NegativeKeepAliveTimeoutEndsReuse control
 * @run main/othervm NegativeKeepAliveTimeoutEndsReuse subject
 */

import java.util.List;
import java.util.concurrent.TimeUnit;

public class NegativeKeepAliveTimeoutEndsReuse {
    private static final int REQUESTS = 4;

    // A build that ignores the value keeps connections for 5 s.
    private static final int DEFAULT_LIFE_MS = 4_700;

    public static void main(String[] args) throws Exception {
        Reproducer.run("NegativeKeepAliveTimeoutEndsReuse", "JDK-8291637", args,
            NegativeKeepAliveTimeoutEndsReuse::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        String life = "timeout=" + (which == Case.SUBJECT ? -20 : 20);
        try (ScriptedPeer peer = new ScriptedPeer("peer",
                exchange -> exchange.reply("Connection: keep-alive", "Keep-Alive: " + life));
                ScriptedPeer silent = new ScriptedPeer("silent", exchange -> exchange.reply())) {
            int reusedByDefault = Reply.reused(PlainClient.getEach(silent.url("/"), REQUESTS));
            long begin = System.nanoTime();
            List<Reply> replies = PlainClient.getEach(peer.url("/"), REQUESTS);
            long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            int reused = Reply.reused(replies);
            findings.fact("keep_alive", replies.get(0).keepAlive);
            findings.fact("reused_without_header", reusedByDefault);
            findings.fact("connections", peer.connections());
            // A cache that never reuses a connection is a fault too; the control shows that.
            findings.require(which == Case.CONTROL || reusedByDefault == REQUESTS - 1,
                "Without the header " + reusedByDefault + " of " + REQUESTS
                + " requests reused a connection (bound " + (REQUESTS - 1) + ").");
            findings.require(life.equals(replies.get(0).keepAlive), "The reply had Keep-Alive: "
                + replies.get(0).keepAlive + " (bound " + life + ").");
            findings.require(tookMs < DEFAULT_LIFE_MS, "A connection may have been idle for "
                + tookMs + " ms (bound " + DEFAULT_LIFE_MS + ").");
            findings.judgeCount("connections_not_reused", REQUESTS - 1 - reused, 1, "connections",
                "Connections were not reused after an invalid idle life",
                "The connection was reused");
        }
    }
}
