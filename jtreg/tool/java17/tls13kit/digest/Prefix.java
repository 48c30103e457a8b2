// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands before each line of a dump, in a log or a mail? It is found before a line that begins
 * a dump or a thread, and comes off every line that has the same, but for its numbers and blanks.
 *
 * @param name what it is called in the answer
 */
record Prefix(String name, Pattern pattern) {
    /** Longer ones are no prefix, but a line that speaks of a dump. */
    private static final int LONGEST = 200;
    private static final Pattern PARTS = Pattern.compile("(\\d+)|(\\s+)|([^\\d\\s]+)");
    private static final Pattern QUOTE_MARKS = Pattern.compile("(?:> ?)+");
    private static final Pattern STAMP =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)[T ](\\d\\d:\\d\\d:\\d\\d)");
    private static final String DATE_AND_TIME = "\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d\\S*";

    private record Named(String name, Pattern text) {
        Named(String name, String text) {
            this(name, Pattern.compile(text));
        }
    }

    private static final List<Named> NAMES = List.of(
            new Named("quote marks", "[>|:\\s]+"),
            new Named("line numbers", "\\s*\\d+[:.|)\\s]\\s*"),
            new Named("a container's log (CRI)", DATE_AND_TIME + " (?:stdout|stderr) [FP] "),
            new Named("kubectl's or Docker's time stamps",
                    "(?:\\[[^\\]]*\\] )?" + DATE_AND_TIME + "\\s"),
            new Named("names of pods", "\\[[^\\]]*/[^\\]]*\\] "),
            new Named("a service wrapper's columns", "\\w+ +\\| +(?:jvm|wrapper).*\\| "),
            new Named("names of Docker Compose's services", "\\S+ +\\| .*"),
            new Named("journald's or syslog's columns",
                    "(?:\\w{3} +\\d+ [\\d:.]+|" + DATE_AND_TIME + ") .*\\S+\\[\\d+]: "),
            new Named("a logger's columns",
                    ".*(?:\\d:\\d\\d|\\b(?:TRACE|DEBUG|INFO|WARN|ERROR|SEVERE|info|warn|error)\\b)"
                            + ".*"));

    /** The prefix of a line that begins a dump, or a thread, further right; null if none does. */
    static Prefix before(String line) {
        int begin = begin(line);
        if (begin <= 0 || begin > LONGEST || line.substring(0, begin).isBlank()) {
            return null;
        }
        String text = line.substring(0, begin);
        return new Prefix(name(text), Pattern.compile(general(text)));
    }

    /** What follows the prefix; null if the line does not have it. */
    String after(String line) {
        Matcher match = pattern.matcher(line);
        return match.lookingAt() ? line.substring(match.end()) : null;
    }

    /** The time in the prefix of a line, as HotSpot prints it; null if it has none. */
    String time(String line) {
        Matcher match = pattern.matcher(line);
        Matcher stamp = STAMP.matcher(match.lookingAt() ? match.group() : "");
        return stamp.find() ? stamp.group(1) + " " + stamp.group(2) : null;
    }

    private static int begin(String line) {
        int first = line.indexOf(DumpParser.FIRST.strip());
        if (first >= 0) {
            return first;
        }
        int deadlock = line.indexOf(DumpParser.DEADLOCK);
        if (deadlock >= 0) {
            return deadlock;
        }
        int tool = ToolThread.beginIn(line);
        if (tool >= 0) {
            return tool;
        }
        Matcher marks = QUOTE_MARKS.matcher(line);
        if (marks.lookingAt() && ToolThread.isSureOf(line.substring(marks.end()).strip())) {
            return marks.end();
        }
        int quote = line.indexOf('"');
        return quote > 0 && isHead(line.substring(quote).strip()) ? quote : -1;
    }

    private static boolean isHead(String text) {
        return Shapes.of(Shapes.HEADS, text) != null || ToolThread.isSureOf(text);
    }

    private static String name(String text) {
        return NAMES.stream().filter(known -> known.text().matcher(text).matches())
                .map(Named::name).findFirst().orElse("a prefix of each line");
    }

    /** Numbers may be others, and blanks at the end of a line lost. */
    private static String general(String text) {
        List<String> patterns = new ArrayList<>();
        Matcher part = PARTS.matcher(text.stripTrailing());
        while (part.find()) {
            patterns.add(part.group(1) != null ? "\\d+"
                    : part.group(2) != null ? "\\s+" : Pattern.quote(part.group(3)));
        }
        boolean isSpaced = text.length() > text.stripTrailing().length();
        return String.join("", patterns) + (isSpaced ? "(?: +|$|(?=\\t))" : "");
    }
}
