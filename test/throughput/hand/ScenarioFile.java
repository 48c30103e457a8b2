// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What does {@code scenarios.yaml} say? Reads as much of YAML as that file needs, since the JDK
 * reads none: mappings by indentation, values in one line, comments.
 */
final class ScenarioFile {
    private final List<String> lines;
    private int next;

    private ScenarioFile(List<String> lines) {
        this.lines = lines;
    }

    /** @throws IllegalArgumentException that names the line, for any other YAML */
    static Map<String, Object> read(Path file) throws IOException {
        ScenarioFile reader =
            new ScenarioFile(Files.readAllLines(file, StandardCharsets.UTF_8));
        try {
            return reader.block(0);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                file + ":" + (reader.next + 1) + ": " + e.getMessage(), e);
        }
    }

    /** The mapping whose keys stand at this indentation. */
    private Map<String, Object> block(int indent) {
        Map<String, Object> block = new LinkedHashMap<>();
        for (String line = peek(); line != null && indentOf(line) == indent; line = peek()) {
            int colon = line.indexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException("no key: value");
            }
            String key = line.substring(indent, colon);
            String rest = line.substring(colon + 1).trim();
            next++;
            block.put(key, rest.isEmpty() ? nested(indent) : FlowValue.of(rest));
        }
        if (peek() != null && indentOf(peek()) > indent) {
            throw new IllegalArgumentException("indented too far");
        }
        return block;
    }

    private Map<String, Object> nested(int indent) {
        int inner = peek() == null ? 0 : indentOf(peek());
        if (inner <= indent) {
            throw new IllegalArgumentException("no value");
        }
        return block(inner);
    }

    /** The next line that says something, without its comment; null at the end. */
    private String peek() {
        while (next < lines.size()) {
            String line = withoutComment(lines.get(next));
            if (!line.trim().isEmpty()) {
                return line;
            }
            next++;
        }
        return null;
    }

    private static String withoutComment(String line) {
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            quoted ^= line.charAt(i) == '"';
            if (line.charAt(i) == '#' && !quoted && (i == 0 || line.charAt(i - 1) == ' ')) {
                return line.substring(0, i);
            }
        }
        return line;
    }

    private static int indentOf(String line) {
        int indent = 0;
        while (line.charAt(indent) == ' ') {
            indent++;
        }
        return indent;
    }
}
