// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What does a JSON text (RFC 8259) say? Returns numbers, true, false and null as their text. Reads
 * what the CLI of WildFly prints, too: "name" => undefined, 5L.
 */
final class JsonReader {
    /** A thread dump has nine levels. */
    private static final int MAX_DEPTH = 64;

    private static final String ARROW = "=>";
    private static final Pattern WORD = Pattern.compile(
            "(true|false|null|-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)L?|undefined");

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /**
     * The values of a text, one after the other: each a Map, List or String. Throws IOException
     * with a one-line message.
     */
    static List<Object> readAll(String text) throws IOException {
        JsonReader reader = new JsonReader(text);
        List<Object> values = new ArrayList<>();
        do {
            values.add(reader.value(0));
            reader.skipBlanks();
            if (reader.at < text.length() && "{[".indexOf(text.charAt(reader.at)) < 0) {
                throw reader.damaged();
            }
        } while (reader.at < text.length());
        return values;
    }

    /** The string that begins at an index. Throws IOException with a one-line message. */
    static String stringAt(String text, int index) throws IOException {
        JsonReader reader = new JsonReader(text);
        reader.at = index;
        return reader.string();
    }

    private Object value(int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw damaged();
        }
        char first = peek();
        if (first == '{') {
            Map<String, Object> object = new LinkedHashMap<>();
            for (at++; peek() != '}'; endOfElement('}')) {
                String name = string();
                endOfName();
                object.put(name, value(depth + 1));
            }
            at++;
            return object;
        }
        if (first == '[') {
            List<Object> list = new ArrayList<>();
            for (at++; peek() != ']'; endOfElement(']')) {
                list.add(value(depth + 1));
            }
            at++;
            return list;
        }
        return first == '"' ? string() : word();
    }

    private void endOfName() throws IOException {
        if (peek() == '=' && text.startsWith(ARROW, at)) {
            at += ARROW.length();
        } else {
            expect(':');
        }
    }

    private void endOfElement(char end) throws IOException {
        if (peek() != end) {
            expect(',');
        }
    }

    private String word() throws IOException {
        int from = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(from, at);
        Matcher known = WORD.matcher(word);
        if (!known.matches()) {
            at = from;
            throw damaged();
        }
        return known.group(1) == null ? "null" : known.group(1);
    }

    private String string() throws IOException {
        expect('"');
        StringBuilder string = new StringBuilder();
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return string.toString();
            }
            string.append(c == '\\' ? escaped() : c);
        }
        throw damaged();
    }

    private char escaped() throws IOException {
        if (at < text.length()) {
            char c = text.charAt(at++);
            int known = "\"\\/bfnrt".indexOf(c);
            if (known >= 0) {
                return "\"\\/\b\f\n\r\t".charAt(known);
            }
            if (c == 'u' && at + 4 <= text.length()
                    && text.substring(at, at + 4).matches("\\p{XDigit}{4}")) {
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
        }
        throw damaged();
    }

    private void expect(char wanted) throws IOException {
        if (peek() != wanted) {
            throw damaged();
        }
        at++;
    }

    private char peek() throws IOException {
        skipBlanks();
        if (at >= text.length()) {
            throw damaged();
        }
        return text.charAt(at);
    }

    private void skipBlanks() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IOException damaged() {
        return new IOException(at >= text.length() ? "is JSON that is cut short"
                : "is damaged JSON, at character " + (at + 1));
    }
}
