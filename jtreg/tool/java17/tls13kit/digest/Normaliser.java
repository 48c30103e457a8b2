// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How would HotSpot have printed the lines of a file? A dump may have come through a log, a page, a
 * mail or a tool. What stands before its lines comes off, lines that were wrapped are joined, and
 * those of other shapes ({@link Shapes}) become HotSpot's. What no row knows goes on as it is.
 */
final class Normaliser {
    private static final List<String> BEGINNINGS = List.of(
            DumpParser.FIRST.strip(), "Full Java Thread Dump", "tid=", "\" #", "Thread t@", " Id=", "\" id=",
            DumpParser.DEADLOCK);
    /** By itself, or at the end of what a logger or a page put before the first of many lines. */
    private static final Pattern DATE = Pattern.compile(
            "(?:.*\\D)?(\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d)");
    private static final Pattern FRAME = Pattern.compile("at(?: [^\\s(]+(?:\\(.*)?)?");
    private static final Pattern LOCK =
            Pattern.compile("- ?$|-  ?(?:<|locked|Locked|waiting|blocked on|parking|eliminated|[^\\s@]+@).*");
    private static final Pattern FIRST_OF_GLASSFISH =
            Pattern.compile("Full Java Thread Dump (.*?) (\\d+(?:[.+]\\d+)+\\S*)(?: .*)?");
    private static final Pattern LIST_MARK = Pattern.compile(
            "[*\u2022\u2013\u2014]\\s+((?:waiting|locked|parking|eliminated)\\b.*<.*|<0x.*|None)");
    private static final Pattern CUT_FRAME =
            Pattern.compile("at [\\w$/@<>-]+(?:\\.[\\w$/@<>-]*){2,}");
    private static final String CUT = "lines whose ends are cut off";
    private static final Pattern PART =
            Pattern.compile("(.{0,99}? (?:stdout|stderr) )[FP] (.*)");
    private static final int LONGEST = 1 << 20;
    private static final Pattern FENCE =
            Pattern.compile("`{3,}.*|~{3,}.*|\\{(?:code|noformat).*\\}");
    private static final Pattern WHOLE_HEAD = Pattern.compile(
            ".*(?:[\\])]|runnable|condition|entry|sleeping|NA|suspended|t@\\d+)|.* Id=\\d+ .*");
    /** The ends of two parts that are one word: 0x00 and 7f00 of tid=0x007f00. */
    private static final Pattern CUT_WORD = Pattern.compile(".*[ ](?:#\\d*|\\w+=[\\w.]*)");
    private static final Pattern REST_OF_WORD = Pattern.compile("[\\da-fx.]+(?:ms|s)?(?: .*|$)");
    private static final List<String> NOTES = List.of(
            "Carrying virtual thread", "Mounted virtual thread", "Locked ownable", "JNI global",
            "waiting to lock monitor", "waiting for ownable", "which is held by", "Found ",
            "Java stack information", "blocks ");
    private static final String STATE = "java.lang.Thread.State";
    private static final String SYNCHRONIZERS = "Number of locked synchronizers";
    private static final int MOST_PARTS = 4;
    /** Another program's may be between, the parts of one that was wrapped, fields of JSON. */
    private static final int LINES_BEFORE = 8;

    private enum Kind { BLANK, FIRST, HEAD, STATE, FRAME, LOCK, NOTE, OTHER }

    private final DumpReader dumps;
    private final Set<String> shapes = new LinkedHashSet<>();
    private Prefix prefix;
    /** The last lines, latest first, of which one may have a time. */
    private final Deque<String> previous = new ArrayDeque<>();
    /** The line that the one at hand may go on. */
    private String cut;
    private Kind cutKind;
    private int parts;
    /** A thread as a program prints it, before its frames; and whether the last one was such. */
    private ToolThread begun;
    private boolean isOfTool;
    /** The begin of a line of a container's log. */
    private String partial;
    /** A blank line that ends a stack, unless one of its lines follows. */
    private boolean isBlankBefore;

    Normaliser(DumpReader dumps) {
        this.dumps = dumps;
    }

    /** Which shapes of what was read were not HotSpot's own. */
    Set<String> shapes() {
        return shapes;
    }

    /** Takes a line of the file. */
    void accept(String part) {
        String raw = whole(part);
        if (raw == null) {
            return;
        }
        if (cut == null && begun == null && !dumps.isOpen() && !mayBegin(raw)) {
            remember(raw);
            return;
        }
        for (String line : Markup.plain(raw, shapes)) {
            take(line);
            remember(line);
        }
    }

