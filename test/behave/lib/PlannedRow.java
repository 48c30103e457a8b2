// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/**
 * A row as the JVM knows it that starts those of the rows. It loads no topic: to declare the rows
 * of all costs half a second of CPU time a JVM.
 */
final class PlannedRow {
    private static final String TAB = "\t";
    private static final int WORDS = 4;

    final String id;
    final String does;
    final boolean isGold;

    /** Of its JVM. */
    final List<String> options;

    private PlannedRow(String id, String does, boolean isGold, List<String> options) {
        this.id = id;
        this.does = does;
        this.isGold = isGold;
        this.options = options;
    }

    /** Writes down these rows, whole or not at all. */
    static void write(Path file, Collection<TopicRow> rows, RowGlobs gold) throws IOException {
        List<String> lines = new ArrayList<>();
        for (TopicRow row : rows) {
            List<String> words = new ArrayList<>(Arrays.asList(row.id,
                row.does.replaceAll("\\s+", " "), Boolean.toString(gold.matches(row.id))));
            words.addAll(row.topic.options());
            lines.add(String.join(TAB, words));
        }
        Path whole = file.resolveSibling(file.getFileName() + ".part");
        Files.write(whole, lines, StandardCharsets.UTF_8);
        Files.move(whole, file);
    }

    static List<PlannedRow> read(Path file) throws IOException {
        List<PlannedRow> rows = new ArrayList<>();
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            String[] words = line.split(TAB, WORDS);
            rows.add(new PlannedRow(words[0], words[1], Boolean.parseBoolean(words[2]),
                words.length < WORDS ? Collections.emptyList()
                    : Arrays.asList(words[WORDS - 1].split(TAB))));
        }
        return rows;
    }
}
