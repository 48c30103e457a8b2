// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What does the kit read? {@code observations.jsonl}: a line for each row, and a last line with
 * their count.
 */
final class ObservationsFile {
    /** The row was tried; what was seen may be an exception. */
    static final String SEEN = "seen";

    /** The build lacks what the row is about. */
    static final String ABSENT = "absent";

    /** It was not over after its deadline. */
    static final String HANGS = "hangs";

    /** It ended its JVM, twice. */
    static final String ENDS_JVM = "ends-jvm";

    private final OutputStream out;
    private int count;

    /** Begins it anew. */
    ObservationsFile() throws IOException {
        out = new FileOutputStream("observations.jsonl");
    }

    /**
     * Adds a row.
     *
     * @param notes what else it did: threads that it left, exceptions that nobody caught
     */
    void add(PlannedRow row, String status, String text, List<String> notes, long ms)
            throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("row", row.id);
        line.put("does", row.does);
        line.put("gold", row.isGold);
        line.put("status", status);
        line.put("text", text);
        line.put("notes", notes);
        line.put("ms", ms);
        append(line);
        count++;
    }

    /** Adds the last line. */
    void end() throws IOException {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("rows", count);
        append(line);
        out.close();
    }

    private void append(Map<String, Object> line) throws IOException {
        out.write((Json.text(line) + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