    /** To be called after the last line. */
    void end() {
        if (partial != null) {
            accept(" ");
        }
        flush();
        endBegun();
    }

    /** What a container's log (CRI) has in several lines; null if its end is still to come. */
    private String whole(String line) {
        boolean isPart = line.contains(" stdout P ") || line.contains(" stderr P ");
        if (!isPart && partial == null) {
            return line;
        }
        Matcher part = PART.matcher(line);
        boolean isOfLog = part.matches();
        String begin = partial != null ? partial : isOfLog ? part.group(1) + "F " : "";
        String text = begin + (isOfLog ? part.group(2) : line);
        partial = isOfLog && isPart && text.length() < LONGEST ? text : null;
        return partial == null ? text : null;
    }

    private static boolean mayBegin(String raw) {
        for (String beginning : BEGINNINGS) {
            if (raw.contains(beginning)) {
                return true;
            }
        }
        return ToolThread.mayBegin(raw);
    }

    private void take(String line) {
        String bare = prefix == null ? null : prefix.after(line);
        String body = bare == null ? line : bare;
        // It may stand after one that is known already, as a quoted log's does.
        Prefix other = Prefix.before(body) == null ? null : Prefix.before(line);
        if (other != null) {
            prefix = other;
            bare = prefix.after(line);
            body = bare;
        }
        if (bare != null && (body.startsWith("\"") || ToolThread.beginIn(body) == 0
                || ToolThread.isSureOf(body.strip()))) {
            shapes.add(prefix.name());
        }
        takeBody(body);
    }

    private void takeBody(String body) {
        String text = reworded(body.strip());
        Kind kind = kindOf(text);
        if (cut == null && isTaken(kind, text)) {
            return;
        }
        if (cut != null) {
            if (kind == Kind.OTHER && parts < MOST_PARTS && !FENCE.matcher(text).matches()) {
                cut = joined(cutKind, cut, text);
                parts++;
                shapes.add("wrapped lines");
                if (!isCut(cutKind, cut)) {
                    flush();
                }
                return;
            }
            flush();
        }
        if (isCut(kind, text)) {
            cut = text;
            cutKind = kind;
            parts = 1;
        } else {
            emit(kind, text, body);
        }
    }

    /** Takes a line of a thread that a program printed; false if it is of another kind. */
    private boolean isTaken(Kind kind, String text) {
        ToolThread next = kind == Kind.HEAD || kind == Kind.OTHER ? ToolThread.begin(text) : null;
        boolean isBare = kind == Kind.OTHER && (begun != null || isOfTool)
                && ToolThread.isFrame(text);
        // A line of a server's log may begin with a quote that ends there.
        boolean isBetween = kind == Kind.OTHER || kind == Kind.STATE || kind == Kind.BLANK
                || kind == Kind.HEAD && Shapes.of(Shapes.HEADS, text) == null;
        if (next == null && begun != null && !isBare && isBetween
                && (kind == Kind.BLANK || begun.accept(text))) {
            return true;
        }
        endBegun();
        if (next != null) {
            begun = next;
        } else if (isBare) {
            frame("at " + text, "\tat ");
        } else {
            isOfTool &= kind != Kind.HEAD && kind != Kind.FIRST;
        }
        return next != null || isBare;
    }

    private void endBegun() {
        if (begun != null && begun.shape() != null) {
            note(begun.shape());
            dumps.toolHead(begun.toLines(), time());
            isOfTool = true;
            isBlankBefore = false;
        }
        begun = null;
    }

    private void flush() {
        if (cut != null) {
            String line = cut;
            cut = null;
            emit(cutKind, line, "\t" + line);
        }
    }

    /** What a server says in words of its own, or a page or a word processor made of a dash. */
    private String reworded(String text) {
        Matcher first = FIRST_OF_GLASSFISH.matcher(text);
        if (text.startsWith("Full Java") && first.matches()) {
            return DumpParser.FIRST + first.group(1) + " (" + first.group(2) + " mixed mode):";
        }
        Matcher mark = text.isEmpty() || text.charAt(0) == '-' ? null : LIST_MARK.matcher(text);
        if (mark != null && mark.matches()) {
            shapes.add("list marks for dashes");
            return "- " + mark.group(1);
        }
        return text.startsWith("at: ") ? "at " + text.substring("at: ".length()) : text;
    }

