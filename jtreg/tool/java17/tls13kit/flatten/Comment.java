// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What does the comment of a class state? The question that it answers here is left out. */
final class Comment {
    private static final int WIDTH = 96;
    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/\\s*\\z", Pattern.DOTALL);
    private static final Pattern SENTENCE = Pattern.compile("(?<=[.?]) (?=[A-Z])");

    private Comment() { }

    /** The Javadoc that ends at that place of the source, or "" if it states nothing. */
    static String above(String source, int place) {
        int start = source.lastIndexOf("/**", place);
        Matcher javadoc = JAVADOC.matcher(source.substring(Math.max(start, 0), place));
        if (start < 0 || !javadoc.lookingAt()) {
            return "";
        }
        String text = javadoc.group(1).replaceAll("(?m)^ *\\* ?", "").replaceAll("\\s+", " ");
        List<String> sentences = List.of(SENTENCE.split(text.strip()));
        return block("/**", sentences.stream().filter(sentence -> !sentence.endsWith("?"))
            .collect(Collectors.joining(" ")));
    }

    /** The text as a comment that begins with {@code open}; "" for no text. */
    static String block(String open, String text) {
        if (text.isBlank()) {
            return "";
        }
        if (text.length() + open.length() + 4 <= WIDTH) {
            return open + " " + text + " */\n";
        }
        return open + "\n" + text.replaceAll("(.{1," + (WIDTH - 3) + "})(?: |$)", " * $1\n") + " */\n";
    }
}
