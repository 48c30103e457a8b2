// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8293562: KeepAliveCache blocks threads while closing connections
 *
 * What goes wrong: the idle connections to a silent host reach the end of their idle life. The
 * cache's timer closes them while it holds the cache's lock, the same one for all hosts. Every
 * other request of the JVM needs that lock to begin and to end, so all requests, even to healthy
 * hosts, stand still until the closes are over: up to the read timeout for each connection.
 *
 * What it takes: TLS 1.3, where a close waits for the peer's answer (in TLS 1.2 it does not); a
 * read timeout, which is how long the close waits (without one it does not wait); a silent peer
 * (here a relay that holds its answer back), because a peer on loopback answers at once; and
 * eviction, here by age: an idle life of 1 s, which the timer notices 5 s after the cache's first
 * entry.
 *
 * Judged by a sign: a thread that waits for the cache's lock, seen together with the lock's owner
 * in SSLSocketImpl.close, until each neighbour has completed a request that began after that close.
 *
 * Without its precondition
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: negotiated protocol TLSv1.2
 *     -Drelay.hold=off: inconclusive: held 0 FINs
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/keepalive/RequestsBlockedWhileConnectionCloses.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib keepalive/RequestsBlockedWhileConnectionCloses.java
 *     java -cp classes RequestsBlockedWhileConnectionCloses [CASE]
 * where CASE is one of tls12, no-read-timeout and subject (the default).
 *
 * On an affected build (some facts left out):
 *     # java: 17.0.3+7, Eclipse Adoptium
 *     seen_locked_out_ms = 1506 ms (bound 1500)
 *       reused_connections: 2
 *       witness_close_ms: 312
 *       held_fins: 1
 *       worst_request_ms: 2660
 *       waiter: neighbour-1
 *       holder: Keep-Alive-Timer
 *       withheld_ms: 6565
 *     reproduced: Requests to a fast host waited while a connection to another host closed
 *         (seen_locked_out_ms 1506, bound 1500).
 * On a fixed build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     seen_locked_out_ms = 0 ms (bound 1500)
 *       reused_connections: 2
 *       witness_close_ms: 324
 *       held_fins: 2
 *       worst_request_ms: 36
 *       withheld_ms: 631
 *     not-reproduced: Requests to a fast host went on while connections to another host closed
 *         (seen_locked_out_ms 0, bound 1500).
 *
 * Evidence: outcome.json beside the scratch files names the waiting threads and the closing one. In
 * a recording: jdk.JavaMonitorEnter (8, 11) or jdk.ThreadPark (17) of the neighbour-N threads in
 * KeepAliveCache.get and .put, and jdk.SocketRead of Keep-Alive-Timer in SSLSocketImpl.close.
 */

/*
 * @test
 * @bug 8293562
 * @summary A request to a fast host must not wait while a connection to another host closes
 * @key waits
 * @library /lib
 * @run main/othervm RequestsBlockedWhileConnectionCloses tls12
 * @run main/othervm RequestsBlockedWhileConnectionCloses no-read-timeout
 * @run main/othervm RequestsBlockedWhileConnectionCloses subject
 */

public class RequestsBlockedWhileConnectionCloses {
    private static final int NEIGHBOURS = 12;
    private static final int IDLE_CONNECTIONS = 2;

    // The idle life is 1 s, and the timer looks every 5 s: its second look closes them.
    private static final long CLOSED_WITHIN_MS = 15_000;

    private static final Sign LOCKED_OUT = Sign.heldBy(Stacks.CACHE, Stacks.TLS_CLOSE);

    public static void main(String[] args) throws Exception {
        // More slots than neighbours: only connections to the silent host are closed.
        System.setProperty("http.maxConnections", "16");
        Reproducer.run("RequestsBlockedWhileConnectionCloses", "JDK-8293562", args,
            RequestsBlockedWhileConnectionCloses::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Client client = which.client();
        try (TlsPeer silent = new TlsPeer("silent", 1);
                TlsPeer fast = new TlsPeer("fast", 60);
                Relay relay = new Relay(silent.address())) {
            which.checkProtocol(client.get(fast.url("/close"), Client.PATIENCE_MS), findings);
            Neighbours neighbours = new Neighbours(client, fast.url("/"), NEIGHBOURS);
            neighbours.start();
            neighbours.awaitEach(2, Client.PATIENCE_MS);
            leaveIdleConnections(which, client, relay, findings);
            if (which == Case.SUBJECT) {
                CloseWitness.check(silent, client.factory(), findings);
            }
            // The relay holds the peer's FIN, so the first close lasts until the neighbours have
            // completed a request, or were seen locked out by it for long enough.
            relay.awaitClientFins(1, CLOSED_WITHIN_MS);
            neighbours.restart();
            long closing = System.nanoTime();
            Watch watch = new Watch(LOCKED_OUT);
            boolean cameThrough =
                watch.until(() -> neighbours.eachBegunAfter(closing), Watch.BOUND_MS);
            checkCloses(cameThrough ? IDLE_CONNECTIONS : 1, relay, findings);
            relay.release();
            neighbours.stop();
            findings.fact("worst_request_ms", neighbours.worstMs());
            findings.fact("neighbour_connections", fast.connections() - 1);
            findings.require(fast.connections() - 1 <= NEIGHBOURS, "The neighbours used "
                + (fast.connections() - 1) + " connections (bound " + NEIGHBOURS
                + "), so theirs were not all reused.");
            findings.judge("seen_locked_out_ms", watch, Watch.BOUND_MS,
                "Requests to a fast host waited while a connection to another host closed",
                "Requests to a fast host went on while connections to another host closed");
        }
    }

    private static void leaveIdleConnections(Case which, Client client, Relay relay,
            Findings findings) throws Exception {
        client.fillCache(relay.url("/"), IDLE_CONNECTIONS, Client.PATIENCE_MS);
        int reused = Reply.reused(client.fillCache(relay.url("/"), IDLE_CONNECTIONS,
            which.readTimeoutMs(Client.PATIENCE_MS)));
        relay.hold();
        findings.fact("reused_connections", reused);
        findings.require(reused == IDLE_CONNECTIONS && relay.clientFins() == 0,
            "Of " + IDLE_CONNECTIONS + " connections " + reused + " were reused and "
            + relay.clientFins() + " closed before the relay held (bounds "
            + IDLE_CONNECTIONS + " and 0).");
    }

    /** While one close waits for its peer under the lock, the next does not begin. */
    private static void checkCloses(int closes, Relay relay, Findings findings)
            throws Exception {
        relay.awaitClientFins(closes, Client.PATIENCE_MS);
        relay.awaitHeldFins(closes, Client.PATIENCE_MS);
        findings.fact("client_fins", relay.clientFins());
        findings.fact("held_fins", relay.heldFins());
        findings.require(relay.clientFins() >= closes && relay.heldFins() >= closes,
            "The relay saw " + relay.clientFins() + " closes and held " + relay.heldFins()
            + " FINs (bounds " + closes + " and " + closes + ").");
    }
}
