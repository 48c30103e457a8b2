// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** Is there time left? */
final class Patience {
    static final int MOST = 1;

    private final long ms;
    private final long beginNanos = System.nanoTime();

    Patience(long ms) {
        this.ms = ms;
    }

    boolean left() {
        return elapsedMs() < ms;
    }

    long elapsedMs() {
        return (System.nanoTime() - beginNanos) / 1_000_000;
    }

    String withheld() {
        return "by the clock";
    }

    boolean waitOn(Object monitor) throws InterruptedException {
        boolean left = left();
        if (left) {
            monitor.wait(50);
        }
        return left;
    }
}
