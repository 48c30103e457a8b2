// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.concurrent.TimeUnit;

/**
 * Is there time left? For waits that should end soon; if one does not, the case is an error or
 * inconclusive. CPU time that the machine withholds does not count, so that a deadline is as long
 * on a busy machine as on an idle one, up to {@link #MOST} times as long by the clock.
 */
final class Patience {
    /** By the clock, a wait is at most this many times as long as it was meant to be. */
    static final int MOST = 3;

    private static final long LOOK_EVERY_MS = 50;

    private final int most;
    private final long ms;
    private final long beginNanos = System.nanoTime();
    private final Withheld withheld = new Withheld();

    Patience(long ms) {
        this(ms, MOST);
    }

    /** @param most by the clock, how many times as long at most */
    Patience(long ms, int most) {
        this.ms = ms;
        this.most = most;
    }

    boolean left() {
        long byTheClock = elapsedMs();
        // Read each time, because what a thread was denied is lost when it ends.
        long withheldMs = withheld.ms();
        return byTheClock < most * ms && byTheClock - withheldMs < ms;
    }

    long elapsedMs() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
    }

    Withheld withheld() {
        return withheld;
    }

    /**
     * Waits a moment for a notification; the caller holds the monitor and looks again afterwards.
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
