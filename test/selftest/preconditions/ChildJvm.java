// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** What does a reproducer do in a JVM and a directory of its own, with this one's class path? */
final class ChildJvm {
    // The children mostly start up and wait; more at once would only crowd a small machine.
    private static final int AT_ONCE = 3;

    final int status;
    final String output;
    private final Path directory;

    /** Runs the JVM to its end. */
    ChildJvm(String... arguments) throws Exception {
        directory = Files.createTempDirectory(Paths.get("").toAbsolutePath(), "child");
        List<String> command = new ArrayList<>();
        command.add(Paths.get(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-cp");
        command.add(System.getProperty("test.class.path",
            System.getProperty("java.class.path")));
        command.addAll(Arrays.asList(arguments));
        File log = directory.resolve("log").toFile();
        Process process = new ProcessBuilder(command).directory(directory.toFile())
            .redirectErrorStream(true).redirectOutput(log).start();
        if (!process.waitFor(Patience.MOST * Deadline.SECONDS + 10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("outlived its deadline: " + command);
        }
        status = process.exitValue();
        output = new String(Files.readAllBytes(log.toPath()), StandardCharsets.UTF_8);
    }

    /** Checks all claims, a few at a time, and says which do not hold. */
    static void checkAll(List<Callable<Void>> claims) throws InterruptedException {
        ExecutorService pool =
            Executors.newFixedThreadPool(AT_ONCE, task -> TlsPeer.daemon("claim", task));
        List<String> broken = new ArrayList<>();
        for (Future<Void> done : pool.invokeAll(claims)) {
            try {
                done.get();
            } catch (ExecutionException e) {
                broken.add(e.getCause().toString());
            }
        }
        Check.that(broken.isEmpty(), broken.size() + " of " + claims.size()
            + " claims do not hold: " + String.join("\n", broken));
    }

    /**
     * The claim that a case with these options ends with this outcome and part of a reason. A
     * subject also fails; a control that does not hold says so only in its file.
     */
    static Callable<Void> claimOf(Case which, String word, String reason, String test,
            String... options) {
        return () -> {
            List<String> arguments = new ArrayList<>(Arrays.asList(options));
            arguments.add(test);
            arguments.add(which.word);
            ChildJvm child = new ChildJvm(arguments.toArray(new String[0]));
            boolean subject = which == Case.SUBJECT;
            Check.that((child.status != 0) == subject, test + " ended with " + child.status
                + " with " + Arrays.toString(options) + ": " + child.output);
            child.expect(subject ? OutcomeFile.OUTCOME : "control-" + which.word + ".json", word,
                reason);
            return null;
        };
    }

    void expectOutcome(String word, String reason) throws Exception {
        expect(OutcomeFile.OUTCOME, word, reason);
    }

    private void expect(String name, String word, String reason) throws Exception {
        Path file = directory.resolve(name);
        Check.that(Files.exists(file), "no outcome: " + output);
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        Check.that(text.contains("\"outcome\": \"" + word + "\""), "not " + word + ": " + text);
        Check.that(text.contains(reason), "no \"" + reason + "\": " + text);
        // A tool that collects outcomes below this directory would take it for this test's own.
        Files.delete(file);
    }
}
