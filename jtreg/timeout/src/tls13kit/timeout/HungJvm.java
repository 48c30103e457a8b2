// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.timeout;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * How is a JVM that hangs asked what it does? By {@code jcmd} of the JDK that this runs on, which
 * works from 17 on 8 to 25; a JVM that does not answer gets SIGQUIT, and prints its dump to its own
 * standard output.
 */
final class HungJvm {
    /** A healthy JVM answers within a second, on a loaded machine within three. */
    private static final long ANSWER_TIMEOUT_S = 10;
    private static final long SIGNAL_TIMEOUT_S = 5;
    private static final long PRINTING_MS = 1_000;

    private final long pid;
    private final Path folder;
    private final PrintWriter log;
    private boolean answers = true;

    HungJvm(long pid, Path folder, PrintWriter log) {
        this.pid = pid;
        this.folder = folder;
        this.log = log;
    }

    /** Writes {@code hang-PID.jfr}, if the JVM records. The recording goes on. */
    void dumpRecording() throws InterruptedException {
        Path recording = folder.resolve("hang-" + pid + ".jfr");
        Path answer = folder.resolve("hang-" + pid + "-recording.txt");
        // Refused is an answer too: there may be no recording.
        answers = ask(answer, "JFR.dump", "filename=\"" + recording + "\"").isPresent();
        if (!Files.exists(recording)) {
            log.println("No flight recording of process " + pid + "; see " + answer.getFileName());
        } else {
            delete(answer);
        }
    }

    /** Writes {@code hang-PID-threads-N.txt}: threads, monitors and owned locks. */
    void dumpThreads(int n) throws InterruptedException {
        Path dump = folder.resolve("hang-" + pid + "-threads-" + n + ".txt");
        if (answers && ask(dump, "Thread.print", "-l").orElse(-1) == 0) {
            return;
        }
        answers = false;
        delete(dump);
        log.println("Process " + pid + " does not answer jcmd; thread dump " + n
                + " by SIGQUIT is in its standard output.");
        run(List.of("kill", "-QUIT", Long.toString(pid)), null, SIGNAL_TIMEOUT_S);
        // Nothing tells that the JVM has printed it all, and the kill comes soon.
        Thread.sleep(PRINTING_MS);
    }

    private OptionalInt ask(Path answer, String... question) throws InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        List<String> command = new ArrayList<>(List.of(jcmd.toString(), Long.toString(pid)));
        command.addAll(List.of(question));
        return run(command, answer.toFile(), ANSWER_TIMEOUT_S);
    }

    /** The command's exit code; empty if it had not ended in time, or could not start. */
    private OptionalInt run(List<String> command, File output, long timeoutS)
            throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(output == null
                ? ProcessBuilder.Redirect.DISCARD : ProcessBuilder.Redirect.to(output));
        try {
            Process process = builder.start();
            try {
                if (process.waitFor(timeoutS, TimeUnit.SECONDS)) {
                    return OptionalInt.of(process.exitValue());
                }
                log.println(command.get(0) + " had no answer from process " + pid + " within "
                        + timeoutS + " s.");
                return OptionalInt.empty();
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            log.println(e.getMessage());
            return OptionalInt.empty();
        }
    }

    private void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            log.println(e.getMessage());
        }
    }
}
