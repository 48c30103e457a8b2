// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * When has the keep-alive cache's timer looked for idle connections? It sleeps 5 s before each
 * look, and the JVM counts how often a thread has waited. So the count shows what comes between two
 * looks, however late they are on a busy machine.
 */
final class CacheTimer {
    private static final long LOOKS_EVERY_MS = 5_000;
    private static final long POLL_MS = 20;

    /** The id of the timer's thread. */
    final long id;

    private CacheTimer(long id) {
        this.id = id;
    }

    /** Waits for the one timer thread; ends the case as inconclusive if there is not just one. */
    static CacheTimer await() throws InterruptedException {
        Patience patience = new Patience(Client.PATIENCE_MS);
        List<Long> found = ids();
        while (found.size() != 1) {
            if (!patience.left()) {
                throw new CaseEnd(Outcome.INCONCLUSIVE, "There were " + found.size()
                    + " threads named " + Stacks.TIMER + " (bound 1).");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            found = ids();
        }
        return new CacheTimer(found.get(0));
    }

    boolean ended() {
        return !ids().contains(id);
    }

    /** How often it has gone to sleep; waits while it is awake, between two sleeps. */
    long sleeps() throws InterruptedException {
        ThreadInfo thread = ManagementFactory.getThreadMXBean().getThreadInfo(id);
        while (thread != null && thread.getThreadState() != Thread.State.TIMED_WAITING) {
            TimeUnit.MILLISECONDS.sleep(1);
            thread = ManagementFactory.getThreadMXBean().getThreadInfo(id);
        }
        return thread == null ? Long.MAX_VALUE : thread.getWaitedCount();
    }

    /**
     * Waits for the next look, and misses none: ends the case as inconclusive if two could have
     * come between two checks.
     *
     * @param sleeps what {@link #sleeps} returned before
     * @return whether it has looked and gone to sleep again, or ended, within {@code timeoutMs}
     */
    boolean looked(long sleeps, long timeoutMs) throws InterruptedException {
        long begin = System.nanoTime();
        long asked = begin;
        while (sleeps() == sleeps) {
            if (System.nanoTime() - begin > TimeUnit.MILLISECONDS.toNanos(timeoutMs)) {
                return false;
            }
            asked = System.nanoTime();
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        long gapMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - asked);
        if (gapMs >= LOOKS_EVERY_MS) {
            throw new CaseEnd(Outcome.INCONCLUSIVE, "The test itself did not run for " + gapMs
                + " ms, and may have missed a look of the cache's timer (bound " + LOOKS_EVERY_MS
                + ").");
        }
        return true;
    }

    private static List<Long> ids() {
        List<Long> ids = new ArrayList<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (Stacks.TIMER.equals(thread.getName())) {
                ids.add(thread.getId());
            }
        }
        return ids;
    }
}
