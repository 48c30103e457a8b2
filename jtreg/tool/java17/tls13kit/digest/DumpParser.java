// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tls13kit.digest.ThreadDump.Dumped;

/**
 * What do the lines of one thread dump say? They are as HotSpot prints them; the parts used are the
 * same in 8 to 28. {@link Normaliser} makes such lines of other shapes. A line may have any length,
 * so no pattern tries a part of it from several places.
 */
final class DumpParser {
    static final String FIRST = "Full thread dump ";
    /** In text that lacks everything else: who waits for whom in a cycle, and their stacks. */
    static final String DEADLOCK = "Found one Java-level deadlock";
    private static final Pattern VERSION =
            Pattern.compile("^Full thread dump .*?\\((\\d[^\\s(,)]*+)[ ,)].*$");
    /** In each frame of the JDK since 9. */
    private static final Pattern MODULE_VERSION = Pattern.compile("\\(java\\.base@(\\d[^/)\\s]*)/");
    private static final Pattern HEAD = Pattern.compile("\"(.*)\" #(\\d{1,18}) .*");
    private static final Pattern HEAD_IN_DEADLOCK = Pattern.compile("\"(.*)\":");
    private static final Pattern VM_THREAD =
            Pattern.compile("\"VM Thread\" .*?\\btid=(0x\\p{XDigit}+).*");
    private static final Pattern VIRTUAL = Pattern.compile(
            "\\s*(Carrying|Mounted) virtual thread #(\\d{1,18}).*");
    /** As HotSpot prints it, or quoted, indented otherwise, or in a table or a page. */
    private static final Pattern LIKE_A_FRAME = Pattern.compile("\\bat \\S+\\(");
    /** Follows the last thread. Whatever else is in the text comes later. */
    private static final String AFTER_THREADS = "JNI global ref";
    private static final String AFTER_DEADLOCK = "Found ";
    private static final String STACKS_IN_DEADLOCK = "Java stack information for the threads";
    /** Without {@code -l} only this names a java.util.concurrent lock's owner, in a deadlock. */
    private static final Pattern SYNCHRONIZER =
            Pattern.compile(".*?(?:ownable synchronizer |\\(object )0x0*(\\p{XDigit}+), .*");
    private static final Pattern HELD_BY = Pattern.compile("\\s*which is held by \"(.*)\".*");

    /** So many lines of text in a row are a log that goes on: frames below are of its traces. */
    private static final int LOG_LINES = 2;

    private final Map<List<String>, CallStack> stacks;
    private final List<Dumped> threads = new ArrayList<>();
    private final List<Long> carried = new ArrayList<>();
    private final Map<String, String> heldBy = new HashMap<>();
    private final Map<String, Long> ownerIds = new HashMap<>();
    private final Set<String> processes = new HashSet<>();
    private String version;
    private DumpedThread open;
    /** The thread on which the open one, a virtual one, runs. */
    private DumpedThread carrier;
    private String awaited;
    private boolean threadsEnded;
    private boolean inDeadlock;
    private boolean onlyDeadlock;
    private boolean showsVirtual;
    private int frames;
    private int textLines;
    /** Lines like a frame below text: a thread's own, if one of its frames follows them. */
    private int doubtful;
    private int readFrames;
    private int stackless;

    DumpParser() {
        this(new HashMap<>());
    }

    /** Takes the stacks of other dumps of this file: equal ones are one object. */
    DumpParser(Map<List<String>, CallStack> stacks) {
        this.stacks = stacks;
    }

    /** Takes the next line. */
    void accept(String line) {
        int framesBefore = open == null ? 0 : open.frames();
        if (line.startsWith(FIRST)) {
            Matcher release = VERSION.matcher(line);
            version = release.matches() ? HotSpotVersion.ofJdk(release.group(1)) : null;
        } else if (line.startsWith("\"")) {
            head(line);
        } else if (line.contains(" virtual thread #")) {
            virtual(line);
        } else if (inDeadlock || line.startsWith(DEADLOCK)) {
            deadlock(line);
        } else if (open != null) {
            open.accept(line);
            ownerOf(line);
        }
        boolean isRead = open != null && open.frames() > framesBefore;
        threadsEnded |= line.contains(AFTER_THREADS);
        boolean isText = !line.isEmpty() && line.charAt(0) > ' ' && line.charAt(0) != '"';
        textLines = isText ? textLines + 1 : line.startsWith("\"") ? 0
                : textLines >= LOG_LINES ? LOG_LINES : 0;
        if (threadsEnded || !line.contains("at ") || !LIKE_A_FRAME.matcher(line).find()) {
            return;
        }
        doubtful++;
        if (textLines < LOG_LINES || isRead) {
            frames += isRead ? doubtful : 1;
            doubtful = 0;
            if (version == null) {
                Matcher module = MODULE_VERSION.matcher(line);
                version = module.find() ? module.group(1) : null;
            }
        }
    }

