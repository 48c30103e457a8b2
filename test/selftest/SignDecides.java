// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary A wait counts for a lock's owner who is where he must not be, and not for a slow one
 * @key selftest
 * @library /lib
 * @run main/othervm SignDecides
 */

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

public class SignDecides {
    private static final long BOUND_MS = 200;
    private static final long SHORT_MS = 1_000;
    private static final String ME = SignDecides.class.getName();

    /** Like a close under a lock. */
    private static final Sign CLOSES = Sign.heldBy(
        Sign.Place.thread("waiter").and(Sign.Place.in(ME, "lockIt")), Sign.Place.in(ME, "close"));

    private static final Sign WAITS = Sign.at(Sign.Place.in(ME, "close"));
    private static final BooleanSupplier NEVER = () -> false;

    public static void main(String[] args) throws Exception {
        for (boolean monitor : new boolean[] {true, false}) {
            ownerInClose(monitor);
            ownerIsMerelySlow(monitor);
            ownersOwnerInClose(monitor);
        }
        placeAlone();
        looksAreTheClock();
        holdersInTurnDoNotAddUp();
        standstillIsNoWait();
        whatIsWithheldIsKnown();
    }

    /** @param monitor true for a monitor, as in 8 and 11; false for a ReentrantLock, as in 17 */
    private static void ownerInClose(boolean monitor) throws Exception {
        Scene scene = new Scene(monitor);
        scene.hold("holder", true);
        scene.waiter("waiter");
        verdict(CLOSES, NEVER, Outcome.REPRODUCED, "Seen (x_ms 2");
        Findings findings = verdict(CLOSES, () -> true, Outcome.NOT_REPRODUCED, "Unseen (x_ms 0");
        Check.that(findings.facts().get("looks").equals(0), "over before the first look");
        Check.that("holder".equals(
            verdict(CLOSES, NEVER, Outcome.REPRODUCED, "Seen").facts().get("holder")), "who");
        scene.end();
    }

