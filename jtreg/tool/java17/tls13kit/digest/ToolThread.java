// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How do programs print a thread that they have from ThreadMXBean, and how would HotSpot? A tool,
 * a watchdog or a page has a head of its own; then come the state, the lock and its owner, in one
 * line or several, in whatever words; then the frames, with "at" or without.
 */
final class ToolThread {
    private static final String STATES =
            "(?:NEW|RUNNABLE|BLOCKED|WAITING|TIMED_WAITING|TERMINATED)";

    /**
     * @param name what it is called in the answer
     * @param needsState whether a line like that is a head only if a state follows
     */
    private record Head(String name, boolean needsState, Pattern line) {
        Head(String name, boolean needsState, String line) {
            this(name, needsState, Pattern.compile(line.replace("STATE", STATES)));
        }
    }

    /** Each with the groups "name" and "id", of which the second need not be there. */
    private static final List<Head> HEADS = List.of(
            new Head("threads as Dropwizard, Jenkins and JMX consoles print them", false,
                    "\"(?<name>.*)\" t?id=(?<id>(?:0x\\p{XDigit}{1,15}|\\d{1,18})) "
                            + "(?:\\(0x\\p{XDigit}+\\) )?(?:in |state=)STATE\\b.*"),
            new Head("threads as Hadoop prints them", true,
                    "Thread (?<id>\\d{1,18}) \\((?<name>.*)\\):"),
            new Head("threads as Spark shows them", false,
                    "(?<id>\\d{1,18})\\s+(?<name>\\S.*?)(?:(?:\t|  +)STATE(?:\\s.*)?"
                            + "| STATE (?:Blocked by Thread|Lock\\(|Monitor\\(|\\S+@\\p{XDigit}).*)"),
            new Head("threads as fastThread shows them", false,
                    "(?<name>.+?) - priority:-?\\d+ - threadId:(?<id>0x0{0,4}\\p{XDigit}{1,15}) - "
                            + ".*\\bstate:STATE\\b.*"),
            new Head("threads as WebLogic's console shows them", false,
                    "\"(?<name>.+)\" (?:waiting for lock \\S+ )?STATE(?: native)?(?<id>(?!))?"),
            new Head("threads as GlassFish reports them", false,
                    "Thread \"(?<name>.*)\" thread-id: (?<id>\\d{1,12}(?:,\\d{3}){0,2}) "
                            + "thread-state: STATE\\b.*"),
            new Head("threads as JConsole shows them", true, "Name: (?<name>.+)(?<id>(?!))?"),
            new Head("threads as a game server's watchdog prints them", true,
                    "Current Thread: (?<name>.+)(?<id>(?!))?"),
            new Head("threads as Eclipse prints them", false,
                    "ThreadId: (?<id>\\d{1,18}) ThreadName: (?<name>.*) ThreadState: STATE"),
            new Head("threads as Ignite prints them", false,
                    "Thread \\[name=\"(?<name>.*)\", id=(?<id>\\d{1,18}), state=STATE\\b.*"),
            new Head("threads as an IDE prints its own", false,
                    "\"(?<name>.*)\" (?:daemon )?prio=-?\\d+ tid=0x0 nid=0x0 .*(?<id>(?!))?"),
            new Head("threads with a name and a state alone", true,
                    "\"(?<name>[^\"]+)\"(?: daemon)?(?: prio=\\d+)?(?: (?:waiting for monitor entry"
                            + "|waiting on condition|waiting|runnable|sleeping))?(?<id>(?!))?"),
            new Head("threads that somebody shortened", false,
                    "\"(?<name>[^\"]+)\" (?:\\.\\.\\.|\u2026) ?java\\.lang\\.Thread\\.State: "
                            + "STATE\\b.*(?<id>(?!))?"),
            new Head("threads that Geode reports as stuck", false,
                    "Thread Name <(?<name>.*)> state <STATE>(?<id>(?!))?"),
            new Head("threads that a watchdog reports as blocked", false,
                    ".*\\bThread (?:Thread)?\\[(?<name>[^\\],]*)(?:,\\d+,[^\\]]*)?\\]"
                            + "(?: \\(id=\\[(?<id>\\d{1,18})\\]\\))? has been "
                            + "(?:active|blocked) for .*"),
            new Head("threads that WebLogic reports as stuck", false,
                    ".*<(?<name>\\[STUCK\\] [^<>]*?) has been busy for .*(?<id>(?!))?"),
            new Head("threads as Thread.toString prints them", false,
                    "Thread\\[(?:#(?<id>\\d{1,18}),)?(?<name>.*),\\d{1,2},[^\\]]*\\]:?"));
    /** What a line has that may begin a thread, anywhere; or with which it begins. */
    private static final List<String> WITHIN = List.of("Current Thread: ", "ThreadName: ",
            "Thread [name=", "has been active for ", "has been blocked for ", "[STUCK] ", " - threadId:0x");
    /** The same of a row that begins with a number. */
    private static final List<String> IN_ROW = Stream.concat(WITHIN.stream(),
            Stream.of("RUNNABLE", "BLOCKED", "WAITING", "NEW", "TERMINATED")).toList();
    private static final List<String> AT_BEGIN =
            List.of("\"", "Thread ", "Thread[", "Name: ");
    /** Of those, what says by itself that what stands before it is a prefix. */
    private static final List<String> SURE =
            List.of("Current Thread: ", "ThreadId: ", "Thread [name=");
    private static final Pattern STATE = Pattern.compile(
            "(?:^\\d+\\s.*?\\s|State: |\\bstate: ?|^\".+\" (?:waiting for lock \\S+ )?|\\bstate=|\\bstate <|\\b[tT]?id=\\S+ in )(" + STATES + ")\\b");
    private static final Pattern LOCK = Pattern.compile(
            "(?:\\b[oO]n:? (?:lock[=:] ?)?<?|\\bfor lock |object=|Blocked by Thread \\d+ (?:(?:Lock|Monitor)\\()?)"
                    + "([^\\s@<=]+)@(\\p{XDigit}{1,16})");
    private static final Pattern HELD =
            Pattern.compile("([^\\s@]+)@(\\p{XDigit}{1,16}) at \\S+\\(.*");
    private static final Pattern OWNER_ID = Pattern.compile(
            "(?:LockOwnerId: |ownerId=|Blocked by (?:Thread )?|with ID <|[oO]wned by.*\\b[iI]d[=:] ?)(\\d{1,18})\\b");
    private static final Pattern OWNER_NAME =
            Pattern.compile("\\bowned by:? (?:\"(.+)\"|(.+?))(?: Id=\\d+.*)?$");
    /** A whole line. */
    private static final Pattern BARE_FRAME = Pattern.compile(
            "[\\w$./@<>+-]+\\.[\\w$<>]+\\((?:[^():]*(?::-?\\d+)?)\\)(?: => holding .*)?");
    /** No longer line is of a thread; no pattern has to try it. */
    private static final int LONGEST = 1000;
    /** Lines between a head and its frames. */
    private static final int MOST_LINES = 10;
    private static final int HEX = 16;

