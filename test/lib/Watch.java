// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * For how long was a sign seen? Looks at all threads again and again, until the watched operation
 * is over or the sign was seen for long enough.
 *
 * <p>The looks are the clock: the time between two successive looks counts if both see the same
 * holder, but for {@link #MOST_MS} at most. So a thread that merely lacks CPU is not taken for one
 * that holds: it would have to lack CPU while the looking thread got turn after turn.
 */
final class Watch {
    /**
     * The bound for a sign: 15 looks at least. The evidence of bugs.yaml, which reads the same wait
     * in a recording, asks for 1,000 ms.
     */
    static final long BOUND_MS = 1_500;

    private static final long LOOK_EVERY_MS = 25;
    private static final long MOST_MS = 4 * LOOK_EVERY_MS;

    private final Sign sign;
    private final Patience patience;
    private int looks;
    private int looksSeen;
    private long seenNanos;
    private long lastNanos;
    private Sign.Seen last;
    private Sign.Seen shown;
    private boolean over;

    Watch(Sign sign) {
        this(sign, new Patience(Client.PATIENCE_MS));
    }

    /** For the kit's own tests, which have less patience. */
    Watch(Sign sign, Patience patience) {
        this.sign = sign;
        this.patience = patience;
    }

    /**
     * Looks until {@code isOver}, or until the sign was seen for {@code boundMs}, or patience ends.
     *
     * @param isOver whether the watched operation, which the sign would hinder, has ended
     * @return whether it has
     */
    boolean until(BooleanSupplier isOver, long boundMs) throws InterruptedException {
        over = isOver.getAsBoolean();
        while (!over && seenMs() < boundMs && patience.left()) {
            look();
            Thread.sleep(LOOK_EVERY_MS);
            over = isOver.getAsBoolean();
        }
        return over;
    }

    /** How long the sign was seen, at least, in ms. */
    long seenMs() {
        return TimeUnit.NANOSECONDS.toMillis(seenNanos);
    }

    /** Was the operation over before the sign was seen for long enough? */
    boolean over() {
        return over;
    }

    Patience patience() {
        return patience;
    }

    void tell(Findings findings) {
        findings.fact("looks", looks);
        findings.fact("looks_that_saw_it", looksSeen);
        if (shown != null) {
            if (shown.waiter != shown.holder) {
                findings.fact("waiter", shown.waiter.getThreadName());
                findings.fact("waiter_frames", Stacks.frames(shown.waiter.getStackTrace()));
            }
            findings.fact("holder", shown.holder.getThreadName());
            findings.fact("holder_frames", Stacks.frames(shown.holder.getStackTrace()));
        }
        patience.withheld().tell(findings);
    }

    private void look() {
        long before = System.nanoTime();
        Sign.Seen seen = sign.in(Stacks.now());
        looks++;
        if (seen != null) {
            looksSeen++;
            shown = seen;
            seenNanos += seen.sameAs(last)
                ? Math.min(before - lastNanos, TimeUnit.MILLISECONDS.toNanos(MOST_MS)) : 0;
        }
        last = seen;
        lastNanos = System.nanoTime();
    }
}
