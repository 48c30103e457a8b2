// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.concurrent.TimeUnit;

/**
 * Is there time left? For what should come soon, and is an error or inconclusive if it does not.
 * CPU that the machine withholds is not counted, so that a deadline is as long on a busy machine as
 * on an idle one, up to {@link #MOST} times as long by the clock.
 */
final class Patience {
    /** A wait by the clock is at most this many times as long as it was meant. */
    static final int MOST = 3;

    private static final long LOOK_EVERY_MS = 50;

    private final long ms;
    private final long beginNanos = System.nanoTime();
    private final Withheld withheld = new Withheld();

    Patience(long ms) {
        this.ms = ms;
    }

    boolean left() {
        long byTheClock = elapsedMs();
        // Asked each time: what a thread lacked that has ended since is known no more.
        long withheldMs = withheld.ms();
        return byTheClock < MOST * ms && byTheClock - withheldMs < ms;
    }

    long elapsedMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
    }

    Withheld withheld() {
        return withheld;
    }

    /**
     * Waits a moment for whoever notifies; the caller holds the monitor and looks again after it.
     *
     * @return whether there was time left
     */
    boolean waitOn(Object monitor) throws InterruptedException {
        boolean left = left();
        if (left) {
            long restMs = ms - elapsedMs();
            monitor.wait(restMs > 0 ? Math.min(restMs, LOOK_EVERY_MS) : LOOK_EVERY_MS);
        }
        return left;
    }
}
