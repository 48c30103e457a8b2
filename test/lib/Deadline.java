// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * What if a case hangs? After its deadline a thread dump goes to stderr, the outcome is written as
 * {@code error}, and the JVM is halted: a build that hangs is never taken for one that reproduces,
 * and no JVM of the suite outlives its parent for long.
 */
final class Deadline {
    /** No JVM of the suite outlives this. */
    static final long SECONDS = 60;

    private static final int HALT_STATUS = 3;

    private Deadline() { }

    static void start(long seconds, Findings findings, OutcomeFile file) {
        TlsPeer.daemon("deadline", () -> watch(seconds, findings, file)).start();
    }

    private static void watch(long seconds, Findings findings, OutcomeFile file) {
        try {
            TimeUnit.SECONDS.sleep(seconds);
            System.err.println(Stacks.dump());
            findings.end(Outcome.ERROR, "The case was not over after " + seconds
                + " s (deadline " + seconds + " s); a thread dump is on stderr.");
            file.write(findings);
            System.err.println("error: " + findings.reason());
        } catch (InterruptedException | IOException e) {
            System.err.println("error: the deadline could not write the outcome: " + e);
        } finally {
            System.err.flush();
            Runtime.getRuntime().halt(HALT_STATUS);
        }
    }
}
