// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8302732: sun/net/www/http/HttpClient/MultiThreadTest.java still failing intermittently
 *
 * What goes wrong: the cache's timer thread ends whenever it looks and finds all connections in
 * use, and the next connection that comes back starts a new thread. A connection that comes back
 * just as the old thread ends is forgotten and never closed. That race is rare; the needless end of
 * the thread is certain.
 *
 * What it takes: a cache that is empty when the timer looks, every 5 s: one connection, in use at
 * that moment. One idle connection beside it hides the bug.
 *
 * Control: the connection is idle when the timer looks; the thread goes on, on any build.
 *
 * Judged by: the timer's thread, which has either ended or gone back to sleep after its first look
 * at the empty cache.
 *
 * Judged by a count of timer threads, after one look.
 *
 * Without its precondition
 *     -Dhttp.keepAlive=false: inconclusive: There were 0 threads named Keep-Alive-Timer
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/keepalive/KeepAliveTimerStartsAnew.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib keepalive/KeepAliveTimerStartsAnew.java
 *     java -cp classes KeepAliveTimerStartsAnew [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     timer_threads = 2 threads (bound 2)
 *       connections: 1
 *       timer_thread_ids: [16, 18]
 *     reproduced: The cache's timer ended while a connection was in use, and was started anew
 *         (timer_threads 2, bound 2).
 * On a fixed build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     timer_threads = 1 threads (bound 2)
 *       connections: 1
 *       timer_thread_ids: [22]
 *     not-reproduced: The cache's timer went on (timer_threads 1, bound 2).
 *
 * Evidence: outcome.json beside the scratch files has the ids of the threads named
 * Keep-Alive-Timer, in ascending order. In a recording: jdk.ThreadStart of that name.
 */

/*
 * @test
 * @bug 8302732
 * @summary The cache's timer must not end while connections are in use
 * @key waits
 * @library /lib
 * @run main/othervm KeepAliveTimerStartsAnew control
 * @run main/othervm KeepAliveTimerStartsAnew subject
 */

import java.net.URL;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

public class KeepAliveTimerStartsAnew {
    private static final long POLL_MS = 20;

    // The timer looks every 5 s. At its second look at an empty cache, a fixed build's ends too.
    private static final int SECOND_LOOK_MS = 10_000;
    private static final int LOOKS_WITHIN_MS = 20_000;

    public static void main(String[] args) throws Exception {
        Reproducer.run("KeepAliveTimerStartsAnew", "JDK-8302732", args,
            KeepAliveTimerStartsAnew::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Semaphore mayAnswer = new Semaphore(0);
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> {
            if ("/slow".equals(exchange.path)) {
                mayAnswer.acquire();
            }
            exchange.reply("Connection: keep-alive", "Keep-Alive: timeout=60");
        })) {
            // Taken before the timer begins to sleep.
            long beginNanos = System.nanoTime();
            PlainClient.get(peer.url("/"));
            CacheTimer timer = CacheTimer.await();
            final long sleeps = timer.sleeps();
            FutureTask<Reply> slow = begin(peer.url(which == Case.SUBJECT ? "/slow" : "/"));
            awaitRequests(peer, 2);
            if (which == Case.CONTROL) {
                slow.get();
            }
            findings.require(timer.sleeps() == sleeps,
                "The cache's timer looked before the connection was known to be in use.");
            findings.require(timer.looked(sleeps, LOOKS_WITHIN_MS),
                "The cache's timer did not look within " + LOOKS_WITHIN_MS + " ms.");
            boolean ended = timer.ended();
            long endedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
            findings.require(!ended || endedMs < SECOND_LOOK_MS, "The cache's timer may have looked"
                + " twice in " + endedMs + " ms (bound " + SECOND_LOOK_MS + ").");
            mayAnswer.release();
            slow.get();
            PlainClient.get(peer.url("/"));
            findings.fact("connections", peer.connections());
            findings.require(peer.connections() == 1,
                "The requests took " + peer.connections() + " connections (bound 1).");
            TreeSet<Long> timers = new TreeSet<>(Arrays.asList(timer.id));
            if (ended) {
                timers.add(CacheTimer.await().id);
            }
            findings.fact("timer_thread_ids", timers);
            findings.judgeCount("timer_threads", timers.size(), 2, "threads",
                "The cache's timer ended while a connection was in use, and was started anew",
                "The cache's timer went on");
        }
    }

    private static FutureTask<Reply> begin(URL url) {
        FutureTask<Reply> request = new FutureTask<>(() -> PlainClient.get(url));
        TlsPeer.daemon("slow-request", request).start();
        return request;
    }

    /** Waits until the peer has the request, so that its connection is out of the cache. */
    private static void awaitRequests(ScriptedPeer peer, int count) throws InterruptedException {
        Patience patience = new Patience(Client.PATIENCE_MS);
        while (peer.requests() < count) {
            if (!patience.left()) {
                throw new CaseEnd(Outcome.INCONCLUSIVE, "The peer had " + peer.requests()
                    + " requests in the time allowed (bound " + count + ").");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }
}