    /** A symptom without its mechanism: inconclusive, or not reproduced if it just ends late. */
    private static void ownerIsMerelySlow(boolean monitor) throws Exception {
        Scene scene = new Scene(monitor);
        scene.hold("holder", false);
        // Another thread, which closes without holding this lock: a coincidence.
        Scene beside = new Scene(monitor);
        beside.hold("closer", true);
        scene.waiter("waiter");
        Findings findings = verdict(CLOSES, NEVER, Outcome.INCONCLUSIVE,
            "was not seen for long enough (x_ms 0, bound 200); ");
        Check.that(findings.reason().contains("What was watched was not over after ")
            && findings.reason().contains("withh"), findings.reason());
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2 * BOUND_MS);
        verdict(CLOSES, () -> System.nanoTime() - until > 0, Outcome.NOT_REPRODUCED,
            "Unseen (x_ms 0, bound 200)");
        scene.end();
        beside.end();
    }

    private static void ownersOwnerInClose(boolean monitor) throws Exception {
        Scene far = new Scene(monitor);
        far.hold("far", true);
        Scene near = new Scene(monitor);
        Thread between = near.start("between", () -> near.lockIt(() -> far.lockIt(() -> { })));
        near.awaitBlocked(between);
        near.waiter("waiter");
        Findings findings = verdict(CLOSES, NEVER, Outcome.REPRODUCED, "Seen");
        Check.that("far".equals(findings.facts().get("holder")), "" + findings.facts());
        far.end();
        near.end();
    }

    private static void placeAlone() throws Exception {
        verdict(WAITS, NEVER, Outcome.INCONCLUSIVE, "x_ms 0");
        Scene scene = new Scene(true);
        scene.hold("holder", true);
        Findings findings = verdict(WAITS, NEVER, Outcome.REPRODUCED, "Seen");
        Check.that(!findings.facts().containsKey("waiter"), "nobody else: " + findings.facts());
        scene.end();
    }

    /** Rare looks count little, as on a machine that is short of CPU. */
    private static void looksAreTheClock() throws Exception {
        Scene scene = new Scene(true);
        scene.hold("holder", true);
        Watch watch = new Watch(WAITS);
        watch.until(() -> {
            scene.sleep(BOUND_MS);
            return false;
        }, BOUND_MS);
        Findings findings = new Findings();
        watch.tell(findings);
        Check.that((int) findings.facts().get("looks_that_saw_it") >= 3, "" + findings.facts());
        scene.end();
    }

    /** Threads that each hold a lock for a moment delay no thread for long. */
    private static void holdersInTurnDoNotAddUp() throws Exception {
        Scene one = new Scene(true);
        one.hold("one", true);
        Scene two = new Scene(true);
        two.hold("two", true);
        boolean[] odd = new boolean[1];
        Sign inTurn = look -> {
            odd[0] = !odd[0];
            return Sign.at(Sign.Place.thread(odd[0] ? "one" : "two")).in(look);
        };
        Findings findings = verdict(inTurn, NEVER, Outcome.INCONCLUSIVE, "x_ms 0");
        Check.that((int) findings.facts().get("looks_that_saw_it") > 2, "" + findings.facts());
        one.end();
        two.end();
    }

    /** If the JVM stands still at the first look, the wait goes on; later looks see the end. */
    private static void standstillIsNoWait() throws Exception {
        int patienceMs = 30;
        AtomicInteger looks = new AtomicInteger();
        CompletableFuture<String> request = new CompletableFuture<String>() {
            @Override
            public boolean isDone() {
                if (looks.getAndIncrement() == 0) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2 * patienceMs));
                }
                return looks.get() > 3;
            }
        };
        request.complete("");
        String end = Ending.of(request, patienceMs);
        Check.that(end.equals(Ending.REPLY), "it stood still, and ended with: " + end);
    }

    /** Twice as many busy threads, or processes, as CPUs are denied half of what they want. */
    private static void whatIsWithheldIsKnown() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        withheldFrom("threads", () -> {
            TlsPeer.daemon("spinner", () -> {
                while (end.getCount() > 0) { }
            }).start();
        });
        end.countDown();
        List<Process> processes = new ArrayList<>();
        try {
            withheldFrom("processes", () -> {
                Process process = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
                processes.add(process);
                Withheld.countToo(process);
            });
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    private static void withheldFrom(String what, Spin spin) throws Exception {
        Withheld withheld = new Withheld();
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
            spin.begin();
        }
        Thread.sleep(SHORT_MS);
        Findings findings = new Findings();
        withheld.tell(findings);
        if (findings.facts().containsKey("withheld_ms")) {
            Check.that(withheld.ms() >= SHORT_MS / 4 && withheld.givenMs() >= SHORT_MS / 20,
                "of 1 s for twice as many " + what + " as CPUs: " + withheld);
        }
    }

    /** Starts a thread or process that keeps a CPU busy. */
    private interface Spin {
        void begin() throws Exception;
    }

    private static Findings verdict(Sign sign, BooleanSupplier over, Outcome outcome,
            String reason) throws Exception {
        Findings findings = new Findings();
        Watch watch = new Watch(sign, new Patience(
            outcome == Outcome.INCONCLUSIVE ? SHORT_MS : Client.PATIENCE_MS));
        watch.until(over, BOUND_MS);
        findings.judge("x_ms", watch, BOUND_MS, "Seen", "Unseen");
        Check.that(findings.outcome() == outcome, "not " + outcome + ": " + findings.reason());
        Check.that(findings.reason().contains(reason), "no " + reason + ": " + findings.reason());
        return findings;
    }

    /** A lock, threads that hold it or wait for it, and their end. */
    private static final class Scene {
        private final boolean monitor;
        private final ReentrantLock lock = new ReentrantLock(true);
        private final CountDownLatch mayEnd = new CountDownLatch(1);

        Scene(boolean monitor) {
            this.monitor = monitor;
        }

        /** Starts a thread of this name; returns when it holds the lock. */
        void hold(String name, boolean inClose) throws Exception {
            CountDownLatch held = new CountDownLatch(1);
            start(name, () -> lockIt(() -> {
                held.countDown();
                if (inClose) {
                    close();
                } else {
                    awaitEnd();
                }
            }));
            held.await();
        }

        void waiter(String name) throws Exception {
            awaitBlocked(start(name, () -> lockIt(() -> { })));
        }

        void end() {
            mayEnd.countDown();
        }

        Thread start(String name, Runnable task) {
            Thread thread = TlsPeer.daemon(name, task);
            thread.start();
            return thread;
        }

        void awaitBlocked(Thread thread) {
            while (thread.getState() != Thread.State.BLOCKED
                    && thread.getState() != Thread.State.WAITING) {
                sleep(1);
            }
        }

        void sleep(long ms) {
            try {
                Thread.sleep(ms);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        void lockIt(Runnable task) {
            SignDecides.lockIt(monitor ? null : lock, this, task);
        }

        private void close() {
            SignDecides.close(mayEnd);
        }

        private void awaitEnd() {
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static void close(CountDownLatch mayEnd) {
        try {
            mayEnd.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void lockIt(ReentrantLock lock, Object monitor, Runnable task) {
        if (lock == null) {
            synchronized (monitor) {
                task.run();
            }
        } else {
            lock.lock();
            try {
                task.run();
            } finally {
                lock.unlock();
            }
        }
    }
}
