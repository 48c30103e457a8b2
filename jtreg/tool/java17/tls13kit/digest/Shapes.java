// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * In which shapes do threads and their locks come, and how does HotSpot print the same? One row a
 * shape: what it is called in the answer, or null for HotSpot's own of 8 and later; what a line of
 * it matches; and the lines in its place. The first row that matches counts.
 */
final class Shapes {
    /** In a head that has its id from us, as up to 7 there was none. */
    static final String WITHOUT_ID = " (no id) ";

    private static final Pattern WAITS = Pattern.compile(
            "\\b(NEW|RUNNABLE|BLOCKED|WAITING|TIMED_WAITING|TERMINATED)\\b"
                    + "(?: on (\\S+)@(\\p{XDigit}{1,16}))?(?: owned by \".*\" Id=(\\d{1,18}))?");
    private static final String THREAD_INFO = "threads as ThreadInfo.toString prints them";
    private static final int HEX = 16;
    private static final int BASE_36 = 36;

    record Row(String name, Pattern line, Function<Matcher, List<String>> undo) {
        Row(String name, String line, Function<Matcher, List<String>> undo) {
            this(name, Pattern.compile(line), undo);
        }
    }

    /** The first line of a thread. */
    static final List<Row> HEADS = List.of(
            new Row(null, "\"(?:.*)\" #\\d{1,18} (?:(?:\\[|daemon|prio=|os_prio=|cpu=|tid=|virtual).*)?",
                    match -> List.of(match.group())),
            new Row("threads as VisualVM or Spring prints them",
                    "\"(.*)\" - Thread t@(\\d{1,18})\\b.*",
                    match -> List.of(head(match.group(1), match.group(2), ""))),
            new Row("threads as IntelliJ prints them",
                    "\"(.*)@(\\w{1,12})\" .*\\bprio=.*\\bnid=NA\\b.*",
                    match -> List.of(head(match.group(1), number(match.group(2)), ""))),
            new Row(THREAD_INFO,
                    "\"(.*?)\" (?:daemon )?(?:prio=\\d+ )?Id=(\\d{1,18}) (.*)", Shapes::threadInfo),
            new Row("threads without numbers, as up to JDK 7",
                    "\"(.*)\" (?:daemon )?prio=-?\\d+ (?:(?:os_prio|cpu|elapsed)=\\S+ )*"
                            + "tid=(?:0x)?(\\p{XDigit}{1,16}) (nid=.*)",
                    match -> List.of(head(match.group(1), idOf(match), match.group(3)))));

    /** A lock that a thread has or waits for. */
    static final List<Row> LOCKS = List.of(
            new Row(null, "- [^<]*<0x\\p{XDigit}+> \\(an? [^)]*\\)",
                    match -> List.of("\t" + match.group())),
            new Row("locks as VisualVM or Spring prints them",
                    "- ([^<]*)<(?:0x)?(\\p{XDigit}{1,16})> \\(an? ([^)]*)\\)"
                            + "(?: owned by \".*\" t@(\\d{1,18}))?",
                    match -> List.of(lock(match.group(1).toLowerCase(java.util.Locale.ROOT),
                            match.group(2), match.group(3), match.group(4)))),
            new Row("locks as Tomcat prints them",
                    "- (waiting on|locked) \\(an? ([^\\s@()]+)@(\\p{XDigit}{1,16})\\)"
                            + "(?: owned by .* Id=(\\d{1,18})| index .*)?",
                    match -> List.of(lock(wordOfTomcat(match), match.group(3), match.group(2),
                            match.group(4)))),
            new Row("locks as IntelliJ prints them",
                    "waiting for (.*?)(?:@(\\w{1,12}))? to release lock on "
                            + "<0x(\\p{XDigit}{1,16})> \\(an? ([^)]*)\\)",
                    match -> List.of(lock("waiting to lock ", match.group(3), match.group(4),
                            match.group(2) == null ? null : number(match.group(2)))
                            + (match.group(2) == null ? " owned by \"" + match.group(1) + "\""
                                    : ""))),
            new Row(THREAD_INFO,
                    "-  ?(locked |)([^\\s@]+)@(\\p{XDigit}{1,16})(?: <--.*)?",
                    match -> List.of(
                            lock(match.group(1), match.group(3), match.group(2), null))));

    private Shapes() {}

    /** The row that a line is of, with its match; null if there is none. */
    static Found of(List<Row> rows, String line) {
        for (Row row : rows) {
            Matcher match = row.line().matcher(line);
            if (match.matches()) {
                return new Found(row.name(), row.undo().apply(match));
            }
        }
        return null;
    }

    /** What a line is in HotSpot's own shape, and the name of the shape that it has. */
    record Found(String name, List<String> lines) {}

    private static String head(String name, String id, String rest) {
        return "\"" + name + "\" #" + id + " " + rest;
    }

    private static String lock(String word, String address, String className, String owner) {
        return "\t- " + word + "<0x" + address + "> (a " + className + ")"
                + (owner == null ? "" : " owned by #" + owner);
    }

    /** A thread in wait() has no owner to wait for. */
    private static String wordOfTomcat(Matcher lock) {
        boolean isMonitor = lock.group(4) != null && !LockClasses.isLock(lock.group(2));
        return lock.group(1).equals("locked") ? "locked "
                : waitingFor(isMonitor ? "BLOCKED" : "", lock.group(2));
    }

    /** IntelliJ counts in decimal, its debugger may not. */
    private static String number(String id) {
        boolean isDecimal = id.chars().allMatch(Character::isDigit);
        try {
            return String.valueOf(Long.parseLong(id, isDecimal ? 10 : BASE_36));
        } catch (NumberFormatException e) {
            return String.valueOf(id.hashCode() & Integer.MAX_VALUE);
        }
    }

    /** The address of a thread is its own. */
    private static String idOf(Matcher head) {
        return (Long.parseUnsignedLong(head.group(2), HEX) & Long.MAX_VALUE >> 4)
                + WITHOUT_ID.stripTrailing();
    }

    /** What HotSpot says of a thread in that state that has to do with an object of that class. */
    static String waitingFor(String state, String className) {
        return "BLOCKED".equals(state) ? "waiting to lock "
                : LockClasses.isLock(className) ? "parking to wait for " : "waiting on ";
    }

    private static List<String> threadInfo(Matcher head) {
        List<String> lines = new ArrayList<>();
        lines.add(head(head.group(1), head.group(2), ""));
        Matcher waits = WAITS.matcher(head.group(3));
        if (waits.find()) {
            lines.add("   java.lang.Thread.State: " + waits.group(1));
            if (waits.group(2) != null) {
                lines.add(lock(waitingFor(waits.group(1), waits.group(2)), waits.group(3),
                        waits.group(2), waits.group(4)));
            }
        }
        return lines;
    }
}
