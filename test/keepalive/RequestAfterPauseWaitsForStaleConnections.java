// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8293562: KeepAliveCache blocks threads while closing connections
 *
 * What goes wrong: after a pause the cache holds connections past their idle life. The first
 * request that asks it for one closes each stale connection it meets, in its own thread and holding
 * the cache's lock, before it opens a new one. It is delayed by the sum of the closes, and so is
 * every other request of the JVM meanwhile.
 *
 * What it takes: TLS 1.3, where a close waits for the peer's answer (in TLS 1.2 it does not); any
 * read timeout, because without one a close does not wait; a peer whose FIN comes late (here a
 * relay holds it), because a peer on loopback answers at once; and eviction, here by age: an idle
 * life of 1 s, and a request before the cache's timer looks, at 5 s.
 *
 * Judged by: the request's thread, seen in SSLSocketImpl.close called by KeepAliveCache while the
 * relay holds the FIN, until the request has its reply.
 *
 * Judged by a sign: its thread is in SSLSocketImpl.close under KeepAliveCache; watched until it has
 * its reply.
 *
 * Without its precondition
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: negotiated protocol TLSv1.2
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/keepalive/RequestAfterPauseWaitsForStaleConnections.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib keepalive/RequestAfterPauseWaitsForStaleConnections.java
 *     java -cp classes RequestAfterPauseWaitsForStaleConnections [CASE]
 * where CASE is one of tls12, no-read-timeout and subject (the default).
 *
 * On an affected build (some facts left out):
 *     # java: 17.0.3+7, Eclipse Adoptium
 *     seen_closing_ms = 1525 ms (bound 1500)
 *       witness_close_ms: 322
 *       reused_connections: 5
 *       ms_since_timer_start: 2762
 *       client_fins: 5
 *       first_request_ms: 3329
 *       worst_neighbour_ms: 2331
 *       looks: 49
 *       holder: first-request
 *       withheld_ms: 10552
 *     reproduced: The first request after a pause waited until the stale connections were closed
 *         (seen_closing_ms 1525, bound 1500).
 * On a fixed build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     seen_closing_ms = 0 ms (bound 1500)
 *       witness_close_ms: 313
 *       reused_connections: 5
 *       ms_since_timer_start: 1501
 *       client_fins: 1
 *       first_request_ms: 1351
 *       worst_neighbour_ms: 379
 *       looks: 9
 *       holder: first-request
 *       withheld_ms: 9078
 *     not-reproduced: The first request after a pause did not wait for the stale connections
 *         (seen_closing_ms 0, bound 1500).
 *
 * Evidence: outcome.json beside the scratch files names the waiting threads and the closing one. In
 * a recording: jdk.SocketRead of the thread first-request, with SSLSocketImpl.close and
 * KeepAliveCache.get on its stack, and jdk.JavaMonitorEnter (8, 11) or jdk.ThreadPark (17) of the
 * neighbour-N threads in KeepAliveCache.get and .put.
 */

/*
 * @test
 * @bug 8293562
 * @summary The first request after a pause must not wait until stale connections are closed
 * @key waits
 * @library /lib
 * @run main/othervm RequestAfterPauseWaitsForStaleConnections tls12
 * @run main/othervm RequestAfterPauseWaitsForStaleConnections no-read-timeout
 * @run main/othervm RequestAfterPauseWaitsForStaleConnections subject
 */

import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;

public class RequestAfterPauseWaitsForStaleConnections {
    private static final int NEIGHBOURS = 4;
    private static final int STALE_CONNECTIONS = 5;
    private static final int IDLE_LIFE_S = 1;
    private static final int PAUSE_MS = 1_300;

    // The cache's timer looks 5 s after the first connection came in and would close them first.
    private static final long TIMER_MS = 4_700;

    // The relay holds the peer's FIN until the request has its reply, or was seen closing for long
    // enough.
    private static final Sign CLOSES_FIRST = Sign.at(Sign.Place.thread("first-request")
        .and(Stacks.CACHE).and(Stacks.TLS_CLOSE));

