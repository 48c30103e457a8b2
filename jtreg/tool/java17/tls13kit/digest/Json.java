// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.io.Writer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How does a tree of maps, lists, strings, numbers and booleans look as JSON (RFC 8259)? */
final class Json {
    private Json() {}

    /** Takes names, each followed by its value, in the order of the document. */
    static Map<String, Object> object(Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return object;
    }

    static void write(Object value, Writer out) throws IOException {
        if (value instanceof Map<?, ?> map) {
            String separator = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.write(separator);
                string((String) entry.getKey(), out);
                out.write(':');
                write(entry.getValue(), out);
                separator = ",";
            }
            out.write(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            String separator = "[";
            for (Object element : list) {
                out.write(separator);
                write(element, out);
                separator = ",";
            }
            out.write(list.isEmpty() ? "[]" : "]");
        } else if (value instanceof String text) {
            string(text, out);
        } else if (value instanceof Double number) {
            // Microseconds are as fine as the clock of a recording deserves.
            out.write(String.format(Locale.ROOT, "%.3f", number));
        } else {
            out.write(String.valueOf(value));
        }
    }

    private static void string(String text, Writer out) throws IOException {
        out.write('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.write('\\');
                out.write(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                // A lone surrogate has no UTF-8 form; escaped, every reader accepts it.
                out.write(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.write(c);
            }
        }
        out.write('"');
    }
}
