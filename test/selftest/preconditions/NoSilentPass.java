// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary A reproducer whose preconditions are not met never passes
 * @key selftest
 * @library /lib /keepalive /http /httpserver /sockets /certpath
 * @build *
 * @run main/othervm NoSilentPass
 */

import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

public class NoSilentPass {
    public static void main(String[] args) throws Exception {
        List<Callable<Void>> claims = Preconditions.claims(
            "keepalive", "http", "httpserver", "sockets", "certpath");
        claims.add(() -> hangEndsAsError(Case.SUBJECT));
        claims.add(() -> hangEndsAsError(Case.TLS12));
        claims.add(NoSilentPass::deadlineIsStretched);
        ChildJvm.checkAll(claims);
    }

    /** No subject runs after a control that hangs, so the control writes the verdict, too. */
    private static Void hangEndsAsError(Case which) throws Exception {
        ChildJvm child = new ChildJvm(Hang.class.getName(), which.word, "0");
        Check.that(child.status == 3, "a hung case ended with " + child.status);
        child.expectOutcome("error", "was not over after");
        Check.that(child.output.contains("Full thread dump ") && child.output.contains("Hang.main"),
            "the dump must show where it hung: " + child.output);
        return null;
    }

    /** Four times as many busy threads as CPUs are denied three quarters of what they want. */
    private static Void deadlineIsStretched() throws Exception {
        if (Files.exists(Paths.get("/proc/self/schedstat"))) {
            int threads = 4 * Runtime.getRuntime().availableProcessors();
            ChildJvm child = new ChildJvm(Hang.class.getName(), Case.SUBJECT.word,
                Integer.toString(threads));
            Check.that(!child.output.contains("not over after 1 s"), child.output);
            child.expectOutcome("error", "(deadline 1 s, and at most 3 s where CPU is withheld);"
                + " the machine gave the JVM's threads");
        }
        return null;
    }

    /** A case that never ends, with threads that use CPU meanwhile. */
    public static final class Hang {
        static final long DEADLINE_S = 1;

        public static void main(String[] args) throws Exception {
            for (int i = 0; i < Integer.parseInt(args[1]); i++) {
                TlsPeer.daemon("spinner", () -> {
                    while (true) { }
                }).start();
            }
            Reproducer.run("Hang", "JDK-1", Case.of(new String[] {args[0]}),
                (which, findings) -> TimeUnit.HOURS.sleep(1), Paths.get(""), DEADLINE_S);
        }
    }
}
