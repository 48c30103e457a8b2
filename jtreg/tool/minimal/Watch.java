// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.function.BooleanSupplier;

/**
 * For how long was a sign seen? The time between two looks at all threads that see the same holder
 * counts, but as 100 ms at most, so that a stalled machine is not taken for a wait.
 */
final class Watch {
    static final long BOUND_MS = 1_500;

    private static final long LOOK_EVERY_MS = 25;

    private final Sign sign;
    private final Patience patience = new Patience(Client.PATIENCE_MS);
    private long seenNanos;
    private boolean over;

    Watch(Sign sign) {
        this.sign = sign;
    }

    boolean until(BooleanSupplier isOver, long boundMs) throws InterruptedException {
        Sign.Seen last = null;
        long lastNanos = System.nanoTime();
        over = isOver.getAsBoolean();
        while (!over && seenMs() < boundMs && patience.left()) {
            long now = System.nanoTime();
            Sign.Seen seen = sign.in(Stacks.now());
            if (seen != null && seen.sameAs(last)) {
                seenNanos += Math.min(now - lastNanos, 4 * LOOK_EVERY_MS * 1_000_000);
            }
            last = seen;
            lastNanos = System.nanoTime();
            Thread.sleep(LOOK_EVERY_MS);
            over = isOver.getAsBoolean();
        }
        return over;
    }

    long seenMs() {
        return seenNanos / 1_000_000;
    }

    boolean over() {
        return over;
    }

    Patience patience() {
        return patience;
    }

    void tell(Findings findings) { }
}
