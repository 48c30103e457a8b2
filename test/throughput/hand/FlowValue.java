// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What does a YAML value in one line say? Text, a list in brackets, or a mapping in braces; a
 * number with its reason, {@code {value: 5, reason: "..."}}, is read as the number.
 */
final class FlowValue {
    private final String text;
    private int at;

    private FlowValue(String text) {
        this.text = text;
    }

    /** @return a String, a List or a Map of them */
    static Object of(String text) {
        // Outside of braces and brackets a comma is a comma.
        boolean plain = "{[\"".indexOf(text.charAt(0)) < 0;
        return plain ? text : new FlowValue(text).value();
    }

    private Object value() {
        blanks();
        switch (text.charAt(at)) {
            case '{':
                return withoutReason(mapping());
            case '[':
                return list();
            case '"':
                return quoted();
            default:
                return plain(",}]");
        }
    }

    private Map<String, Object> mapping() {
        Map<String, Object> mapping = new LinkedHashMap<>();
        at++;
        while (!ends('}')) {
            String key = plain(":");
            at++;
            mapping.put(key, value());
        }
        return mapping;
    }

    private List<Object> list() {
        List<Object> list = new ArrayList<>();
        at++;
        while (!ends(']')) {
            list.add(value());
        }
        return list;
    }

    /** Passes over a comma, and over the end if that is what comes. */
    private boolean ends(char end) {
        blanks();
        if (at < text.length() && text.charAt(at) == ',') {
            at++;
            blanks();
        }
        if (at >= text.length()) {
            throw new IllegalArgumentException("no " + end);
        }
        boolean ends = text.charAt(at) == end;
        at += ends ? 1 : 0;
        return ends;
    }

    private String quoted() {
        int end = text.indexOf('"', at + 1);
        if (end < 0) {
            throw new IllegalArgumentException("no closing quote");
        }
        String quoted = text.substring(at + 1, end);
        at = end + 1;
        return quoted;
    }

    private String plain(String ends) {
        int begin = at;
        while (at < text.length() && ends.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        if (at == text.length()) {
            throw new IllegalArgumentException("no " + ends.charAt(ends.length() - 1));
        }
        return text.substring(begin, at).trim();
    }

    private void blanks() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private static Object withoutReason(Map<String, Object> mapping) {
        return mapping.size() == 2 && mapping.containsKey("value")
            && mapping.containsKey("reason") ? mapping.get("value") : mapping;
    }
}
