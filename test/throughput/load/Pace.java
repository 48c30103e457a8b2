// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.concurrent.TimeUnit;

/** When does a thread begin its next request? In a loop that is open, or closed. */
interface Pace {
    /**
     * Waits until the next request is due.
     *
     * @return when it was to begin, by System.nanoTime(); its latency counts from then
     */
    long awaitNext() throws InterruptedException;

    /** The next request begins when the last has ended and some time to think has passed. */
    static Pace closed(long thinkMs) {
        return () -> {
            if (thinkMs > 0) {
                Thread.sleep(thinkMs);
            }
            return System.nanoTime();
        };
    }

    /**
     * Requests begin at fixed times, whatever became of those before: one that is late because the
     * last took long begins at once, and the wait counts as its own (coordinated omission).
     *
     * @param firstNanos when the first is due, by System.nanoTime()
     */
    static Pace open(long firstNanos, long intervalNanos) {
        long[] due = {firstNanos};
        return () -> {
            long intended = due[0];
            due[0] += intervalNanos;
            long leftNanos = intended - System.nanoTime();
            if (leftNanos > 0) {
                TimeUnit.NANOSECONDS.sleep(leftNanos);
            }
            return intended;
        };
    }
}
