// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How does a reproducer's header change if only its subject is run? */
final class SubjectHeader {
    private static final int WIDTH = 100;
    private static final Pattern COMMENT = Pattern.compile("/\\*\n(.*?)\n \\*/", Pattern.DOTALL);
    private static final Pattern HOW_TO_RUN =
        Pattern.compile("(?<= \\* How to run\n).*?(?=\n \\*\n)", Pattern.DOTALL);

    /** Cut: a printed fact with its continuation lines. Figures and the verdict stay. */
    private static final Pattern FACT =
        Pattern.compile("(?m)^ \\*       [a-z0-9_]+: .*\n(?: \\*           +.*\n)*");
    private static final Pattern SENTENCE = Pattern.compile("(?<=[.)]) (?=[A-Z])");
    private static final Pattern ABOUT_A_CONTROL = Pattern.compile("(?i)\\bcontrols?\\b");
    private static final Pattern RUN = Pattern.compile("(?m)^ \\* @run .*\n");

    private SubjectHeader() { }

    /** @param source the file up to its imports */
    static String of(String source, String name) {
        Matcher first = COMMENT.matcher(source);
        if (!first.find()) {
            return source;
        }
        String how = " *     java " + name + ".java\n"
            + " * on JDK 11 or later; on any from 8 on\n"
            + " *     javac " + name + ".java\n"
            + " *     java " + name + "\n"
            + " * Exit code 0: not reproduced, 1: reproduced, 125: nothing can be said.";
        String text = HOW_TO_RUN.matcher(first.group(1))
            .replaceFirst(Matcher.quoteReplacement(how));
        text = FACT.matcher(text + "\n").replaceAll("").replace(" (some facts left out)", "");
        text = Arrays.stream(text.stripTrailing().split("\n \\*\n"))
            .map(SubjectHeader::paragraph).filter(one -> !one.isEmpty())
            .collect(Collectors.joining("\n *\n"));
        String whole = source.substring(0, first.start(1)) + text + source.substring(first.end(1));
        return RUN.matcher(whole).replaceAll(run -> run.group().endsWith(" subject\n")
            ? Matcher.quoteReplacement(run.group().replace(" subject\n", "\n")) : "");
    }

    /** Cuts the sentences about a control, which this file does not have, from prose. */
    private static String paragraph(String text) {
        if (text.contains("\n *  ") || !ABOUT_A_CONTROL.matcher(text).find()) {
            return text;
        }
        String prose = text.replaceAll("(?m)^ \\* ?", "").replace("\n", " ");
        List<String> sentences = new ArrayList<>(List.of(SENTENCE.split(prose)));
        sentences.removeIf(one -> ABOUT_A_CONTROL.matcher(one).find());
        return String.join(" ", sentences)
            .replaceAll("(.{1," + (WIDTH - 3) + "})(?: |$)", " * $1\n").stripTrailing();
    }
}
