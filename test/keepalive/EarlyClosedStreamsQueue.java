// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8293562: KeepAliveCache blocks threads while closing connections
 *
 * What goes wrong: threads close the stream of a reply before its end. One cleaner thread with a
 * short queue is to read the rest in the background. When the queue is full, the connection is
 * closed instead, under the queue's lock: the threads close one after the other, each waiting for
 * its peer. Fixed builds take that lock too, but there the close waits only 1 ms.
 *
 * What it takes: TLS 1.3, where a close waits for the peer's answer; any read timeout, because
 * without one a close does not wait; a peer whose FIN comes late (here a relay holds it); bodies
 * that stall, and more of them than the cleaner takes (its queue has 1 place here, 10 by default).
 *
 * Judged by: a thread that waits for the queue's lock, seen together with the lock's owner in
 * SSLSocketImpl.close, until all threads have closed their streams.
 *
 * Judged by a sign: a thread waits for the queue's lock, whose owner is in SSLSocketImpl.close;
 * watched until all streams are closed.
 *
 * Without its precondition
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: negotiated protocol TLSv1.2
 *     -Drelay.hold=off: inconclusive: held 0 FINs
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/keepalive/EarlyClosedStreamsQueue.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib keepalive/EarlyClosedStreamsQueue.java
 *     java -cp classes EarlyClosedStreamsQueue [CASE]
 * where CASE is one of tls12, no-read-timeout and subject (the default).
 *
 * On an affected build (some facts left out):
 *     # java: 17.0.3+7, Eclipse Adoptium
 *     seen_queueing_ms = 1521 ms (bound 1500)
 *       witness_close_ms: 307
 *       closes_before_release: 1
 *       held_fins: 1
 *       last_close_ms: 1755
 *       looks: 58
 *       waiter: closer-2
 *       holder: closer-1
 *       withheld_ms: 819
 *     reproduced: Threads that closed a stream early queued for one another's closes
 *         (seen_queueing_ms 1521, bound 1500).
 * On a fixed build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     seen_queueing_ms = 0 ms (bound 1500)
 *       witness_close_ms: 322
 *       closes_before_release: 6
 *       held_fins: 6
 *       last_close_ms: 46
 *       looks: 1
 *       waiter: closer-1
 *       holder: closer-6
 *       withheld_ms: 322
 *     not-reproduced: Threads that closed a stream early did not wait for each other
 *         (seen_queueing_ms 0, bound 1500).
 *
 * Evidence: outcome.json beside the scratch files; closes_before_release counts the client's FINs
 * that came while the relay held all of the peer's. In a recording: jdk.JavaMonitorEnter on
 * KeepAliveStreamCleaner (8, 11) or jdk.ThreadPark (17) of the closer-N threads in
 * KeepAliveStream.queueForCleanup.
 */

/*
 * @test
 * @bug 8293562
 * @summary Threads that close a stream early must not wait for one another's closes
 * @key waits
 * @library /lib
 * @run main/othervm EarlyClosedStreamsQueue tls12
 * @run main/othervm EarlyClosedStreamsQueue no-read-timeout
 * @run main/othervm EarlyClosedStreamsQueue subject
 */

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;

public class EarlyClosedStreamsQueue {
    // One body that the cleaner reads, and one in its queue.
    private static final int CLEANER_TAKES = 2;
    private static final int CLOSES = 6;

    private static final Sign QUEUE = Sign.heldBy(Stacks.CACHE, Stacks.TLS_CLOSE);

    public static void main(String[] args) throws Exception {
        System.setProperty("http.KeepAlive.queuedConnections", "1");
        Reproducer.run("EarlyClosedStreamsQueue", "JDK-8293562", args,
            EarlyClosedStreamsQueue::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Client client = which.client();
        int readTimeoutMs = which.readTimeoutMs(Client.PATIENCE_MS);
        try (TlsPeer late = new TlsPeer("late", 60); Relay relay = new Relay(late.address())) {
            which.checkProtocol(client.get(late.url("/close"), Client.PATIENCE_MS), findings);
            if (which == Case.SUBJECT) {
                CloseWitness.check(late, client.factory(), findings);
            }
            List<InputStream> streams = new ArrayList<>();
            for (HttpsURLConnection connection : client.openAll(
                    relay.url("/stalled"), CLEANER_TAKES + CLOSES, readTimeoutMs)) {
                streams.add(connection.getInputStream());
            }
            occupyCleaner(streams, relay, findings);
            relay.hold();
            Watch watch = new Watch(QUEUE);
            closeAtOnce(streams.subList(CLEANER_TAKES, streams.size()), watch, relay, findings);
            findings.judge("seen_queueing_ms", watch, Watch.BOUND_MS,
                "Threads that closed a stream early queued for one another's closes",
                "Threads that closed a stream early did not wait for each other");
        }
    }

    /** Gives the cleaner one stalled body to read, and one more to fill its queue. */
    private static void occupyCleaner(List<InputStream> streams, Relay relay, Findings findings)
            throws Exception {
        streams.get(0).close();
        Patience patience = new Patience(Client.PATIENCE_MS);
        while (!cleanerReads() && patience.left()) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        streams.get(1).close();
        findings.require(cleanerReads() && relay.clientFins() == 0,
            "The cleaner " + (cleanerReads() ? "reads" : "does not read") + " a body, and "
            + relay.clientFins() + " connections were closed (bounds: it does, and 0).");
    }

    private static boolean cleanerReads() {
        for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
            if ("Keep-Alive-SocketCleaner".equals(entry.getKey().getName())) {
                for (StackTraceElement frame : entry.getValue()) {
                    if (frame.getMethodName().equals("skip")) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /**
     * Closes all streams at once. The relay holds the peer's FINs until all threads have closed
     * theirs, or were seen queueing for long enough.
     */
    private static void closeAtOnce(List<InputStream> streams, Watch watch, Relay relay,
            Findings findings) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        List<FutureTask<Void>> closers = new ArrayList<>();
        for (InputStream stream : streams) {
            FutureTask<Void> closer = new FutureTask<>(() -> {
                go.await();
                stream.close();
                return null;
            });
            closers.add(closer);
            TlsPeer.daemon("closer-" + closers.size(), closer).start();
        }
        long begin = System.nanoTime();
        go.countDown();
        boolean all =
            watch.until(() -> closers.stream().allMatch(FutureTask::isDone), Watch.BOUND_MS);
        int closes = all ? CLOSES : 1;
        relay.awaitClientFins(closes, Client.PATIENCE_MS);
        relay.awaitHeldFins(closes, Client.PATIENCE_MS);
        findings.fact("closes_before_release", relay.clientFins());
        findings.fact("held_fins", relay.heldFins());
        findings.require(relay.clientFins() >= closes && relay.heldFins() >= closes,
            "The relay saw " + relay.clientFins() + " closes and held " + relay.heldFins()
            + " FINs (bounds " + closes + " and " + closes + ").");
        relay.release();
        for (FutureTask<Void> closer : closers) {
            closer.get();
        }
        findings.fact("last_close_ms",
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    }
}