    private static Kind kindOf(String text) {
        if (text.isEmpty()) {
            return Kind.BLANK;
        }
        char first = text.charAt(0);
        if (first == '"') {
            return Kind.HEAD;
        }
        if (first == 'F' && text.startsWith(DumpParser.FIRST.strip())) {
            return Kind.FIRST;
        }
        if (first == 'j' && text.startsWith(STATE)) {
            return Kind.STATE;
        }
        if (first == 'a' && FRAME.matcher(text).matches()) {
            return Kind.FRAME;
        }
        boolean isLock = first == '-' && LOCK.matcher(text).matches()
                || text.startsWith("waiting for ") && text.contains(" to release lock on ");
        return isLock ? Kind.LOCK
                : NOTES.stream().anyMatch(text::startsWith) || text.startsWith(SYNCHRONIZERS)
                        ? Kind.NOTE : Kind.OTHER;
    }

    /** May the rest of it be on the next line? */
    private static boolean isCut(Kind kind, String text) {
        return switch (kind) {
            case FIRST -> !text.endsWith(":") && !text.endsWith(")");
            case HEAD -> text.indexOf('"', 1) < 0
                    || text.contains(" prio=") && !WHOLE_HEAD.matcher(text).matches();
            case FRAME -> text.indexOf(')') < 0;
            case LOCK -> text.indexOf(')') < 0 && text.indexOf('@') < 0
                    && !text.contains("Class initialization monitor");
            default -> false;
        };
    }

    /** A mail wraps lines at a blank, a terminal anywhere. */
    private static String joined(Kind kind, String begin, String rest) {
        boolean isWord = switch (kind) {
            case FRAME -> !begin.equals("at");
            case LOCK -> Shapes.of(Shapes.LOCKS, begin + rest) != null
                    && !begin.endsWith("(a") && !begin.endsWith("(an");
            case HEAD -> CUT_WORD.matcher(begin).matches()
                    && REST_OF_WORD.matcher(rest).matches();
            default -> false;
        };
        return begin + (isWord ? "" : " ") + rest;
    }

    private void emit(Kind kind, String text, String body) {
        if (isBlankBefore && kind != Kind.BLANK) {
            isBlankBefore = false;
            if (kind == Kind.FRAME || kind == Kind.LOCK || kind == Kind.STATE) {
                shapes.add("blank lines between all lines");
            } else {
                dumps.accept("");
            }
        }
        switch (kind) {
            case FIRST -> {
                dumps.at(time());
                dumps.accept(text + " ");
            }
            case HEAD -> head(text);
            case STATE -> dumps.accept("   " + text);
            case FRAME -> frame(text, body);
            case LOCK -> lock(text, body);
            case BLANK -> isBlankBefore = true;
            case NOTE -> dumps.accept(text.startsWith(SYNCHRONIZERS) ? "" : text);
            case OTHER -> dumps.accept(body);
        }
    }

    /** When a dump was taken is on a line before it; or what stands before its lines says so. */
    private String time() {
        for (String raw : previous) {
            for (String line : Markup.plain(raw, shapes)) {
                String bare = prefix == null ? null : prefix.after(line);
                Matcher date = DATE.matcher((bare == null ? line : bare).strip());
                if (date.matches()) {
                    return date.group(1);
                }
            }
        }
        return prefix == null || previous.isEmpty() ? null : prefix.time(previous.getFirst());
    }

    private void remember(String line) {
        if (previous.size() == LINES_BEFORE) {
            previous.removeLast();
        }
        previous.addFirst(line);
    }

    private void head(String text) {
        Shapes.Found found = Shapes.of(Shapes.HEADS, text + " ");
        if (found == null) {
            dumps.accept(text);
        } else {
            note(found.name());
            dumps.head(found.lines(), time());
        }
    }

    private void frame(String text, String body) {
        int end = text.indexOf('(');
        if (end < 0 && CUT_FRAME.matcher(text).matches()) {
            shapes.add(CUT);
            frame(text + "(", body);
            return;
        }
        if (end < 0) {
            dumps.accept(body);
            return;
        }
        String method = text.substring("at ".length(), end);
        int begin = Frames.begin(method);
        String module = method.substring(0, begin);
        String place = text.substring(end + 1);
        if (!body.startsWith("\tat ")) {
            note("frames that are indented otherwise");
        }
        dumps.accept("\tat " + method.substring(begin) + "(" + module + place);
    }

    private void lock(String line, String body) {
        boolean isCutInClass = line.contains("> (a") && line.indexOf(')') < 0;
        String text = isCutInClass ? line + ")" : line;
        if (isCutInClass) {
            shapes.add(CUT);
        }
        Shapes.Found found = Shapes.of(Shapes.LOCKS, text);
        if (found == null) {
            dumps.accept("\t" + text);
        } else {
            note(found.name());
            found.lines().forEach(dumps::accept);
        }
    }

    private void note(String shape) {
        if (shape != null) {
            shapes.add(shape);
        }
    }
}
