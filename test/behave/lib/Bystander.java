// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Does an operation go on while another one is stuck? The stuck one waits within a call that the
 * row makes of {@link #stick}, the other one is begun only then: no wait decides but that of a JDK
 * in which the other one waits, too.
 */
final class Bystander {
    private static final long REACHED_WITHIN_MS = 5_000;
    private static final long DONE_WITHIN_MS = 4_000;

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicBoolean isTaken = new AtomicBoolean();

    /** The first to call this is stuck until the other operation has ended; nobody else is. */
    void stick() {
        if (isTaken.compareAndSet(false, true)) {
            reached.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What comes of the other operation, and of the first one afterwards. */
    String see(Callable<String> stuck, Callable<String> other) throws InterruptedException {
        AtomicReference<String> firstEnd = new AtomicReference<>();
        AtomicReference<String> otherEnd = new AtomicReference<>();
        Thread first = thread("stuck", stuck, firstEnd);
        Thread bystander = thread("bystander", other, otherEnd);
        String seen;
        try {
            first.start();
            Patience patience = new Patience(REACHED_WITHIN_MS);
            while (reached.getCount() > 0 && first.isAlive() && patience.left()) {
                reached.await(10, java.util.concurrent.TimeUnit.MILLISECONDS);
            }
            if (reached.getCount() > 0) {
                return "never stuck: " + firstEnd.get();
            }
            bystander.start();
            join(bystander, DONE_WITHIN_MS);
            // Before the first is released, or the other may still end in between.
            String end = otherEnd.get();
            seen = end == null ? "the other waits" : "the other: " + end;
        } finally {
            released.countDown();
        }
        join(first, REACHED_WITHIN_MS);
        return seen + "; then: " + firstEnd.get();
    }

    private static void join(Thread thread, long withinMs) throws InterruptedException {
        Patience patience = new Patience(withinMs);
        while (thread.isAlive() && patience.left()) {
            thread.join(20);
        }
    }

    private static Thread thread(String name, Callable<String> task, AtomicReference<String> end) {
        return TlsPeer.daemon(name, () -> {
            try {
                end.set(task.call());
            } catch (Exception e) {
                end.set(Failure.text(e));
            }
        });
    }
}
