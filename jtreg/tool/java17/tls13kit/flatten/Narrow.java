// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How is a line broken that became too long? Before an operator or a dot, or behind a comma. */
final class Narrow {
    private static final String FURTHER = "    ";
    private static final Pattern OPERATOR = Pattern.compile(" (?:[+?:]|&&|[|][|]|throws|->) ");

    private static final Pattern TEXT_WITH_METHOD = Pattern.compile("\\G[^\"]*\"[.]");

    private Narrow() { }

    static String lines(String text, int width) {
        return text.lines().map(line -> line(line, width)).collect(Collectors.joining("\n")) + "\n";
    }

    private static String line(String line, int width) {
        String code = line.strip();
        String indent = line.substring(0, line.length() - line.stripLeading().length());
        boolean isComment = code.startsWith("//") || code.startsWith("*") || code.startsWith("/*");
        if (line.length() <= width) {
            return line;
        }
        int place = isComment ? line.lastIndexOf(' ', width) : place(line, width - 1, false);
        int word = isComment || place > 0 ? -1 : place(line, width - 2, true);
        if (!isComment && place < 0 && word < 0 && isPlainText(line, width - 3)) {
            word = width - 3;
        }
        // A method is of a literal, not of the sum that it would become.
        if (word > 0 && !TEXT_WITH_METHOD.matcher(line).find(word)) {
            return line.substring(0, word + 1) + "\"\n"
                + line(indent + FURTHER + "+ \"" + line.substring(word + 1), width);
        }
        if (place <= indent.length() + (isComment ? 2 : 0)) {
            return line;
        }
        String again = isComment ? code.startsWith("//") ? "// " : "* " : FURTHER;
        return line.substring(0, place).stripTrailing() + "\n"
            + line(indent + again + line.substring(place).strip(), width);
    }

    /** Whether a literal without a blank, such as a key in Base64, may be cut behind there. */
    private static boolean isPlainText(String line, int place) {
        String start = line.substring(0, place + 1);
        return start.indexOf('\\') < 0 && start.chars().filter(c -> c == '"').count() % 2 == 1;
    }

    /**
     * The last place in as few parentheses as possible, or -1 without one: outside strings, or
     * the last blank in one.
     */
    private static int place(String line, int width, boolean inText) {
        int best = -1;
        int least = Integer.MAX_VALUE;
        int depth = 0;
        boolean isText = false;
        for (int i = 1; i < Math.min(width, line.length()); i++) {
            char character = line.charAt(i);
            if (character == '"' && line.charAt(i - 1) != (isText ? '\\' : '\'')) {
                isText = !isText;
            } else if (!isText) {
                depth += character == '(' ? 1 : character == ')' ? -1 : 0;
            }
            boolean mayBreak = character == ' ' && isText == inText && (inText
                || line.charAt(i - 1) == ',' || OPERATOR.matcher(line.substring(i)).lookingAt());
            if (mayBreak && (inText || depth <= least)) {
                best = i;
                least = depth;
            }
        }
        return best;
    }
}
