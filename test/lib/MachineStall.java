// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.concurrent.TimeUnit;

/**
 * Did the JVM or the machine itself stand still? A thread that touches no socket, and no lock but
 * this object's, sleeps 20 ms at a time and notes by how much it overslept. What it overslept every
 * other thread may have too, whatever the JDK did.
 */
final class MachineStall {
    private static final long NAP_MS = 20;

    /** When the nap that is going on began, or the restart in it. */
    private long sinceNanos = System.nanoTime();
    private long worstNanos;

    MachineStall() {
        TlsPeer.daemon("machine-stall-meter", this::napLoop).start();
    }

    /** Forgets what was overslept so far, also in the nap that is going on. */
    synchronized void restart() {
        worstNanos = 0;
        sinceNanos = System.nanoTime();
    }

    /**
     * The longest standstill since {@link #restart}, in ms. A nap that should be over counts too:
     * after a standstill whoever asks may run before the meter does.
     */
    synchronized long worstMs() {
        note(System.nanoTime() - sinceNanos - TimeUnit.MILLISECONDS.toNanos(NAP_MS));
        return TimeUnit.NANOSECONDS.toMillis(worstNanos);
    }

    synchronized void note(long nanos) {
        worstNanos = Math.max(worstNanos, nanos);
    }

    private synchronized void napEnds() {
        worstMs();
        sinceNanos = System.nanoTime();
    }

    private void napLoop() {
        try {
            while (true) {
                Thread.sleep(NAP_MS);
                napEnds();
            }
        } catch (InterruptedException e) {
            System.err.println("the meter of machine stalls was interrupted");
        }
    }
}
