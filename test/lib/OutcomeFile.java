// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What does the kit read? {@code outcome.json} of the subject, {@code control-<case>.json} of a
 * control, schema 1, written in one step so that a reader never sees half of it. The subject runs
 * whatever its controls show; so it reads their files, and fails if one of them did not hold.
 */
final class OutcomeFile {
    static final int SCHEMA = 1;
    static final String OUTCOME = "outcome.json";

    private static final String HOME = System.getProperty("java.home");

    /** The parts of a file, as written below, that say what a control found. */
    private static final Pattern FOUND = Pattern.compile("\"test\": \"([^\"]*)\", .*"
        + "\"outcome\": \"([a-z-]+)\", \"reason\": \"((?:[^\"\\\\]|\\\\.)*)\"");

    private final Path directory;
    private final String test;
    private final String bug;
    private final Case which;

    OutcomeFile(Path directory, String test, String bug, Case which) {
        this.directory = directory;
        this.test = test;
        this.bug = bug;
        this.which = which;
    }

    /** For a reproducer in one file, whose user has only its exit code; here the file says more. */
    void tellShell(Outcome outcome) { }

    /** Removes what an earlier run left, so that a crash leaves no old verdict. */
    void forget() throws IOException {
        Files.deleteIfExists(directory.resolve(name(which)));
        Files.deleteIfExists(directory.resolve(OUTCOME));
    }

    void write(Findings findings) throws IOException {
        write(name(which), findings.reason(), findings);
    }

    /** As {@link #write}; a control writes outcome.json as well, as no JVM follows a halted one. */
    void writeHalted(Findings findings) throws IOException {
        write(findings);
        if (which != Case.SUBJECT) {
            write(OUTCOME, "The control " + which.word + " failed: " + findings.reason(), findings);
        }
    }

    /** Does the subject see what a control wrote? Not where no files are written. */
    boolean readBySubject() {
        return true;
    }

    /**
     * Which controls of the same test on the same JDK ran here before and did not hold? If the
     * subject is not applicable, a control may be not applicable, too.
     *
     * @return for each "the control tls12 is reproduced: " and its reason
     */
    List<String> controlsThatFail(Outcome subject) throws IOException {
        List<String> held = Arrays.asList(Outcome.NOT_REPRODUCED.word,
            subject == Outcome.NOT_APPLICABLE ? subject.word : Outcome.NOT_REPRODUCED.word);
        List<String> failing = new ArrayList<>();
        for (Case control : Case.values()) {
            Path file = directory.resolve(name(control));
            if (control == Case.SUBJECT || !Files.exists(file)) {
                continue;
            }
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            Matcher found = FOUND.matcher(text);
            if (!found.find()) {
                failing.add("the control " + control.word + " left no outcome in " + file);
            } else if (found.group(1).equals(test) && text.contains("\"home\": " + Json.text(HOME))
                    && !held.contains(found.group(2))) {
                failing.add("the control " + control.word + " is " + found.group(2) + ": "
                    + found.group(3));
            }
        }
        return failing;
    }

    private static String name(Case which) {
        return which == Case.SUBJECT ? OUTCOME : "control-" + which.word + ".json";
    }

    private void write(String name, String reason, Findings findings) throws IOException {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("schema", SCHEMA);
        content.put("test", test);
        content.put("bug", bug);
        content.put("case", which.word);
        content.put("outcome", findings.outcome().word);
        content.put("reason", reason);
        content.put("figures", findings.figures());
        content.put("facts", findings.facts());
        content.put("java", java());
        Path target = directory.resolve(name);
        Path temporary = directory.resolve(name + ".part");
        Files.write(temporary, (Json.text(content) + "\n").getBytes(StandardCharsets.UTF_8));
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE,
            StandardCopyOption.REPLACE_EXISTING);
    }

    private static Map<String, Object> java() {
        Map<String, Object> java = new LinkedHashMap<>();
        java.put("version", System.getProperty("java.runtime.version"));
        java.put("vendor", System.getProperty("java.vendor"));
        java.put("home", HOME);
        // Java 8 has no other public way to its own pid than this name, pid@host.
        String name = ManagementFactory.getRuntimeMXBean().getName();
        java.put("pid", Long.parseLong(name.substring(0, name.indexOf('@'))));
        return java;
    }
}
