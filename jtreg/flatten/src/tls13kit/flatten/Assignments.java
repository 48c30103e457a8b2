// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which lines of a constructor only keep its arguments? As many go on a line as fit. */
final class Assignments {
    private static final Pattern KEPT = Pattern.compile("^( +)this\\.(\\w+) = \\2;$");

    private Assignments() { }

    static String joined(String source, int width) {
        StringBuilder text = new StringBuilder();
        int roomOnLine = 0;
        for (String line : source.split("\n", -1)) {
            Matcher kept = KEPT.matcher(line);
            boolean isKept = kept.matches();
            String own = isKept ? line.substring(kept.end(1)) : line;
            if (isKept && own.length() + 1 <= roomOnLine) {
                text.append(' ').append(own);
                roomOnLine -= own.length() + 1;
            } else {
                text.append(text.length() == 0 ? "" : "\n").append(line);
                roomOnLine = isKept ? width - line.length() : 0;
            }
        }
        return text.toString();
    }
}
