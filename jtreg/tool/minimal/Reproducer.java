// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** By hand, the exit code says what was found; under jtreg all but "not reproduced" fails. */
final class Reproducer {
    interface Body {
        void measure(Case which, Findings findings) throws Exception;
    }

    private Reproducer() { }

    static void run(String test, String bug, String[] args, Body body) throws Exception {
        System.out.println("# java: " + System.getProperty("java.runtime.version") + ", "
            + System.getProperty("java.vendor"));
        FutureTask<Void> subject = new FutureTask<>(() -> {
            body.measure(null, null);
            return null;
        });
        TlsPeer.daemon("subject", subject).start();
        try {
            subject.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            Findings.end(cause instanceof CaseEnd ? ((CaseEnd) cause).outcome : Outcome.ERROR,
                cause.toString());
        } catch (TimeoutException e) {
            Findings.end(Outcome.ERROR, "It was not over after 60 s.");
        }
        System.out.println(Findings.outcome() + ": " + Findings.reason());
        if (System.getProperty("test.src") == null) {
            System.exit(Findings.outcome().exitCode);
        } else if (Findings.outcome() != Outcome.NOT_REPRODUCED) {
            throw new RuntimeException(Findings.outcome() + ": " + Findings.reason());
        }
    }
}
