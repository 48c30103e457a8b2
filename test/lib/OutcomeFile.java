// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What does the kit read? {@code outcome.json} of the subject, {@code control-<case>.json} of a
 * control, schema 1, written in one step so that a reader never sees half of it. A control that
 * does not hold writes outcome.json too, because jtreg then never comes to the subject.
 */
final class OutcomeFile {
    static final int SCHEMA = 1;
    static final String OUTCOME = "outcome.json";

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

    /** Removes what an earlier run left: after a crash no old verdict must be found. */
    void forget() throws IOException {
        Files.deleteIfExists(directory.resolve(name()));
        Files.deleteIfExists(directory.resolve(OUTCOME));
    }

    void write(Findings findings) throws IOException {
        write(name(), findings.outcome(), findings.reason(), findings);
        if (which != Case.SUBJECT) {
            Outcome outcome = findings.outcome();
            if (outcome == Outcome.REPRODUCED) {
                write(OUTCOME, Outcome.INCONCLUSIVE, "The control " + which.word
                    + " shows the symptom where it must not: " + findings.reason(), findings);
            } else if (outcome == Outcome.INCONCLUSIVE || outcome == Outcome.ERROR) {
                write(OUTCOME, outcome,
                    "The control " + which.word + " failed: " + findings.reason(), findings);
            }
        }
    }

    private String name() {
        return which == Case.SUBJECT ? OUTCOME : "control-" + which.word + ".json";
    }

    private void write(String name, Outcome outcome, String reason, Findings findings)
            throws IOException {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("schema", SCHEMA);
        content.put("test", test);
        content.put("bug", bug);
        content.put("case", which.word);
        content.put("outcome", outcome.word);
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
        java.put("home", System.getProperty("java.home"));
        // Java 8 has no other public way to its own pid than this name, pid@host.
        String name = ManagementFactory.getRuntimeMXBean().getName();
        java.put("pid", Long.parseLong(name.substring(0, name.indexOf('@'))));
        return java;
    }
}
