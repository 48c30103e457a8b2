// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Do threads that ask at the same time wait for one another? Each asks again and again, with a
 * pause, so a lock held for microseconds is hardly ever seen taken, and one held for milliseconds
 * nearly always. The figure is the number of looks at all threads in which an asking thread waits
 * for a lock that another thread holds: a busy machine neither adds a lock nor takes one away.
 */
final class AskedAtOnce {
    private static final int LOOKS = 40;

    // Without a lock no thread is ever seen waiting. A thread that loses its CPU in the
    // microseconds for which it holds a lock may be seen in a few successive looks.
    static final int BOUND_LOOKS = LOOKS / 4;

    private static final long LOOK_EVERY_MS = 25;
    private static final long PAUSE_MS = 1;

    private final List<Asker> askers = new ArrayList<>();
    private final Sign.Place asked;
    private volatile boolean over;
    private int looks;
    private int looksSeen;
    private Sign.Seen shown;

    /** @param asked where a waiting thread must be, so that other locks do not count */
    AskedAtOnce(Sign.Place asked) {
        this.asked = asked;
    }

    /** Adds a thread of that name, which asks from {@link #look} on. */
    AskedAtOnce by(String threadName, TimedCall.Call call) {
        askers.add(new Asker(threadName, call));
        return this;
    }

    /** A thread in a class whose name begins with one of these: a package or a top-level class. */
    static Sign.Place within(String... prefixes) {
        return thread -> {
            for (StackTraceElement frame : thread.getStackTrace()) {
                for (String prefix : prefixes) {
                    if (frame.getClassName().startsWith(prefix)) {
                        return true;
                    }
                }
            }
            return false;
        };
    }

    /**
     * Lets the threads ask and looks at them 40 times; then goes on until each has got an answer,
     * enough waits were seen, a thread has ended, or patience ends.
     *
     * @param holder where the owner of the lock must be
     */
    void look(Sign.Place holder) throws Exception {
        look(holder, Client.PATIENCE_MS);
    }

    /** For the kit's own tests: with another patience for threads that get no answer. */
    void look(Sign.Place holder, long patienceMs) throws Exception {
        Sign sign = Sign.heldBy(thread -> isAsker(thread) && asked.has(thread), holder);
        Patience patience = new Patience(patienceMs);
        for (Asker asker : askers) {
            asker.call = new TimedCall(asker.name, asker);
        }
        while (looks < LOOKS || !settled() && !anyEnded() && patience.left()) {
            Thread.sleep(LOOK_EVERY_MS);
            Sign.Seen seen = sign.in(Stacks.now());
            looks++;
            looksSeen += seen == null ? 0 : 1;
            shown = seen == null ? shown : seen;
        }
        over = true;
    }

    /**
     * Throws what an asking thread threw. Ends the case as inconclusive if one does not end, or got
     * no answer while too few waits were seen.
     */
    void check(Findings findings) throws Exception {
        for (Asker asker : askers) {
            if (asker.call.isOver()) {
                asker.call.ms();
            }
        }
        findings.fact("looks", looks);
        findings.fact("answers_while_looked_at", answers());
        if (seen()) {
            findings.fact("waiter", shown.waiter.getThreadName());
            findings.fact("waiter_frames", Stacks.frames(shown.waiter.getStackTrace()));
            findings.fact("holder", shown.holder.getThreadName());
            findings.fact("holder_frames", Stacks.frames(shown.holder.getStackTrace()));
        }
        findings.require(settled(), "In " + looks + " looks a thread was not answered, and none"
            + " was seen waiting for a lock often enough (" + looksSeen + ", bound " + BOUND_LOOKS
            + ").");
        for (Asker asker : askers) {
            findings.require(asker.call.over(Client.PATIENCE_MS), asker.name + " did not end.");
            asker.call.ms();
        }
    }

    /** The looks in which an asking thread waited for a lock that another thread held. */
    int looksSeen() {
        return looksSeen;
    }

    boolean seen() {
        return looksSeen >= BOUND_LOOKS;
    }

    /** A clause for a reason: where the thread seen last waits, and which thread holds the lock. */
    String who() {
        return shown == null ? "which nobody was seen to hold" : shown.waiter.getThreadName()
            + " in " + place(shown.waiter) + " for one that " + shown.holder.getThreadName()
            + " held";
    }

    private boolean settled() {
        return seen() || !answers().contains(0);
    }

    /** While the threads are to ask, one ends only by an exception. */
    private boolean anyEnded() {
        for (Asker asker : askers) {
            if (asker.call.isOver()) {
                return true;
            }
        }
        return false;
    }

    private List<Integer> answers() {
        List<Integer> answers = new ArrayList<>();
        for (Asker asker : askers) {
            answers.add(asker.answers.get());
        }
        return answers;
    }

    private boolean isAsker(ThreadInfo thread) {
        for (Asker asker : askers) {
            if (asker.name.equals(thread.getThreadName())) {
                return true;
            }
        }
        return false;
    }

    /** The innermost method of the code asked; the frames that it calls are those of the lock. */
    private String place(ThreadInfo thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            String type = frame.getClassName();
            if (!type.startsWith("java.util.") && !type.startsWith("jdk.internal.")
                    && !type.startsWith("sun.misc.")) {
                return type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName();
            }
        }
        return "no frame";
    }

    private final class Asker implements TimedCall.Call {
        private final String name;
        private final TimedCall.Call question;
        private final AtomicInteger answers = new AtomicInteger();
        private TimedCall call;

        Asker(String name, TimedCall.Call question) {
            this.name = name;
            this.question = question;
        }

        @Override
        public void run() throws Exception {
            while (!over) {
                question.run();
                if (!over) {
                    answers.incrementAndGet();
                }
                Thread.sleep(PAUSE_MS);
            }
        }
    }
}
