// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * May a chunk pass now? The gate at the end of a {@link RelayPipe}: open at first; held by
 * {@link #hold} until {@link #release}, or until some time after the client's FIN. A line with a
 * late FIN holds it at the client's FIN without being told.
 */
final class RelayValve {
    /** Writes one chunk, or the FIN. */
    interface Passing {
        void run() throws IOException;
    }

    private static final long NEVER = Long.MAX_VALUE;

    private final long lateFinMs;
    private boolean held;
    private long holdMs;
    private long opensAtNanos = NEVER;

    /** @param lateFinMs for how long to hold after each client's FIN, in ms; 0 for not at all */
    RelayValve(long lateFinMs) {
        this.lateFinMs = lateFinMs;
    }

    synchronized void hold(long ms) {
        held = true;
        holdMs = ms;
        opensAtNanos = NEVER;
    }

    synchronized void release() {
        held = false;
        notifyAll();
    }

    /** @param nanos when the client's FIN came, by System.nanoTime() */
    synchronized void clientFinished(long nanos) {
        if (!held && lateFinMs > 0) {
            hold(lateFinMs);
        }
        if (held && holdMs != Relay.UNTIL_RELEASED) {
            opensAtNanos = nanos + TimeUnit.MILLISECONDS.toNanos(holdMs);
            notifyAll();
        }
    }

    synchronized boolean isHeld() {
        return held && (opensAtNanos == NEVER || System.nanoTime() - opensAtNanos < 0);
    }

    /**
     * Waits until the valve is open and passes one chunk. Passing keeps the monitor, so that after
     * {@link #hold} has returned nothing passes, not even a chunk whose turn had already come.
     */
    synchronized void whenOpen(Passing passing) throws IOException, InterruptedException {
        while (isHeld()) {
            if (opensAtNanos == NEVER) {
                wait();
            } else {
                TimeUnit.NANOSECONDS.timedWait(
                    this, Math.max(1, opensAtNanos - System.nanoTime()));
            }
        }
        passing.run();
    }
}
