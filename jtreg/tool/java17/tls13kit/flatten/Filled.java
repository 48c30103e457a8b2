// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which adjacent lines are joined? Assignments {@code this.x = x;}, and constants of an enum: as
 * many as fit go on a line.
 */
final class Filled {
    private static final Pattern LINE = Pattern.compile(
        "^( +)(?:(?<kept>this\\.(\\w+) = \\3;)|[A-Z][A-Z0-9_]*(?:\\(\"[^()]*\"\\))?[,;])$");

    private Filled() { }

    static String lines(String source, int width) {
        StringBuilder text = new StringBuilder();
        String kind = "";
        int room = 0;
        for (String line : source.split("\n", -1)) {
            Matcher found = LINE.matcher(line);
            String own = found.matches() ? line.substring(found.end(1)) : line;
            String before = kind;
            kind = !found.matches() ? "" : found.group("kept") == null ? "constant" : "kept";
            if (!kind.isEmpty() && kind.equals(before) && own.length() + 1 <= room) {
                text.append(' ').append(own);
                room -= own.length() + 1;
            } else {
                text.append(text.length() == 0 ? "" : "\n").append(line);
                room = width - line.length();
            }
        }
        return text.toString();
    }
}