    private final Head head;
    private final String name;
    private final Long id;
    private final List<String> held = new ArrayList<>();
    private String state;
    private Matcher lock;
    private String owner = "";
    private int lines;

    private ToolThread(Head head, Matcher match, String line) {
        this.head = head;
        this.name = match.group("name");
        this.id = id(match.group("id"));
        read(line);
    }

    private static Long id(String text) {
        return text == null ? null : text.startsWith("0x") ? Long.valueOf(text.substring(2), HEX)
                : Long.valueOf(text.replace(",", ""));
    }

    /** May a line begin such a thread, as far as can be seen quickly? */
    static boolean mayBegin(String raw) {
        int at = 0;
        while (at < raw.length() && (raw.charAt(at) <= ' ' || raw.charAt(at) == '>')) {
            at++;
        }
        for (String beginning : AT_BEGIN) {
            if (raw.startsWith(beginning, at)) {
                return true;
            }
        }
        for (String part : at < raw.length() && raw.charAt(at) <= '9' ? IN_ROW : WITHIN) {
            if (raw.contains(part)) {
                return true;
            }
        }
        return false;
    }

    /** Where a head that says so by itself begins in a line; -1 if none does. */
    static int beginIn(String line) {
        return SURE.stream().mapToInt(line::indexOf).filter(at -> at >= 0).findFirst().orElse(-1);
    }

    /** Is it a head that nothing else looks like? */
    static boolean isSureOf(String text) {
        ToolThread thread = begin(text);
        return thread != null && !thread.head.needsState();
    }

    /** The thread that a line begins; null if it is no head. */
    static ToolThread begin(String text) {
        if (text.length() > LONGEST || !mayBegin(text)) {
            return null;
        }
        for (Head head : HEADS) {
            Matcher match = head.line().matcher(text);
            if (match.matches()) {
                return new ToolThread(head, match, text);
            }
        }
        return null;
    }

    /** Is it all of a frame, without the word before it? */
    static boolean isFrame(String text) {
        return text.length() <= LONGEST && text.endsWith(")") && BARE_FRAME.matcher(text).matches();
    }

    /** Takes a line between the head and the frames; false if there is none of its kind. */
    boolean accept(String text) {
        lines++;
        if (text.length() <= LONGEST) {
            read(text);
        }
        return lines <= MOST_LINES && !(head.needsState() && state == null);
    }

    private void read(String text) {
        Matcher stateIn = STATE.matcher(text);
        if (state == null && stateIn.find()) {
            state = stateIn.group(1);
        }
        Matcher heldAt = HELD.matcher(text);
        if (heldAt.matches()) {
            held.add("\t- <0x" + heldAt.group(2) + "> (a " + heldAt.group(1) + ")");
            return;
        }
        Matcher on = LOCK.matcher(text);
        if (lock == null && on.find()) {
            lock = on;
        }
        Matcher ownerId = OWNER_ID.matcher(text);
        Matcher ownerName = OWNER_NAME.matcher(text);
        if (id != null && ownerId.find()) {
            owner = " owned by #" + ownerId.group(1);
        } else if (owner.isEmpty() && ownerName.find()) {
            owner = " owned by \"" + (ownerName.group(1) == null ? ownerName.group(2)
                    : ownerName.group(1)) + "\"";
        }
    }

    /** What its shape is called; null if it was no thread after all. */
    String shape() {
        return state != null ? head.name()
                : head.needsState() ? null : head.name() + ", without states";
    }

    /** Its first lines, as HotSpot prints them. */
    List<String> toLines() {
        List<String> text = new ArrayList<>();
        text.add("\"" + name + "\" #" + (id != null ? id : name.hashCode() & Integer.MAX_VALUE)
                + " ");
        if (state != null) {
            text.add("   java.lang.Thread.State: " + state);
        }
        if (lock != null) {
            text.add("\t- " + Shapes.waitingFor(state, lock.group(1)) + "<0x" + lock.group(2)
                    + "> (a " + lock.group(1) + ")" + owner);
        }
        text.addAll(held);
        return text;
    }
}
