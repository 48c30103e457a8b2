// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8293562: KeepAliveCache blocks threads while closing connections
 *
 * What goes wrong: threads close the stream of a reply before its end. The rest is to be read in
 * the background, by one cleaner thread with a short queue. When that is full, the connection is
 * closed instead, under the queue's lock: the threads close one after the other, each waiting for
 * its peer. The lock is there in fixed builds too, but the close then waits 1 ms.
 *
 * What it takes: TLS 1.3, because there a close waits for the peer's answer; a read timeout (any),
 * because without one a close does not wait; a peer whose FIN comes late (here a relay that holds
 * it for 500 ms); bodies that stall, and more of them than the cleaner takes (a queue of 1 here,
 * 10 by default).
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
 *     serial_closes = 5 closes (bound 3)
 *     last_close_ms = 3388 ms (bound 1500)
 *       witness_close_ms: 630
 *       threads_waiting_for_cache: 5
 *       held_fins: 6
 *     reproduced: Threads that closed a stream early queued for one another's closes (serial_closes
 *         5, bound 3).
 * On a fixed build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     serial_closes = 0 closes (bound 3)
 *     last_close_ms = 188 ms (bound 1500)
 *       witness_close_ms: 621
 *       held_fins: 6
 *     not-reproduced: Threads that closed a stream early did not wait for each other (serial_closes
 *         0, bound 3).
 *
 * Evidence: outcome.json beside the scratch files; serial_closes counts the closes that began only
 * when the one before was over, from the client's FINs on the wire. In a recording,
 * jdk.JavaMonitorEnter on KeepAliveStreamCleaner (8, 11) or jdk.ThreadPark (17) of the closer-N
 * threads under KeepAliveStream.queueForCleanup.
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

    // How late the peer's FIN comes. The read timeout is far longer, so that it ends no wait.
    private static final int LATE_FIN_MS = 500;

    // Of the 6 closes 5 begin only when the one before is over, with the fix none. A busy machine
    // has been seen to draw the fixed ones out to 773 ms, so that time would be a poor judge; each
    // time that it stands still it adds one close at most.
    private static final int BOUND_CLOSES = CLOSES / 2;

    // One after the other they take 6 * 500 = 3,000 ms.
    private static final long BOUND_MS = CLOSES * LATE_FIN_MS / 2;

    public static void main(String[] args) throws Exception {
        System.setProperty("http.KeepAlive.queuedConnections", "1");
        Reproducer.run("EarlyClosedStreamsQueue", "JDK-8293562", args,
            EarlyClosedStreamsQueue::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Client client = which.client();
        int readTimeoutMs = which.readTimeoutMs(Client.PATIENCE_MS);
        try (TlsPeer late = new TlsPeer("late", 60); Relay relay = new Relay(late.address(), 0)) {
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
            relay.hold(LATE_FIN_MS);
            long lastMs = closeAtOnce(streams.subList(CLEANER_TAKES, streams.size()), findings);
            relay.awaitClientFins(CLOSES, Client.PATIENCE_MS);
            relay.awaitHeldFins(CLOSES, Client.PATIENCE_MS);
            findings.fact("client_fins", relay.clientFins());
            findings.fact("held_fins", relay.heldFins());
            findings.require(relay.clientFins() == CLOSES && relay.heldFins() == CLOSES,
                "The relay saw " + relay.clientFins() + " closes and held " + relay.heldFins()
                + " FINs (bounds " + CLOSES + " and " + CLOSES + ").");
            findings.figure("last_close_ms", lastMs, BOUND_MS, "ms");
            findings.judgeCount("serial_closes", relay.serialCloses(LATE_FIN_MS), BOUND_CLOSES,
                "closes", "Threads that closed a stream early queued for one another's closes",
                "Threads that closed a stream early did not wait for each other");
        }
    }

    /** One body for the cleaner to read, in vain, and then one to fill its queue. */
    private static void occupyCleaner(List<InputStream> streams, Relay relay, Findings findings)
            throws Exception {
        streams.get(0).close();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Client.PATIENCE_MS);
        while (!cleanerReads() && System.nanoTime() - deadline < 0) {
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

    /** @return ms until the last thread had closed its stream */
    private static long closeAtOnce(List<InputStream> streams, Findings findings)
            throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        List<FutureTask<Long>> closers = new ArrayList<>();
        for (InputStream stream : streams) {
            FutureTask<Long> closer = new FutureTask<>(() -> {
                go.await();
                stream.close();
                return System.nanoTime();
            });
            closers.add(closer);
            TlsPeer.daemon("closer-" + closers.size(), closer).start();
        }
        long begin = System.nanoTime();
        go.countDown();
        TimeUnit.MILLISECONDS.sleep(LATE_FIN_MS / 2);
        if (!closers.stream().allMatch(FutureTask::isDone)) {
            Stacks.now().tell(findings);
        }
        long last = begin;
        for (FutureTask<Long> closer : closers) {
            last = Math.max(last, closer.get());
        }
        return TimeUnit.NANOSECONDS.toMillis(last - begin);
    }
}
