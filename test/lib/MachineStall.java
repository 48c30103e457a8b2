// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.concurrent.TimeUnit;

/**
 * Did the JVM or the machine itself stand still? A thread that touches no lock and no socket sleeps
 * 20 ms at a time and notes by how much it overslept. What it overslept every other thread may have
 * too, whatever the JDK did.
 */
final class MachineStall {
    private static final long NAP_MS = 20;

    private long worstNanos;

    MachineStall() {
        TlsPeer.daemon("machine-stall-meter", this::napLoop).start();
    }

    synchronized void restart() {
        worstNanos = 0;
    }

    synchronized long worstMs() {
        return TimeUnit.NANOSECONDS.toMillis(worstNanos);
    }

    synchronized void note(long nanos) {
        worstNanos = Math.max(worstNanos, nanos);
    }

    private void napLoop() {
        try {
            while (true) {
                long begin = System.nanoTime();
                Thread.sleep(NAP_MS);
                note(System.nanoTime() - begin - TimeUnit.MILLISECONDS.toNanos(NAP_MS));
            }
        } catch (InterruptedException e) {
            System.err.println("the meter of machine stalls was interrupted");
        }
    }
}
