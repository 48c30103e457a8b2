// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What do threads notice that talk to another, healthy host? Each repeats a request and a short
 * pause, so that connections go back to the cache and are taken out again, and records how long
 * each request took.
 */
final class Neighbours {
    /** So a dozen threads use a tenth of a core, and each soon runs into a lock that is held. */
    private static final long THINK_MS = 100;

    private final Client client;
    private final URL url;
    private final List<Thread> threads = new ArrayList<>();
    private final long[] lastBeginNanos;
    private final int[] completed;
    private long fromNanos = System.nanoTime();
    private long worstNanos;
    private boolean stopping;
    private Exception failure;

    Neighbours(Client client, URL url, int count) {
        this.client = client;
        this.url = url;
        lastBeginNanos = new long[count];
        completed = new int[count];
        for (int i = 0; i < count; i++) {
            int index = i;
            threads.add(TlsPeer.daemon("neighbour-" + (i + 1), () -> loop(index)));
        }
    }

    void start() {
        for (Thread thread : threads) {
            thread.start();
        }
    }

    /** Waits until each thread has completed {@code count} requests since its start. */
    synchronized void awaitEach(int count, long timeoutMs) throws Exception {
        Patience patience = new Patience(timeoutMs);
        for (int i = 0; i < completed.length; i++) {
            while (completed[i] < count) {
                waitOn(patience);
            }
        }
    }

    /** Waits until each thread has completed a request that began after this call. */
    synchronized void awaitOneMoreEach(long timeoutMs) throws Exception {
        long begin = System.nanoTime();
        Patience patience = new Patience(timeoutMs);
        while (!eachBegunAfter(begin)) {
            waitOn(patience);
        }
    }

    /** Has each thread completed a request that began after that System.nanoTime()? */
    synchronized boolean eachBegunAfter(long nanos) {
        for (int i = 0; i < completed.length; i++) {
            if (completed[i] == 0 || lastBeginNanos[i] - nanos < 0) {
                return false;
            }
        }
        return true;
    }

    /** Forgets the times so far; a request that is under way counts from now. */
    synchronized void restart() {
        worstNanos = 0;
        fromNanos = System.nanoTime();
    }

    /** The longest request that ended since {@link #restart}, in ms. */
    synchronized long worstMs() {
        return TimeUnit.NANOSECONDS.toMillis(worstNanos);
    }

    /** Ends the threads; throws the first exception that one of them met, if any. */
    void stop() throws Exception {
        synchronized (this) {
            stopping = true;
        }
        for (Thread thread : threads) {
            thread.join(Client.PATIENCE_MS);
        }
        throwFailure();
    }

    private void loop(int index) {
        try {
            while (!isStopping()) {
                long begin = System.nanoTime();
                client.get(url, Client.PATIENCE_MS);
                note(index, begin, System.nanoTime());
                Thread.sleep(THINK_MS);
            }
        } catch (Exception e) {
            fail(e);
        }
    }

    private synchronized boolean isStopping() {
        return stopping;
    }

    private synchronized void note(int index, long beginNanos, long endNanos) {
        completed[index]++;
        lastBeginNanos[index] = beginNanos;
        worstNanos = Math.max(worstNanos, endNanos - Math.max(beginNanos, fromNanos));
        notifyAll();
    }

    private synchronized void fail(Exception e) {
        failure = failure == null ? e : failure;
        notifyAll();
    }

    private synchronized void throwFailure() throws Exception {
        if (failure != null) {
            throw failure;
        }
    }

    private void waitOn(Patience patience) throws Exception {
        throwFailure();
        if (!patience.waitOn(this)) {
            throw new CaseEnd(Outcome.INCONCLUSIVE, "The neighbours' requests did not come through"
                + " in " + patience.elapsedMs() + " ms; " + patience.withheld() + ".");
        }
    }
}
