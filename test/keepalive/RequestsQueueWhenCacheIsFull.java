// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8293562: KeepAliveCache blocks threads while closing connections
 *
 * What goes wrong: more threads hand back a connection than the cache has slots. Each one over that
 * number closes a connection while it holds the cache's lock, in the thread that was reading a
 * reply. The closes come one after the other, so throughput is bounded by 1 / (time of a close),
 * however many threads and cores there are: the collapse from 15,000 to 500 requests/s of the field
 * report.
 *
 * What it takes: TLS 1.3, where a close waits for the peer's answer (in TLS 1.2 it does not); any
 * read timeout, because without one a close does not wait; a peer whose FIN comes late (here a
 * relay holds it), because a peer on loopback answers at once; and eviction, here by number: 16
 * threads and 5 slots, so 11 closes.
 *
 * Judged by: a thread that waits for the cache's lock, seen together with the lock's owner in
 * SSLSocketImpl.close, until all threads have handed back their connections.
 *
 * Judged by a sign: a request waits for the cache's lock, whose owner is in SSLSocketImpl.close;
 * watched until all threads have returned their connections.
 *
 * Without its precondition
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: negotiated protocol TLSv1.2
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/keepalive/RequestsQueueWhenCacheIsFull.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib keepalive/RequestsQueueWhenCacheIsFull.java
 *     java -cp classes RequestsQueueWhenCacheIsFull [CASE]
 * where CASE is one of tls12, no-read-timeout and subject (the default).
 *
 * On an affected build (some facts left out):
 *     # java: 17.0.3+7, Eclipse Adoptium
 *     seen_queueing_ms = 1524 ms (bound 1500)
 *       witness_close_ms: 307
 *       closes_before_release: 1
 *       held_fins: 1
 *       reused_connections: 5
 *       last_request_ms: 1935
 *       looks: 58
 *       waiter: requester-6
 *       holder: requester-4
 *       withheld_ms: 1209
 *     reproduced: Threads that returned connections to a full cache queued for one another's closes
 *         (seen_queueing_ms 1524, bound 1500).
 * On a fixed build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     seen_queueing_ms = 0 ms (bound 1500)
 *       witness_close_ms: 302
 *       closes_before_release: 11
 *       held_fins: 11
 *       reused_connections: 5
 *       last_request_ms: 50
 *       looks: 0
 *       withheld_ms: 223
 *     not-reproduced: Threads that returned connections to a full cache did not wait for each other
 *         (seen_queueing_ms 0, bound 1500).
 *
 * Evidence: outcome.json beside the scratch files; closes_before_release counts the client's FINs
 * that came while the relay held all of the peer's. In a recording: jdk.JavaMonitorEnter (8, 11) or
 * jdk.ThreadPark (17) of the requester-N threads in KeepAliveCache.put, and jdk.SocketRead in
 * SSLSocketImpl.close of one of them after the other.
 */

/*
 * @test
 * @bug 8293562
 * @summary Threads that return connections to a full cache must not wait for one another's closes
 * @key waits
 * @library /lib
 * @run main/othervm RequestsQueueWhenCacheIsFull tls12
 * @run main/othervm RequestsQueueWhenCacheIsFull no-read-timeout
 * @run main/othervm RequestsQueueWhenCacheIsFull subject
 */

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;

public class RequestsQueueWhenCacheIsFull {
    private static final int THREADS = 16;
    private static final int CACHE_SLOTS = 5;
    private static final int CLOSES = THREADS - CACHE_SLOTS;

    private static final Sign QUEUE = Sign.heldBy(Stacks.CACHE, Stacks.TLS_CLOSE);

