// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8291638: Keep-Alive timeout of 0 should close connection immediately
 *
 * What goes wrong: a server sends "Keep-Alive: timeout=0": it is about to close the connection. The
 * client keeps it for 5 s all the same, and the next request may run into the close.
 *
 * What it takes: the header beside "Connection: keep-alive".
 *
 * Control: the server sends "Connection: close", which any build obeys.
 *
 * Judged by a count of connections used again.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: had Keep-Alive: null
 *     -Dhttp.keepAlive=false: inconclusive: Without the header 0 of 4
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/keepalive/ZeroKeepAliveTimeoutIgnored.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib keepalive/ZeroKeepAliveTimeoutIgnored.java
 *     java -cp classes ZeroKeepAliveTimeoutIgnored [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.7+7, Eclipse Adoptium
 *     connections_reused = 3 connections (bound 1)
 *       keep_alive: timeout=0
 *       reused_without_header: 3
 *       connections: 1
 *     reproduced: Connections that the server had told to close were used again (connections_reused
 *         3, bound 1).
 * On a fixed build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     connections_reused = 0 connections (bound 1)
 *       keep_alive: timeout=0
 *       reused_without_header: 3
 *       connections: 4
 *     not-reproduced: No connection was used again (connections_reused 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the number of connections and of requests
 * that reused one.
 */

/*
 * @test
 * @bug 8291638
 * @summary A connection with an idle life of 0 must be closed, not used again
 * @key waits
 * @library /lib
 * @run main/othervm ZeroKeepAliveTimeoutIgnored control
 * @run main/othervm ZeroKeepAliveTimeoutIgnored subject
 */


import java.util.List;

public class ZeroKeepAliveTimeoutIgnored {
    private static final int REQUESTS = 4;

    public static void main(String[] args) throws Exception {
        Reproducer.run("ZeroKeepAliveTimeoutIgnored", "JDK-8291638", args,
            ZeroKeepAliveTimeoutIgnored::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        String[] headers = which == Case.SUBJECT
            ? new String[] {"Connection: keep-alive", "Keep-Alive: timeout=0"}
            : new String[] {"Connection: close"};
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> exchange.reply(headers));
                ScriptedPeer silent = new ScriptedPeer("silent", exchange -> exchange.reply())) {
            int reusedByDefault = Reply.reused(PlainClient.getEach(silent.url("/"), REQUESTS));
            List<Reply> replies = PlainClient.getEach(peer.url("/"), REQUESTS);
            int reused = Reply.reused(replies);
            findings.fact("keep_alive", replies.get(0).keepAlive);
            findings.fact("reused_without_header", reusedByDefault);
            findings.fact("connections", peer.connections());
            findings.require(reusedByDefault == REQUESTS - 1, "Without the header "
                + reusedByDefault + " of " + REQUESTS + " requests reused a connection (bound "
                + (REQUESTS - 1) + ").");
            findings.require(which == Case.CONTROL || "timeout=0".equals(replies.get(0).keepAlive),
                "The reply had Keep-Alive: " + replies.get(0).keepAlive + " (bound timeout=0).");
            if (reused == 0) {
                findings.require(peer.awaitEndedByClient(REQUESTS, Client.PATIENCE_MS),
                    "The client ended " + peer.endedByClient().size() + " of " + REQUESTS
                    + " connections (bound " + REQUESTS + ").");
            }
            findings.judgeCount("connections_reused", reused, 1, "connections",
                "Connections that the server had told to close were used again",
                "No connection was used again");
        }
    }
}
