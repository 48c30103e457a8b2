// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * May a chunk pass now? The gate at the end of a {@link RelayPipe}: open, except on a line with a
 * late FIN for some time after the client's FIN.
 */
final class RelayValve {
    /** Writes one chunk, or the FIN. */
    interface Passing {
        void run() throws IOException;
    }

    private final long lateFinMs;
    private boolean late;
    private long opensAtNanos;

    /** @param lateFinMs how long to hold chunks after the client's FIN, in ms; 0: not at all */
    RelayValve(long lateFinMs) {
        this.lateFinMs = lateFinMs;
    }

    /** @param nanos when the client's FIN came, by System.nanoTime() */
    synchronized void clientFinished(long nanos) {
        late = lateFinMs > 0;
        opensAtNanos = nanos + TimeUnit.MILLISECONDS.toNanos(lateFinMs);
    }

    /** Waits until the valve is open, then passes one chunk; no other passes meanwhile. */
    synchronized void whenOpen(Passing passing) throws IOException, InterruptedException {
        long leftNanos = opensAtNanos - System.nanoTime();
        while (late && leftNanos > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, leftNanos);
            leftNanos = opensAtNanos - System.nanoTime();
        }
        passing.run();
    }
}
