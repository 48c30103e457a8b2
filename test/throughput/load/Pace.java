// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.concurrent.TimeUnit;

/** When does a thread begin its next request? In an open or a closed loop. */
interface Pace {
    /**
     * Waits until the next request is due.
     *
     * @return when it was due, by System.nanoTime(); its latency counts from then
     */
    long awaitNext() throws InterruptedException;

    /** The next request begins when the last has ended and the think time has passed. */
    static Pace closed(long thinkMs) {
        return () -> {
            if (thinkMs > 0) {
                Thread.sleep(thinkMs);
            }
            return System.nanoTime();
        };
    }

    /**
     * Requests are due at fixed times, whatever became of those before. One that is late because
     * the last took long begins at once, and the wait counts as its own (which avoids coordinated
     * omission).
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