    public static void main(String[] args) throws Exception {
        System.setProperty("http.maxConnections", Integer.toString(CACHE_SLOTS));
        Reproducer.run("RequestsQueueWhenCacheIsFull", "JDK-8293562", args,
            RequestsQueueWhenCacheIsFull::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Client client = which.client();
        int readTimeoutMs = which.readTimeoutMs(Client.PATIENCE_MS);
        try (TlsPeer late = new TlsPeer("late", 60); Relay relay = new Relay(late.address())) {
            which.checkProtocol(client.get(late.url("/close"), Client.PATIENCE_MS), findings);
            if (which == Case.SUBJECT) {
                CloseWitness.check(late, client.factory(), findings);
            }
            client.fillCache(relay.url("/"), CACHE_SLOTS, readTimeoutMs);
            Round round = new Round(client, relay, readTimeoutMs);
            round.begin();
            relay.hold();
            findings.require(relay.clientFins() == 0, "The relay saw " + relay.clientFins()
                + " closes before it held (bound 0).");
            Watch watch = new Watch(QUEUE);
            long lastMs = round.finish(watch, findings);
            check(round, relay, findings);
            findings.fact("last_request_ms", lastMs);
            findings.judge("seen_queueing_ms", watch, Watch.BOUND_MS,
                "Threads that returned connections to a full cache queued for one another's closes",
                "Threads that returned connections to a full cache did not wait for each other");
        }
    }

    private static void check(Round round, Relay relay, Findings findings) throws Exception {
        int reused = Reply.reused(round.replies);
        findings.fact("reused_connections", reused);
        findings.require(reused == CACHE_SLOTS && relay.connections() == THREADS,
            "Of " + relay.connections() + " connections " + reused + " were reused (bounds "
            + THREADS + " and " + CACHE_SLOTS + ").");
        relay.awaitClientFins(CLOSES, Client.PATIENCE_MS);
        findings.require(relay.clientFins() == CLOSES, "The relay saw " + relay.clientFins()
            + " closes (bound " + CLOSES + ").");
    }

    /** All threads begin to receive a reply; then all finish theirs at once. */
    private static final class Round {
        final List<Reply> replies = new ArrayList<>();

        private final Relay relay;
        private final List<FutureTask<Reply>> tasks = new ArrayList<>();
        private final CountDownLatch begun = new CountDownLatch(THREADS);
        private final CountDownLatch go = new CountDownLatch(1);

        Round(Client client, Relay relay, int readTimeoutMs) {
            this.relay = relay;
            for (int i = 0; i < THREADS; i++) {
                tasks.add(new FutureTask<>(() -> request(client, readTimeoutMs)));
            }
        }

        void begin() throws Exception {
            for (FutureTask<Reply> task : tasks) {
                TlsPeer.daemon("requester-" + (tasks.indexOf(task) + 1), task).start();
            }
            if (!begun.await(Patience.MOST * Client.PATIENCE_MS, TimeUnit.MILLISECONDS)) {
                throw new CaseEnd(Outcome.INCONCLUSIVE, "Only " + (THREADS - begun.getCount())
                    + " of " + THREADS + " replies began in the time allowed.");
            }
        }

        /**
         * Lets all threads finish. The relay holds the peer's FINs until all have finished, or were
         * seen queueing for long enough.
         *
         * @return ms until the last thread finished
         */
        long finish(Watch watch, Findings findings) throws Exception {
            long begin = System.nanoTime();
            go.countDown();
            boolean through =
                watch.until(() -> tasks.stream().allMatch(FutureTask::isDone), Watch.BOUND_MS);
            int closes = through ? CLOSES : 1;
            relay.awaitClientFins(closes, Client.PATIENCE_MS);
            relay.awaitHeldFins(closes, Client.PATIENCE_MS);
            int atOnce = relay.clientFins();
            findings.fact("closes_before_release", atOnce);
            findings.fact("held_fins", relay.heldFins());
            findings.require(relay.heldFins() >= closes, "The relay held " + relay.heldFins()
                + " FINs (bound " + closes + ").");
            relay.release();
            for (FutureTask<Reply> task : tasks) {
                replies.add(task.get());
            }
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        }

        private Reply request(Client client, int readTimeoutMs) throws Exception {
            HttpsURLConnection connection = client.open(relay.url("/"), readTimeoutMs);
            begun.countDown();
            go.await();
            return client.finish(connection);
        }
    }
}
