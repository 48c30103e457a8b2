// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * What if a case hangs? After its deadline a thread dump goes to stderr, the outcome is written as
 * {@code error}, and the JVM is halted: a hang is never taken for a reproduced bug, and no JVM of
 * the suite outlives its parent for long. CPU time that the machine withholds does not count, as in
 * {@link Patience}.
 */
final class Deadline {
    /** No JVM of the suite runs for longer than {@link Patience#MOST} times this. */
    static final long SECONDS = 60;

    private static final long LOOK_EVERY_MS = 1_000;
    private static final int HALT_STATUS = 3;

    private Deadline() { }

    static void start(long seconds, Findings findings, OutcomeFile file) {
        Patience patience = new Patience(TimeUnit.SECONDS.toMillis(seconds));
        TlsPeer.daemon("deadline", () -> watch(seconds, patience, findings, file)).start();
    }

    private static void watch(long seconds, Patience patience, Findings findings,
            OutcomeFile file) {
        try {
            while (patience.left()) {
                Thread.sleep(LOOK_EVERY_MS);
                // Read now and then, because what a thread was denied is lost when it ends.
                patience.withheld().ms();
            }
            System.err.println(Stacks.dump());
            findings.end(Outcome.ERROR, "The case was not over after "
                + TimeUnit.MILLISECONDS.toSeconds(patience.elapsedMs()) + " s (deadline " + seconds
                + " s, and at most " + Patience.MOST * seconds + " s where CPU is withheld); "
                + patience.withheld() + "; a thread dump is on stderr.");
            file.writeHalted(findings);
            System.err.println("error: " + findings.reason());
        } catch (InterruptedException | IOException e) {
            System.err.println("error: the deadline could not write the outcome: " + e);
        } finally {
            System.err.flush();
            Runtime.getRuntime().halt(HALT_STATUS);
        }
    }
}
