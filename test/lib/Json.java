// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.math.BigDecimal;
import java.util.Iterator;
import java.util.Map;

/** Which values can be JSON? Map, Iterable, String, Integer, Long, BigDecimal, Boolean, null. */
final class Json {
    private Json() { }

    /** @throws IllegalArgumentException for a value of any other kind */
    static String text(Object value) {
        StringBuilder out = new StringBuilder();
        append(out, value);
        return out.toString();
    }

    private static void append(StringBuilder out, Object value) {
        if (value instanceof Map) {
            appendMap(out, (Map<?, ?>) value);
        } else if (value instanceof Iterable) {
            appendList(out, (Iterable<?>) value);
        } else if (value == null || value instanceof Boolean || value instanceof Integer
                || value instanceof Long) {
            out.append(value);
        } else if (value instanceof BigDecimal) {
            out.append(((BigDecimal) value).toPlainString());
        } else if (value instanceof String) {
            appendString(out, (String) value);
        } else {
            throw new IllegalArgumentException("no JSON for " + value.getClass());
        }
    }

    private static void appendMap(StringBuilder out, Map<?, ?> map) {
        String separator = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator);
            appendString(out, (String) entry.getKey());
            out.append(": ");
            append(out, entry.getValue());
            separator = ", ";
        }
        out.append(map.isEmpty() ? "{}" : "}");
    }

    private static void appendList(StringBuilder out, Iterable<?> list) {
        out.append('[');
        for (Iterator<?> items = list.iterator(); items.hasNext();) {
            append(out, items.next());
            out.append(items.hasNext() ? ", " : "");
        }
        out.append(']');
    }

    private static void appendString(StringBuilder out, String text) {
        out.append('"');
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