    /** May more of the dump follow, as far as its lines say? */
    boolean isOpen() {
        return !threadsEnded || inDeadlock;
    }

    /** Is it a deadlock by itself, whose threads no dump has? */
    void onlyDeadlock() {
        onlyDeadlock = true;
    }

    /** Are virtual threads among its threads, as in JSON? */
    void showsVirtual() {
        showsVirtual = true;
    }

    /** Sets the version of the JDK, which no line has. */
    void version(String text) {
        version = text;
    }

    /** How many threads it has so far. */
    int threads() {
        return threads.size();
    }

    /** The addresses of the VM threads of which it is: of one, or none. */
    Set<String> processes() {
        return processes;
    }

    /** The dump, once all of its lines have been taken. */
    ThreadDump done() {
        finish();
        heldBy.forEach((lock, name) -> threads.stream().filter(one -> one.name().equals(name))
                .forEach(one -> one.lockedAt().putIfAbsent(lock, ThreadDump.SOMEWHERE)));
        if (!ownerIds.isEmpty()) {
            Map<Long, Dumped> byId = new HashMap<>();
            threads.forEach(one -> byId.put(one.thread(), one));
            ownerIds.forEach((lock, id) -> {
                if (byId.containsKey(id)) {
                    byId.get(id).lockedAt().putIfAbsent(lock, ThreadDump.SOMEWHERE);
                }
            });
        }
        List<Dumped> initializing = threads.stream().filter(Dumped::initializes).toList();
        List<Dumped> all = threads.stream()
                .map(one -> one.wantsClassOf(initializing)).toList();
        return ThreadDump.of(all, carried, version, showsVirtual, stackless,
                Math.max(0, frames - readFrames));
    }

    private void head(String line) {
        doubtful = 0;
        Matcher head = HEAD.matcher(line);
        Matcher inCycle = HEAD_IN_DEADLOCK.matcher(line);
        finish();
        if (inDeadlock) {
            if (onlyDeadlock && inCycle.matches()) {
                open(inCycle.group(1), inCycle.group(1).hashCode() & Integer.MAX_VALUE, line);
            }
        } else if (head.matches()) {
            open(head.group(1), Long.parseLong(head.group(2)), line);
        } else {
            Matcher process = VM_THREAD.matcher(line);
            if (process.matches()) {
                processes.add(process.group(1));
            }
        }
    }

    private void open(String name, long id, String head) {
        open = new DumpedThread(name, id, head);
    }

    /** A mounted one's stack follows its carrier's (25+). */
    private void virtual(String line) {
        Matcher virtual = VIRTUAL.matcher(line);
        if (!virtual.matches()) {
            return;
        }
        long id = Long.parseLong(virtual.group(2));
        if (virtual.group(1).equals("Carrying")) {
            carried.add(id);
        } else if (open != null && carrier == null) {
            carrier = open;
            open("virtual thread #" + id, id, "");
        }
    }

    private void deadlock(String line) {
        if (line.startsWith(DEADLOCK)) {
            finish();
            inDeadlock = true;
            threadsEnded |= !onlyDeadlock;
        } else if (line.startsWith(STACKS_IN_DEADLOCK) || line.startsWith(AFTER_DEADLOCK)) {
            finish();
            inDeadlock = line.startsWith(STACKS_IN_DEADLOCK);
        } else {
            ownerOf(line);
            if (open != null) {
                open.accept(line);
            }
        }
    }

    /** Two lines: of a lock that the thread above waits for, and of who has it. */
    private void ownerOf(String line) {
        if (line.contains("which is held by")) {
            Matcher owner = HELD_BY.matcher(line);
            if (awaited != null && owner.matches()) {
                heldBy.put(awaited, owner.group(1));
            }
            awaited = null;
        } else if (line.contains("synchronizer 0x") || line.contains("(object 0x")) {
            Matcher lock = SYNCHRONIZER.matcher(line);
            awaited = lock.matches() ? "0x" + lock.group(1) : null;
        }
    }

    private void finish() {
        if (open == null) {
            return;
        }
        if (carrier != null) {
            Dumped mounted = open.done(this::stack, null);
            add(carrier, carrier.done(this::stack, mounted.stack()));
            add(open, mounted);
        } else {
            add(open, open.done(this::stack, null));
        }
        open = null;
        carrier = null;
    }

    private void add(DumpedThread read, Dumped thread) {
        if (read.isOfJvm()) {
            return;
        }
        threads.add(thread);
        readFrames += thread.stack().frames.size();
        stackless += read.lacksStack() ? 1 : 0;
        ownerIds.putAll(read.ownerIds());
        heldBy.putAll(read.ownerNames());
    }

    private CallStack stack(List<String> names) {
        return stacks.computeIfAbsent(names, CallStack::new);
    }
}
