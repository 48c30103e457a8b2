// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where do dumps begin and end in the lines of a file? At HotSpot's first line of a dump; without
 * one, at a thread, and again where a thread comes that the dump has already.
 */
final class DumpReader {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
    private static final Pattern AFTER_ID = Pattern.compile("(\" #\\d+).*");

    private final List<DumpFile.Timed> dumps = new ArrayList<>();
    private final Map<List<String>, CallStack> stacks = new HashMap<>();
    private final Set<String> processes = new HashSet<>();
    private DumpParser open;
    private long atNs = DumpFile.UNKNOWN_NS;
    private long nextNs = DumpFile.UNKNOWN_NS;
    /** Of a dump without a first line; null in others. */
    private Set<String> heads;
    /** Of the dumps, what a tool or a watchdog printed; and whether the open one is such. */
    private final List<DumpFile.Timed> ofTools = new ArrayList<>();
    private boolean isOfTool;
    private int leftOut;
    private int headless;
    private int threads;
    private boolean isMarked;

    /** Takes the local time of the next dump; its zone is not given, so only differences count. */
    void at(String localTime) {
        nextNs = isMarked || localTime == null ? nextNs : ns(localTime);
    }

    /** Takes the time of the next dump, as the kit marked it: no other counts in this file. */
    void at(long ns) {
        nextNs = ns;
        isMarked = true;
    }

    /** May the next line be of a dump? */
    boolean isOpen() {
        return open != null && open.isOpen();
    }

    /** Takes the first lines of a thread, and the local time that stands before them, or null. */
    void head(List<String> lines, String localTime) {
        String thread = AFTER_ID.matcher(lines.get(0)).replaceFirst("$1");
        if (!isOpen() || heads != null && !heads.add(thread)) {
            at(localTime);
            begin();
            heads = new HashSet<>(Set.of(thread));
        }
        lines.forEach(open::accept);
    }

    /** The same of a thread that a tool printed, which may be a watchdog's report of it alone. */
    void toolHead(List<String> lines, String localTime) {
        head(lines, localTime);
        isOfTool = heads != null;
    }

    /** Takes a line, as HotSpot prints it. */
    void accept(String line) {
        if (line.startsWith(DumpParser.FIRST)) {
            begin();
        } else if (open == null && line.startsWith(DumpParser.DEADLOCK)) {
            begin();
            open.onlyDeadlock();
        }
        if (open != null) {
            open.accept(line);
        }
    }

    /** How many threads all dumps have so far. */
    int threads() {
        return threads + (open == null ? 0 : open.threads());
    }

    /** How many of the dumps have no first line, which says what JVM it is. */
    int headless() {
        return headless;
    }

    /** How many reports of a tool are beside HotSpot's dumps, and count as none. */
    int leftOut() {
        return leftOut;
    }

    /** The addresses of the VM threads of all dumps: as many as there are JVMs, as far as told. */
    Set<String> processes() {
        return processes;
    }

    /** All dumps, in order; those of which nothing follows are none, if there are others. */
    List<DumpFile.Timed> done() {
        close();
        // A file may be cut there, or somebody have written that line.
        List<DumpFile.Timed> bare = dumps.stream().filter(one -> one.dump().isBare()).toList();
        if (bare.size() < dumps.size()) {
            dumps.removeAll(bare);
        }
        if (ofTools.size() < dumps.size() && dumps.removeAll(ofTools)) {
            leftOut = ofTools.size();
        }
        return dumps;
    }

    private void begin() {
        close();
        open = new DumpParser(stacks);
        heads = null;
        atNs = nextNs;
        nextNs = DumpFile.UNKNOWN_NS;
    }

    private void close() {
        if (open != null) {
            ThreadDump dump = open.done();
            // Whatever has a name in quotes and a number is no dump without a single frame.
            threads += dump.threads().size();
            if (heads == null || dump.frames() > 0) {
                processes.addAll(open.processes());
                headless += heads == null ? 0 : 1;
                dumps.add(new DumpFile.Timed(atNs, dump));
                if (isOfTool) {
                    ofTools.add(dumps.get(dumps.size() - 1));
                }
            }
            isOfTool = false;
            open = null;
        }
    }

    /** {@link DumpFile#UNKNOWN_NS} for the 30th of February. */
    private static long ns(String localTime) {
        try {
            return LocalDateTime.parse(localTime, TIME).toEpochSecond(ZoneOffset.UTC)
                    * 1_000_000_000L;
        } catch (DateTimeParseException e) {
            return DumpFile.UNKNOWN_NS;
        }
    }
}
