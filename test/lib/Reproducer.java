// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Map;
import jtreg.SkippedException;

/**
 * How does a reproducer run? It measures, and this class does the rest: case, deadline, outcome
 * file, printed report, and the exception for jtreg. A failure of any kind cannot end as a pass,
 * because without a judgement the outcome is an error.
 */
final class Reproducer {
    /** The part that each reproducer has of its own. */
    interface Body {
        void measure(Case which, Findings findings) throws Exception;
    }

    private Reproducer() { }

    /**
     * Runs one case and writes its file into the current directory.
     *
     * @param test the public class of the reproducer
     * @param bug as {@code JDK-8293562}
     * @param args of main: the case
     * @throws CaseEnd where jtreg must see a failure
     * @throws SkippedException where the bug cannot show
     */
    static void run(String test, String bug, String[] args, Body body) throws IOException {
        run(test, bug, Case.of(args), body, Paths.get(""), Deadline.SECONDS);
    }

    /** For the kit's own tests: with a directory and a deadline of their choice. */
    static void run(String test, String bug, Case which, Body body, Path directory, long deadlineS)
            throws IOException {
        OutcomeFile file = new OutcomeFile(directory, test, bug, which);
        file.forget();
        System.out.println("# test: " + test + ", " + bug + ", case " + which.word);
        System.out.println("# java: " + System.getProperty("java.runtime.version") + ", "
            + System.getProperty("java.vendor"));
        Findings findings = new Findings();
        Deadline.start(deadlineS, findings, file);
        measure(which, body, findings);
        file.write(findings);
        print(findings);
        file.tellShell(findings.outcome());
        tellJtreg(which, findings, file);
    }

    private static void measure(Case which, Body body, Findings findings) {
        try {
            body.measure(which, findings);
            if (findings.outcome() == null) {
                findings.end(Outcome.ERROR, "The reproducer ended without a judgement.");
            }
        } catch (CaseEnd e) {
            findings.end(e.outcome, e.getMessage());
        } catch (Throwable e) {
            e.printStackTrace();
            findings.end(Outcome.ERROR, "The reproducer broke with " + e + ".");
        }
    }

    private static void print(Findings findings) {
        for (Map<String, Object> figure : findings.figures()) {
            System.out.println(figure.get("name") + " = " + figure.get("value") + " "
                + figure.get("unit") + " (bound " + figure.get("bound") + ")");
        }
        for (Map.Entry<String, Object> fact : findings.facts().entrySet()) {
            System.out.println("  " + fact.getKey() + ": " + fact.getValue());
        }
        System.out.println(findings.outcome().word + ": " + findings.reason());
    }

    /**
     * A control that does not hold is no failure yet: jtreg would stop there, and the subject must
     * run as well. The subject then fails in its place.
     */
    private static void tellJtreg(Case which, Findings findings, OutcomeFile file)
            throws IOException {
        Outcome outcome = findings.outcome();
        if (which != Case.SUBJECT && outcome != Outcome.NOT_APPLICABLE && file.readBySubject()) {
            return;
        }
        String failing = which == Case.SUBJECT
            ? String.join(" And ", file.controlsThatFail(outcome)) : "";
        if (outcome == Outcome.NOT_APPLICABLE && failing.isEmpty()) {
            throw new SkippedException(findings.reason());
        }
        if (outcome != Outcome.NOT_REPRODUCED || !failing.isEmpty()) {
            throw new CaseEnd(outcome, outcome.word + " (" + which.word + "): "
                + findings.reason() + (failing.isEmpty() ? "" : " But " + failing));
        }
    }
}
