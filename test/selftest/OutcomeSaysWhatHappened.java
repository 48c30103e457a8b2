// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary Each end of a case writes its word, with figure and bound, and tells jtreg rightly
 * @key selftest
 * @library /lib
 * @run main/othervm OutcomeSaysWhatHappened
 */

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import jtreg.SkippedException;

public class OutcomeSaysWhatHappened {
    private static final String OUTCOME = "outcome.json";
    private static final String CONTROL = "control-tls12.json";
    private static final String FAILS = "CaseEnd";
    private static final String SKIPS = "jtreg.SkippedException";
    private static final String PASSES = "nothing";

    public static void main(String[] args) throws Exception {
        subject("reproduced", FAILS,
            (which, f) -> f.judgeCount("x_ms", 900, 500, "ms", "Seen", "Unseen"));
        subject("reproduced", FAILS,
            (which, f) -> f.judgeCount("x_ms", 500, 500, "ms", "Seen", "Unseen"));
        subject("not-reproduced", PASSES,
            (which, f) -> f.judgeCount("x_ms", 499, 500, "ms", "Seen", "Unseen"));
        subject("inconclusive", FAILS, (which, f) -> f.require(false, "Unmet."));
        subject("not-applicable", SKIPS, (which, f) -> {
            throw new CaseEnd(Outcome.NOT_APPLICABLE, "No TLSv1.3.");
        });
        subject("error", FAILS, (which, f) -> {
            throw new IOException("a \"quoted\"\nfailure");
        });
        subject("error", FAILS, (which, f) -> f.fact("judged", false));
        subject("error", FAILS, (which, f) -> {
            f.judgeCount("x_ms", 1, 500, "ms", "Seen", "Unseen");
            throw new IOException("after the judgement");
        });
        counts();
        controls();
        staleFilesGo();
        badCaseIsRefused();
    }

    private static void subject(String word, String end, Reproducer.Body body) throws Exception {
        Path directory = fresh();
        String got = run(Case.SUBJECT, body, directory);
        Check.that(got.equals(end), word + " ended with " + got + ", not " + end);
        expect(directory, OUTCOME, "\"outcome\": \"" + word + "\"");
        expect(directory, OUTCOME, "\"schema\": 1, \"test\": \"T\", \"bug\": \"JDK-1\","
            + " \"case\": \"subject\"");
        if (word.endsWith("reproduced")) {
            expect(directory, OUTCOME, "\"bound\": 500, \"unit\": \"ms\"");
            expect(directory, OUTCOME, "bound 500).\"");
        }
        Check.that(!Files.exists(directory.resolve(OUTCOME + ".part")), "a part file is left");
    }

    private static void counts() throws Exception {
        for (int value = 0; value <= 1; value++) {
            int seen = value;
            Path directory = fresh();
            String got = run(Case.SUBJECT, (which, f) -> {
                f.judgeCount("replies", seen, 1, "replies", "Seen", "Unseen");
            }, directory);
            Check.that(got.equals(seen == 1 ? FAILS : PASSES), "count " + seen + ": " + got);
            expect(directory, OUTCOME, "\"bound\": 1, \"unit\": \"replies\"");
            expect(directory, OUTCOME, seen == 1 ? "\"Seen (replies 1" : "\"Unseen (replies 0");
        }
    }

