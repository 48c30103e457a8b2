// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/** What did a JVM write of its rows? A line when one begins, ends, for a note, and when none follows. */
final class RowsReport {
    private static final String BEGUN = "begun";
    private static final String ENDED = "ended";
    private static final String NOTE = "note";
    private static final String LEFT = "left";
    private static final String TAB = "\t";

    /** How a row ended. */
    static final class Line {
        final String row;
        final String status;
        final String text;
        final long ms;

        private Line(String... words) {
            row = words[1];
            status = words[2];
            ms = Long.parseLong(words[3]);
            text = words[4];
        }
    }

    final int exitCode;
    private final List<String[]> lines = new ArrayList<>();
    private final Map<String, List<String>> notes = new HashMap<>();

    RowsReport(Path file, int exitCode) throws IOException {
        this.exitCode = exitCode;
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            String[] words = line.split(TAB, 5);
            lines.add(words);
            if (words[0].equals(NOTE)) {
                notes.computeIfAbsent(words[1], row -> new ArrayList<>()).add(words[2]);
            }
        }
    }

    /** The rows in which the JVM ended; if there is none, those after which it did. */
    Set<String> begun() {
        Set<String> rows = rows(BEGUN);
        rows.removeAll(rows(ENDED));
        if (rows.isEmpty()) {
            rows = rows(BEGUN);
            rows.removeAll(rows(LEFT));
        }
        return rows;
    }

    private Set<String> rows(String word) {
        Set<String> rows = new LinkedHashSet<>();
        for (String[] line : lines) {
            if (line[0].equals(word)) {
                rows.add(line[1]);
            }
        }
        return rows;
    }

    /** Those that have ended, and of which every note is known. */
    List<Line> ended() {
        Set<String> known = rows(LEFT);
        List<Line> ends = new ArrayList<>();
        for (String[] line : lines) {
            if (line[0].equals(ENDED) && known.contains(line[1])) {
                ends.add(new Line(line));
            }
        }
        return ends;
    }

    List<String> notes(String row) {
        return notes.getOrDefault(row, Collections.emptyList());
    }

    /** Writes the lines, each at once, as the JVM may end in the next row. */
    static final class Writer {
        private static final Pattern BREAKS = Pattern.compile("[\\t\\r\\n]+");

        private final OutputStream out;

        /** Appends to that file, as long as the JVM lasts. */
        Writer(Path file) throws IOException {
            out = new FileOutputStream(file.toFile(), true);
        }

        void begin(String row) throws IOException {
            append(BEGUN, row);
        }

        void end(String row, String status, long ms, String text) throws IOException {
            append(ENDED, row, status, Long.toString(ms), text);
        }

        void note(String row, String text) throws IOException {
            append(NOTE, row, text);
        }

        /** Says that no note of that row follows. */
        void left(String row) throws IOException {
            append(LEFT, row);
        }

        private synchronized void append(String... words) throws IOException {
            StringJoiner line = new StringJoiner(TAB, "", "\n");
            for (String word : words) {
                line.add(BREAKS.matcher(word).replaceAll(" "));
            }
            out.write(line.toString().getBytes(StandardCharsets.UTF_8));
        }
    }
}
