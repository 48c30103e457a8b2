// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Do threads that ask at once wait for one another? Each asks again and again, with a pause, so
 * that a lock held for microseconds is hardly ever seen taken, and one held for milliseconds nearly
 * always. What is counted are looks at all threads in which one that asks waits for a lock that
 * another holds: no busy machine makes a lock where there is none, or takes one away.
 */
final class AskedAtOnce {
    private static final int LOOKS = 40;

    // Where there is no lock nobody is ever seen waiting for it. A thread that loses its CPU in
    // the microseconds for which it holds one may be seen in a few looks on end.
    static final int BOUND_LOOKS = LOOKS / 4;

    private static final long LOOK_EVERY_MS = 25;
    private static final long PAUSE_MS = 1;

    private final List<Asker> askers = new ArrayList<>();
    private final Sign.Place asked;
    private volatile boolean over;
    private int looks;
    private int looksSeen;
    private Sign.Seen shown;

    /** @param asked where whoever waits is to be, so that other locks do not count */
    AskedAtOnce(Sign.Place asked) {
        this.asked = asked;
    }

    /** Adds a thread of that name, which asks from {@link #look} on. */
    AskedAtOnce by(String threadName, TimedCall.Call call) {
        askers.add(new Asker(threadName, call));
        return this;
    }

    /** A place in a class of one of these packages, or of these names with what is nested. */
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
     * Lets them ask, and looks, some 40 times, and for longer as long as one has not been answered.
     *
     * @param holder where the owner of the lock is to be
     */
    void look(Sign.Place holder) throws Exception {
        look(holder, Client.PATIENCE_MS);
    }

    /** For the kit's own tests: with another patience for those who get no answer. */
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

    /** Throws what a thread has met; inconclusive if one does not come back, or got no answer. */
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

    /** In so many looks a thread that asked waited for a lock that another held. */
    int looksSeen() {
        return looksSeen;
    }

    boolean seen() {
        return looksSeen >= BOUND_LOOKS;
    }

    /** As a clause: where the one seen last waits, and who holds. */
    String who() {
        return shown == null ? "which nobody was seen to hold" : shown.waiter.getThreadName()
            + " in " + place(shown.waiter) + " for one that " + shown.holder.getThreadName()
            + " held";
    }

    private boolean settled() {
        return seen() || !answers().contains(0);
    }

    /** One that has ended while they ask has met with an exception. */
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

    /** The innermost method that is the question's own: beneath it are those of the lock. */
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