    /** The subject runs whatever a control shows, and fails if the control does not hold. */
    private static void controls() throws Exception {
        Reproducer.Body unseen = (which, f) -> f.judgeCount("x", 0, 1, "x", "Seen", "Unseen");
        Reproducer.Body notApplicable = (which, f) -> {
            throw new CaseEnd(Outcome.NOT_APPLICABLE, "No TLSv1.3.");
        };
        control("not-reproduced", unseen, PASSES, PASSES, SKIPS);
        control("reproduced", (which, f) -> f.judgeCount("x", 1, 1, "x", "Seen", "Unseen"),
            PASSES, FAILS, FAILS);
        control("inconclusive", (which, f) -> f.require(false, "Unmet."), PASSES, FAILS, FAILS);
        control("error", (which, f) -> f.fact("judged", false), PASSES, FAILS, FAILS);
        control("not-applicable", notApplicable, SKIPS, FAILS, SKIPS);

        Path directory = fresh();
        run(Case.TLS12, (which, f) -> f.require(false, "Un\"met."), directory);
        String end = runSays(Case.SUBJECT, unseen, directory);
        Check.that(end.contains("Unseen (x 0, bound 1). But the control tls12 is inconclusive: Un"),
            "which control failed is not said: " + end);
        expect(directory, OUTCOME, "\"outcome\": \"not-reproduced\"");
        Files.write(directory.resolve(CONTROL), "{}".getBytes(StandardCharsets.UTF_8));
        end = runSays(Case.SUBJECT, unseen, directory);
        Check.that(end.contains("the control tls12 left no outcome"), end);
    }

    private static void control(String word, Reproducer.Body body, String itsEnd,
            String endOfSubject, String endOfSkipped) throws Exception {
        Path directory = fresh();
        String got = run(Case.TLS12, body, directory);
        Check.that(got.equals(itsEnd), "a control that is " + word + " ended with " + got);
        expect(directory, CONTROL, "\"outcome\": \"" + word + "\"");
        Check.that(!Files.exists(directory.resolve(OUTCOME)), "a control wrote the verdict");
        got = run(Case.SUBJECT, (which, f) -> f.judgeCount("x", 0, 1, "x", "Seen", "Unseen"),
            directory);
        Check.that(got.equals(endOfSubject), "after a control that is " + word + ": " + got);
        expect(directory, OUTCOME, "\"outcome\": \"not-reproduced\"");
        got = run(Case.SUBJECT, (which, f) -> {
            throw new CaseEnd(Outcome.NOT_APPLICABLE, "No TLSv1.3.");
        }, directory);
        Check.that(got.equals(endOfSkipped), "skipped, after one that is " + word + ": " + got);

        // A control's file that another test left in this directory does not count.
        Path file = directory.resolve(CONTROL);
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        Files.write(file, text.replace("\"test\": \"T\"", "\"test\": \"Other\"")
            .getBytes(StandardCharsets.UTF_8));
        got = run(Case.SUBJECT, (which, f) -> f.judgeCount("x", 0, 1, "x", "Seen", "Unseen"),
            directory);
        Check.that(got.equals(PASSES), "after another test's control: " + got);
    }

    private static void staleFilesGo() throws Exception {
        Path directory = fresh();
        Files.write(directory.resolve(OUTCOME), "old".getBytes(StandardCharsets.UTF_8));
        run(Case.TLS12, (which, f) -> f.judgeCount("x", 0, 1, "x", "Seen", "Unseen"), directory);
        Check.that(!Files.exists(directory.resolve(OUTCOME)), "an old verdict must not survive");
    }

    private static void badCaseIsRefused() {
        try {
            Case.of(new String[] {"tls13"});
        } catch (CaseEnd e) {
            Check.that(e.getMessage().contains("[tls13]: give one of tls12"), e.getMessage());
            return;
        }
        throw new AssertionError("an unknown case must be refused");
    }

    private static String run(Case which, Reproducer.Body body, Path directory)
            throws IOException {
        return runSays(which, body, directory).split(":", 2)[0];
    }

    /** @return as "CaseEnd: reproduced (subject): Seen ..." */
    private static String runSays(Case which, Reproducer.Body body, Path directory)
            throws IOException {
        try {
            Reproducer.run("T", "JDK-1", which, body, directory, Deadline.SECONDS);
            return PASSES;
        } catch (CaseEnd | SkippedException e) {
            return e.toString();
        }
    }

    private static void expect(Path directory, String name, String part) throws IOException {
        String text =
            new String(Files.readAllBytes(directory.resolve(name)), StandardCharsets.UTF_8);
        Check.that(text.contains(part), name + " lacks " + part + ": " + text);
    }

    private static Path fresh() throws IOException {
        return Files.createTempDirectory(Paths.get(""), "outcome");
    }
}