    public static void main(String[] args) throws Exception {
        System.setProperty("http.maxConnections", Integer.toString(STALE_CONNECTIONS));
        Reproducer.run("RequestAfterPauseWaitsForStaleConnections", "JDK-8293562", args,
            RequestAfterPauseWaitsForStaleConnections::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Client client = which.client();
        try (TlsPeer late = new TlsPeer("late", IDLE_LIFE_S);
                TlsPeer fast = new TlsPeer("fast", 60);
                Relay relay = new Relay(late.address())) {
            which.checkProtocol(client.get(fast.url("/close"), Client.PATIENCE_MS), findings);
            if (which == Case.SUBJECT) {
                CloseWitness.check(late, client.factory(), findings);
            }
            Neighbours neighbours = new Neighbours(client, fast.url("/"), NEIGHBOURS);
            letConnectionsGoStale(which, client, relay, neighbours, findings);
            neighbours.restart();
            Watch watch = new Watch(CLOSES_FIRST);
            long requestMs = firstRequest(client, relay, watch, findings);
            neighbours.stop();
            findings.fact("client_fins", relay.clientFins());
            findings.fact("first_request_ms", requestMs);
            findings.fact("worst_neighbour_ms", neighbours.worstMs());
            findings.judge("seen_closing_ms", watch, Watch.BOUND_MS,
                "The first request after a pause waited until the stale connections were closed",
                "The first request after a pause did not wait for the stale connections");
        }
    }

    private static void letConnectionsGoStale(Case which, Client client, Relay relay,
            Neighbours neighbours, Findings findings) throws Exception {
        int readTimeoutMs = which.readTimeoutMs(Client.PATIENCE_MS);
        List<HttpsURLConnection> begun =
            client.openAll(relay.url("/"), STALE_CONNECTIONS, readTimeoutMs);
        long timerStartNanos = System.nanoTime();
        client.finishAll(begun);
        int reused = Reply.reused(
            client.fillCache(relay.url("/"), STALE_CONNECTIONS, readTimeoutMs));
        long idleSinceNanos = System.nanoTime();
        relay.hold();
        findings.fact("reused_connections", reused);
        findings.require(reused == STALE_CONNECTIONS, "Of " + STALE_CONNECTIONS + " connections "
            + reused + " were reused (bound " + STALE_CONNECTIONS + ").");
        neighbours.start();
        neighbours.awaitEach(1, Client.PATIENCE_MS);
        // The rest of the idle life has to pass, so this sleep cannot be avoided.
        TimeUnit.NANOSECONDS.sleep(idleSinceNanos + TimeUnit.MILLISECONDS.toNanos(PAUSE_MS)
            - System.nanoTime());
        checkTimer(timerStartNanos, relay, findings);
    }

    private static void checkTimer(long timerStartNanos, Relay relay, Findings findings) {
        long sinceMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - timerStartNanos);
        findings.fact("ms_since_timer_start", sinceMs);
        findings.require(sinceMs < TIMER_MS && relay.clientFins() == 0,
            "The request came " + sinceMs + " ms after the cache's timer started, with "
            + relay.clientFins() + " connections closed (bounds " + TIMER_MS + " and 0).");
    }

    private static long firstRequest(Client client, Relay relay, Watch watch, Findings findings)
            throws Exception {
        FutureTask<Reply> request =
            new FutureTask<>(() -> client.get(relay.url("/"), Client.PATIENCE_MS));
        long begin = System.nanoTime();
        TlsPeer.daemon("first-request", request).start();
        watch.until(request::isDone, Watch.BOUND_MS);
        relay.release();
        Reply reply = request.get();
        long requestMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        findings.require(!reply.reused(), "The request went over connection " + reply.connection
            + " as its request " + reply.ordinal + " (bound 1), so none was stale.");
        return requestMs;
    }
}
