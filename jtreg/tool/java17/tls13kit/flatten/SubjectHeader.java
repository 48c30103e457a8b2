// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.flatten;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How does a reproducer begin if only its subject is run? As a test of OpenJDK does: licence, tags
 * of jtreg, and above the class what goes wrong. How to run it stands in the report.
 */
final class SubjectHeader {
    private static final Pattern COMMENT = Pattern.compile("/\\*\n(.*?)\n \\*/", Pattern.DOTALL);
    private static final Pattern TAGS = Pattern.compile("/\\*\n \\* @test\n.*?\n \\*/\n", Pattern.DOTALL);
    private static final Pattern TOLD = Pattern.compile("What (?:goes wrong: |(?=it takes: ))(.*)");
    private static final Pattern SENTENCE = Pattern.compile("(?<=[.)]) (?=[A-Z])");
    private static final Pattern ABOUT_A_CONTROL = Pattern.compile("(?i)\\bcontrols?\\b");
    private static final Pattern RUN = Pattern.compile("(?m)^ \\* @run .*\n");
    private static final Pattern FIRST_RUN = Pattern.compile("(?m)^(?= \\* @run )");
    private static final Pattern NEEDED_MODULE =
        Pattern.compile("Modules\\.need\\(\\s*\"[^\"]+\",\\s*\"([a-z.]+)\"\\)");

    /** The rest of a paragraph is for who looks for other ways to see the bug. */
    private static final int MOST_SENTENCES = 3;

    private SubjectHeader() { }

    /** @param source the reproducer's file, the notice and the tags of which are wanted */
    static String of(String source) {
        Matcher tags = TAGS.matcher(source);
        String notice = Licence.inFull(source);
        String above = notice.substring(0, notice.indexOf("*/\n") + 3);
        if (!tags.find()) {
            return above;
        }
        String run = RUN.matcher(Header.OF_THIS_SUITE.matcher(tags.group()).replaceAll(""))
            .replaceAll(line -> line.group().endsWith(" subject\n")
                ? Matcher.quoteReplacement(line.group().replace(" subject\n", "\n")) : "");
        return above + "\n" + FIRST_RUN.matcher(run).replaceFirst(
            Matcher.quoteReplacement(modules(source)));
    }

    private static String modules(String source) {
        Set<String> modules = new LinkedHashSet<>();
        NEEDED_MODULE.matcher(source).results().forEach(module -> modules.add(module.group(1)));
        return modules.isEmpty() ? "" : " * @modules " + String.join(" ", modules) + "\n";
    }

    /** What goes wrong and what it takes, as a comment for the class; "" if nothing says so. */
    static String comment(String source) {
        Matcher first = COMMENT.matcher(source);
        if (!first.find()) {
            return "";
        }
        return Arrays.stream(first.group(1).split("\n \\*\n")).map(SubjectHeader::statement)
            .filter(text -> !text.isEmpty())
            .collect(Collectors.collectingAndThen(Collectors.joining(" "),
                text -> Comment.block("/*", text)));
    }

    /** A paragraph on the bug, without the sentences about a control, which is not in this file. */
    private static String statement(String paragraph) {
        Matcher told = TOLD.matcher(paragraph.replaceAll("(?m)^ \\* ?", "").replace("\n", " "));
        if (!told.lookingAt()) {
            return "";
        }
        List<String> sentences = new ArrayList<>(List.of(SENTENCE.split(told.group(1))));
        sentences.removeIf(sentence -> ABOUT_A_CONTROL.matcher(sentence).find());
        String text = sentences.stream().limit(MOST_SENTENCES).collect(Collectors.joining(" "))
            .replaceFirst("\\Ait takes:", "it takes");
        return text.isEmpty() ? "" : text.substring(0, 1).toUpperCase() + text.substring(1);
    }
}
