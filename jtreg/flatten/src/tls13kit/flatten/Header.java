// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How does the comment above a reproducer change when it stands alone? By how it is run. */
final class Header {
    private static final Pattern HOW_TO_RUN =
        Pattern.compile("(?<= \\* How to run\n).*?(?= \\* where CASE)", Pattern.DOTALL);
    /** It is about files that the kit's runs leave. */
    private static final Pattern EVIDENCE =
        Pattern.compile(" \\*\n \\* Evidence: .*?(?=\n \\*/|\n \\*\n)\n", Pattern.DOTALL);
    /** What it has inside already; keys that another suite's TEST.ROOT does not know. */
    private static final Pattern OF_THIS_SUITE = Pattern.compile("(?m)^ \\* @(library|key) .*\n");

    private Header() { }

    static String of(String source, String name) {
        String alone = " *     java " + name + ".java [CASE]              (JDK 11 or later)\n"
            + " *     javac " + name + ".java\n"
            + " *     java " + name + " [CASE]                   (any JDK from 8 on)\n";
        String told = HOW_TO_RUN.matcher(source).replaceFirst(Matcher.quoteReplacement(alone));
        return OF_THIS_SUITE.matcher(EVIDENCE.matcher(told).replaceFirst("")).replaceAll("");
    }
}
