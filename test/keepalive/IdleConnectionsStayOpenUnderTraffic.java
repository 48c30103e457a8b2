// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8155590: Dubious collection management in sun.net.www.http.KeepAliveCache
 *
 * What goes wrong: a burst leaves several idle connections to a host, and later traffic needs one
 * of them. The cache's timer is to close the others at the end of their idle life. It looks at the
 * newest first and stops if that one is fresh, so the others stay open as long as there is traffic.
 * They waste sockets on both sides, and sit in CLOSE_WAIT once the server closes them.
 *
 * What it takes: several connections to one host at once, then one request at a time, at intervals
 * shorter than the idle life. Plain HTTP is enough.
 *
 * Control: no traffic after the burst; the timer then closes all connections, on any build.
 *
 * Judged by: the stale connections that are still open after the timer has looked at them with a
 * fresh one beside them, between two requests.
 *
 * Judged by a count of connections open after the cache's timer has looked.
 *
 * Without its precondition
 *     -Dhttp.keepAlive=false: inconclusive: There were 0 threads named Keep-Alive-Timer
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/keepalive/IdleConnectionsStayOpenUnderTraffic.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib keepalive/IdleConnectionsStayOpenUnderTraffic.java
 *     java -cp classes IdleConnectionsStayOpenUnderTraffic [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.3+7, Eclipse Adoptium
 *     stale_connections_open = 4 connections (bound 2)
 *       used_connections: [5, 5, 5, 5]
 *       looked_at_ms: 5019
 *       ended_connections: []
 *     reproduced: Stale connections stayed open beside a fresh one (stale_connections_open 4, bound
 *         2).
 * On a fixed build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     stale_connections_open = 0 connections (bound 2)
 *       used_connections: [5, 5, 5, 5]
 *       looked_at_ms: 5004
 *       ended_connections: [1, 2, 3, 4]
 *     not-reproduced: Stale connections were closed (stale_connections_open 0, bound 2).
 *
 * Evidence: outcome.json beside the scratch files has the connections that the client ended, and
 * when the timer looked.
 */

/*
 * @test
 * @bug 8155590
 * @summary Stale connections must be closed although a fresh one is beside them
 * @key waits
 * @library /lib
 * @run main/othervm IdleConnectionsStayOpenUnderTraffic control
 * @run main/othervm IdleConnectionsStayOpenUnderTraffic subject
 */

import java.net.HttpURLConnection;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

public class IdleConnectionsStayOpenUnderTraffic {
    private static final int CONNECTIONS = 5;
    private static final int IDLE_LIFE_S = 4;

    // A build closes either all of the others at once, or none.
    private static final int BOUND = (CONNECTIONS - 1) / 2;

    // The timer looks every 5 s. It must find the used connection back in the cache and fresh, the
    // others stale. So each request is followed by a pause shorter than the idle life.
    private static final int BETWEEN_MS = 1_500;
    private static final int LIFE_MS = IDLE_LIFE_S * 1_000;

    // Once the timer sleeps again, the client has closed what it will; the peer sees that soon.
    private static final int SEEN_WITHIN_MS = 3_000;
    private static final long POLL_MS = 20;

    public static void main(String[] args) throws Exception {
        Reproducer.run("IdleConnectionsStayOpenUnderTraffic", "JDK-8155590", args,
            IdleConnectionsStayOpenUnderTraffic::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> exchange.reply(
                "Connection: keep-alive", "Keep-Alive: timeout=" + IDLE_LIFE_S))) {
            URL url = peer.url("/");
            List<HttpURLConnection> burst = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                burst.add(PlainClient.open(url));
            }
            for (HttpURLConnection connection : burst) {
                PlainClient.finish(connection);
            }
            long burstEnd = System.nanoTime();
            findings.require(peer.connections() == CONNECTIONS, "The burst took "
                + peer.connections() + " connections (bound " + CONNECTIONS + ").");
            int wanted = which == Case.SUBJECT ? CONNECTIONS - 1 : CONNECTIONS;
            TreeSet<Integer> ended;
            if (which == Case.SUBJECT) {
                ended = endedBesideTraffic(url, burstEnd, peer, findings);
            } else {
                peer.awaitEndedByClient(wanted, Client.PATIENCE_MS);
                ended = peer.endedByClient();
            }
            findings.fact("ended_connections", ended);
            findings.judgeCount("stale_connections_open", wanted - ended.size(),
                BOUND, "connections", "Stale connections stayed open beside a fresh one",
                "Stale connections were closed");
        }
    }

    /**
     * Keeps one connection fresh until the timer has looked at it and at the stale ones beside it.
     *
     * @return the connections that the client ended at that look, not at a later one
     */
    private static TreeSet<Integer> endedBesideTraffic(URL url, long burstEnd, ScriptedPeer peer,
            Findings findings) throws Exception {
        CacheTimer timer = CacheTimer.await();
        List<Integer> used = new ArrayList<>();
        Patience patience = new Patience(Client.PATIENCE_MS);
        boolean looked = false;
        while (!looked && patience.left()) {
            long begin = System.nanoTime();
            used.add(PlainClient.get(url).connection);
            long sleeps = timer.sleeps();
            long othersIdleMs = sinceMs(burstEnd);
            looked = timer.looked(sleeps, BETWEEN_MS) && othersIdleMs > LIFE_MS
                && sinceMs(begin) < LIFE_MS;
        }
        TreeSet<Integer> ended = endedUntilNextLook(timer, peer);
        findings.fact("used_connections", used);
        findings.fact("looked_at_ms", sinceMs(burstEnd));
        findings.require(looked, "The cache's timer did not look at a fresh connection beside stale"
            + " ones in " + patience.elapsedMs() + " ms.");
        findings.require(new TreeSet<>(used).size() == 1 && !ended.contains(used.get(0)),
            "The traffic went over connections " + used + ", and " + ended
            + " were closed (bound: one, left open).");
        return ended;
    }

    /** Stops at the next look, which finds all of them stale: any build closes them then. */
    private static TreeSet<Integer> endedUntilNextLook(CacheTimer timer, ScriptedPeer peer)
            throws Exception {
        long sleeps = timer.sleeps();
        Patience patience = new Patience(SEEN_WITHIN_MS);
        TreeSet<Integer> ended = peer.endedByClient();
        while (ended.size() < CONNECTIONS - 1 && patience.left()) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            TreeSet<Integer> now = peer.endedByClient();
            if (timer.sleeps() != sleeps) {
                break;
            }
            ended = now;
        }
        return ended;
    }

    private static long sinceMs(long beginNanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
    }
}
