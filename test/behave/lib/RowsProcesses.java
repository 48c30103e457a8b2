// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The JVMs of rows with the same options: the next one takes what the last one left. */
final class RowsProcesses {
    /** Without a new line from its rows, a JVM is taken to stand still. */
    private static final long STANDS_STILL_MS = 60_000;

    /** To ask what CPU time was withheld reads a file for each thread of the JVM. */
    private static final long LOOK_EVERY_MS = 2_000;

    private static final int MOST_STARTS_IN_VAIN = 3;

    private final Path plan = Paths.get("rows-plan.txt").toAbsolutePath();
    private final Class<?> test;
    private final List<String> options;
    private final ObservationsFile file;
    private int jvms;

    /** Of the JVM that planned, which has tried some of the rows. */
    private RowsReport first;

    RowsProcesses(Class<?> test, List<String> options, ObservationsFile file) {
        this.test = test;
        this.options = options;
        this.file = file;
    }

    /** Has a JVM plan the rows; it goes on with those that need no options. */
    List<PlannedRow> plan() throws IOException, InterruptedException {
        Files.deleteIfExists(plan);
        for (int i = 0; i < MOST_STARTS_IN_VAIN && !Files.exists(plan); i++) {
            first = start(Collections.emptyList());
        }
        if (!Files.exists(plan)) {
            throw vain(MOST_STARTS_IN_VAIN, first);
        }
        return PlannedRow.read(plan);
    }

    /** Runs them all. Those in which a JVM ended are each tried again in a JVM of their own. */
    void run(List<PlannedRow> rows) throws IOException, InterruptedException {
        Map<String, PlannedRow> left = new LinkedHashMap<>();
        rows.forEach(row -> left.put(row.id, row));
        int vain = 0;
        while (!left.isEmpty()) {
            RowsReport report = first == null ? start(new ArrayList<>(left.keySet())) : first;
            first = null;
            int before = left.size();
            take(report, left);
            for (String suspect : report.begun()) {
                RowsReport alone = start(Collections.singletonList(suspect));
                take(alone, left);
                PlannedRow row = left.remove(suspect);
                if (row != null) {
                    file.add(row, ObservationsFile.ENDS_JVM, "ends the JVM, exit code "
                        + alone.exitCode, Collections.emptyList(), 0);
                }
            }
            vain = left.size() < before ? 0 : vain + 1;
            if (vain == MOST_STARTS_IN_VAIN) {
                throw vain(vain, report);
            }
        }
    }

    private static IOException vain(int starts, RowsReport report) {
        return new IOException("the JVM of the rows ended " + starts
            + " times before its first row, with exit code " + report.exitCode);
    }

    private void take(RowsReport report, Map<String, PlannedRow> left) throws IOException {
        for (RowsReport.Line line : report.ended()) {
            PlannedRow row = left.remove(line.row);
            file.add(row, line.status, line.text, report.notes(line.row), line.ms);
        }
    }

    private RowsReport start(List<String> ids) throws IOException, InterruptedException {
        jvms++;
        Path wanted = Paths.get("rows-" + System.nanoTime() + "-" + jvms + ".txt").toAbsolutePath();
        Path report = wanted.resolveSibling(wanted.getFileName() + ".report");
        Files.write(wanted, ids, StandardCharsets.UTF_8);
        Files.write(report, new byte[0]);
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(options);
        Collections.addAll(command, "-cp", System.getProperty("test.class.path",
            System.getProperty("java.class.path")), test.getName(), BehaveSuite.CHILD,
            report.toString(), wanted.toString(), plan.toString());
        // Its input stays open: once this JVM ends, that one sees it and ends too.
        Process process = new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Withheld.countToo(process);
        await(process, report.toFile());
        return new RowsReport(report, process.waitFor());
    }

    private static void await(Process process, File report) throws InterruptedException {
        Patience patience = new Patience(STANDS_STILL_MS);
        long bytes = 0;
        while (!process.waitFor(LOOK_EVERY_MS, TimeUnit.MILLISECONDS)) {
            if (report.length() > bytes) {
                bytes = report.length();
                patience = new Patience(STANDS_STILL_MS);
            } else if (!patience.left()) {
                process.destroyForcibly();
            }
        }
    }
}
