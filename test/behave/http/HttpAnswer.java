// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A reply as an application sees it. */
final class HttpAnswer {
    private static final int MOST_CHARACTERS = 40;

    final int status;
    final String body;
    private final Map<String, List<String>> fields;

    HttpAnswer(int status, String body, Map<String, List<String>> fields) {
        this.status = status;
        this.body = body;
        this.fields = fields;
    }

    String text() {
        return status + " " + (body.length() <= MOST_CHARACTERS ? "'" + Masked.text(body) + "'"
            : body.length() + " bytes");
    }

    /** All fields but Content-Length, sorted by name. */
    String fields() {
        TreeMap<String, List<String>> shown = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Map.Entry<String, List<String>> field : fields.entrySet()) {
            if (field.getKey() != null && !"Content-Length".equalsIgnoreCase(field.getKey())) {
                shown.put(field.getKey(), field.getValue());
            }
        }
        return Masked.text(shown.toString());
    }

    /** All values of a field, or null. */
    List<String> field(String name) {
        for (Map.Entry<String, List<String>> field : fields.entrySet()) {
            if (name.equalsIgnoreCase(field.getKey())) {
                return field.getValue();
            }
        }
        return null;
    }
}
