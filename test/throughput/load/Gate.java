// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.concurrent.TimeUnit;

/** Where do the threads of a load wait while it pauses? Between two requests, never within one. */
final class Gate {
    private volatile boolean shut;
    private int there;

    /** Waits while the gate is shut. */
    void pass() throws InterruptedException {
        if (shut) {
            await();
        }
    }

    /** The calling thread will not pass again: the gate counts it as waiting for ever. */
    synchronized void leave() {
        there++;
        notifyAll();
    }

    synchronized void open() {
        shut = false;
        notifyAll();
    }

    /**
     * Shuts the gate and waits until {@code threads} threads are waiting at it.
     *
     * @return whether they arrived in time
     */
    synchronized boolean shut(int threads, long timeoutMs) throws InterruptedException {
        shut = true;
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (there < threads) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
            if (leftMs <= 0) {
                return false;
            }
            wait(leftMs);
        }
        return true;
    }

    private synchronized void await() throws InterruptedException {
        there++;
        notifyAll();
        while (shut) {
            wait();
        }
        there--;
    }
}
