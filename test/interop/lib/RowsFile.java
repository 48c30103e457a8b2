// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What does the kit read? {@code rows.jsonl}: a line for each row, written when it ends, so that
 * the rows of a JVM that dies are kept, and a last line with their count.
 */
final class RowsFile {
    private static final Path FILE = Paths.get("rows.jsonl");

    private int count;

    RowsFile() throws IOException {
        Files.deleteIfExists(FILE);
    }

    /**
     * Adds a row.
     *
     * @param status passed, failed, lacking (the peer), error (the kit's peer does not run),
     *     unsupported (by the JDK under test)
     * @param said what was negotiated, or what went wrong
     * @param alert the alert that the JDK under test sent; empty if there was none
     */
    synchronized void add(Row row, String status, String said, String alert, long ms)
            throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("row", row.id());
        line.put("must_fail", row.mustFail() && !row.isOfRule());
        line.put("status", status);
        line.put("said", said);
        line.put("alert", alert);
        line.put("ms", ms);
        append(line);
        count++;
    }

    void end() throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("rows", count);
        append(line);
    }

    private static void append(Map<String, Object> line) throws IOException {
        Files.write(FILE, (Json.text(line) + "\n").getBytes(StandardCharsets.UTF_8),
            StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
