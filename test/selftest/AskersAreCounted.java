// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary Threads that ask at once are seen waiting where a lock is held, and nowhere else
 * @key selftest
 * @library /lib
 * @run main/othervm AskersAreCounted
 */

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

public class AskersAreCounted {
    private static final long HELD_MS = 2;
    private static final long PATIENCE_MS = 2_000;

    private static final Object MONITOR = new Object();
    private static final ReentrantLock LOCK = new ReentrantLock();

    public static void main(String[] args) throws Exception {
        Findings findings = new Findings();
        Check.that(look(AskersAreCounted::holdMonitor, findings).seen(), "no wait for a monitor");
        Check.that(String.valueOf(findings.facts().get("waiter")).startsWith("asker-"),
            "who waits is not said: " + findings.facts());
        AskedAtOnce atLock = look(AskersAreCounted::holdLock, findings);
        Check.that(atLock.seen(), "no wait for a ReentrantLock");
        Check.that(atLock.who().contains(" in AskersAreCounted.holdLock for one that asker-"),
            "where it waits, and for whom, is not said: " + atLock.who());
        unseen("a slow answer", () -> Thread.sleep(HELD_MS));
        unseen("a lock that is held for no time", () -> {
            synchronized (MONITOR) {
                Thread.interrupted();
            }
        });
        unseen("a lock elsewhere", Elsewhere::hold);
        ends("was not answered", () -> new CountDownLatch(1).await());
        ends("broke", () -> {
            throw new IllegalStateException("broke");
        });
    }

    private static void holdMonitor() throws InterruptedException {
        synchronized (MONITOR) {
            Thread.sleep(HELD_MS);
        }
    }

    private static void holdLock() throws InterruptedException {
        LOCK.lock();
        try {
            Thread.sleep(HELD_MS);
        } finally {
            LOCK.unlock();
        }
    }

    private static void unseen(String what, TimedCall.Call question) throws Exception {
        AskedAtOnce asked = look(question, new Findings());
        Check.that(!asked.seen(), what + " was taken for a lock that is held: " + asked.who());
    }

    private static void ends(String reason, TimedCall.Call question) {
        try {
            look(question, new Findings());
        } catch (Exception e) {
            Check.that(e.getMessage().contains(reason), "not \"" + reason + "\", but " + e);
            return;
        }
        throw new AssertionError("not refused: " + reason);
    }

    private static AskedAtOnce look(TimedCall.Call question, Findings findings) throws Exception {
        AskedAtOnce asked = new AskedAtOnce(thread -> {
            for (StackTraceElement frame : thread.getStackTrace()) {
                if (frame.getClassName().equals("AskersAreCounted")) {
                    return true;
                }
            }
            return false;
        });
        for (int i = 1; i <= 3; i++) {
            asked.by("asker-" + i, question);
        }
        asked.look(anybody -> true, PATIENCE_MS);
        asked.check(findings);
        return asked;
    }

    /** A class outside the place in which a waiting thread counts. */
    private static final class Elsewhere {
        static void hold() throws InterruptedException {
            synchronized (Elsewhere.class) {
                Thread.sleep(HELD_MS);
            }
        }
    }
}
