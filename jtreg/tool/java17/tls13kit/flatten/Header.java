// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How does a reproducer's header change in the one file? It says how to run that file. */
final class Header {
    private static final Pattern HOW_TO_RUN =
        Pattern.compile("(?<= \\* How to run\n).*?(?= \\* where CASE)", Pattern.DOTALL);
    /** Cut, as it is about files that only the kit's runs write. */
    private static final Pattern EVIDENCE =
        Pattern.compile(" \\*\n \\* Evidence: .*?(?=\n \\*/|\n \\*\n)\n", Pattern.DOTALL);
    /** Cut: the library is in the file, and another suite's TEST.ROOT does not know the keys. */
    static final Pattern OF_THIS_SUITE = Pattern.compile("(?m)^ \\* @(library|key) .*\n");

    private Header() { }

    static String of(String source, String name) {
        String alone = " *     java " + name + ".java [CASE]              (JDK 11 or later)\n"
            + " *     javac " + name + ".java\n"
            + " *     java " + name + " [CASE]                   (any JDK from 8 on)\n";
        String told = HOW_TO_RUN.matcher(source).replaceFirst(Matcher.quoteReplacement(alone));
        return Licence.inFull(
            OF_THIS_SUITE.matcher(EVIDENCE.matcher(told).replaceFirst("")).replaceAll(""));
    }
}
