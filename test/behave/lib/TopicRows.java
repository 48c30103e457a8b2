// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** The rows of all topics of a suite, in the order in which they are declared. */
final class TopicRows {
    private static final Pattern ID = Pattern.compile("[a-z0-9-]+(\\.[A-Za-z0-9_+-]+)+");

    private final Map<String, TopicRow> rows = new LinkedHashMap<>();
    private Topic topic;

    /** Has a topic declare its rows. */
    void add(Topic next) {
        topic = next;
        next.declare(this);
    }

    /**
     * Declares a row.
     *
     * @param id unique, and begins with the topic's name and a dot: {@code redirect.302.other-port}
     * @param does what is done, in one line: "a POST is redirected by 302 to another port"
     */
    TopicRow row(String id, String does, Observation observation) {
        if (!ID.matcher(id).matches() || !id.startsWith(topic.name() + ".")) {
            throw new IllegalArgumentException(id + ": accepted: " + topic.name()
                + ".WORD[.WORD...] of letters, digits, _, + and -");
        }
        TopicRow row = new TopicRow(topic, id, does, observation);
        if (rows.put(id, row) != null) {
            throw new IllegalArgumentException(id + ": declared twice");
        }
        return row;
    }

    Map<String, TopicRow> byId() {
        return rows;
    }
}
