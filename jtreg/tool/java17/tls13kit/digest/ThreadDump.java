// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who waited for a lock, and who had it, at one moment? Parsed from HotSpot's own text; the parts
 * used are the same in 8 to 25. A line may have any length, so no pattern tries a part of it from
 * several places.
 *
 * @param threads Java threads; virtual ones are among them only in JSON ({@code showsVirtual})
 * @param carried ids of the virtual threads that were running on one of them (21+)
 * @param version of the JVM, from the dump's first line; null if there is none
 * @param stackless how many of the threads have no frame, although they have a stack
 * @param unreadFrames how many lines look like frames, but were not read
 */
record ThreadDump(List<Dumped> threads, List<Long> carried, String version, boolean showsVirtual,
        int stackless, int unreadFrames) {
    private static final Pattern VERSION = Pattern.compile("^Full thread dump .*?\\((\\d[^\\s(,)]*+)[ ,)].*$");
    private static final Pattern HOTSPOT_8 = Pattern.compile("25\\.(\\d+)-b\\d+");
    private static final Pattern HEAD = Pattern.compile("\"(.*)\" #(\\d{1,18}) .*");
    /** At the end of a head: where its stack is. The JVM's own threads have none, and 0 there. */
    private static final Pattern STACK = Pattern.compile("\\[0x0*[1-9a-f]\\p{XDigit}*]");
    /** As HotSpot prints it, or quoted, indented otherwise, or in a table or a page. */
    private static final Pattern LIKE_A_FRAME = Pattern.compile("\\bat \\S+\\(");
    /** Follows the last thread. Whatever else is in the text comes later. */
    private static final String AFTER_THREADS = "JNI global ref";
    private static final Pattern CPU = Pattern.compile(" cpu=(\\d{1,12}(?:\\.\\d+)?)ms ");
    private static final Pattern ELAPSED =
            Pattern.compile(" elapsed=(\\d{1,12}(?:\\.\\d+)?)s ");
    /** Since 17 a dump names the class that a thread waits for; before, only the head hints at it. */
    private static final Pattern INITIALIZING = Pattern.compile(
            "\\s*- waiting on the Class initialization monitor for (\\S+)\\s*");
    private static final String INITIALIZER = ".<clinit>";
    private static final String IN_OBJECT_WAIT = " in Object.wait() ";
    private static final Pattern OBJECT =
            Pattern.compile("\\s*- ([^<]*)<(0x\\p{XDigit}+)> \\(an? (.*)\\)");
    private static final Pattern CARRIED =
            Pattern.compile("\\s*Carrying virtual thread #(\\d{1,18}).*");
    /** Up to 21.0.12 this line ends with a colon; since 21.0.13 one with the version follows. */
    private static final Pattern BEGIN =
            Pattern.compile("^(?=Full thread dump )", Pattern.MULTILINE);
    /** Without {@code -l} only this names a java.util.concurrent lock's owner, in a deadlock. */
    private static final Pattern HELD_BY = Pattern.compile(
            "ownable synchronizer (0x\\p{XDigit}+), \\(an? [^\\s,]*\\),?\\R"
                    + "\\s*which is held by \"(.*)\"");
    /** The JDK starts such a thread with the first virtual one: unparker (21), unblocker (25). */
    private static final String HELPER_OF_VIRTUAL = "VirtualThread-";
    private static final String FIRST = "Full thread dump ";
    private static final String INITIALIZATION = "initialization of ";
    private static final String RUNNABLE = "RUNNABLE";
    /** HotSpot calls a thread runnable that waits for another one to initialize a class. */
    private static final String INITIALIZED_ELSEWHERE = " (class initialization)";
    private static final String SLEEPING = "sleeping";
    private static final String ENDS_THE_JVM = "java.lang.Runtime.exit";
    private static final String LOCKED = "locked";
    private static final String PARKED = "parking to wait for";
    /** The second is of a thread that ends a wait(), and must enter the monitor again. */
    private static final List<String> ENTERING =
            List.of("waiting to lock", "waiting to re-lock in wait()");

    /** Where a lock is held, if the dump names its owner but not the frame. */
    static final int SOMEWHERE = -1;

    /** The CPU time of a thread if the dump does not have it: in 8, or as JSON. */
    static final double UNKNOWN_MS = -1;

    /** A monitor or parked-on object, or the initialization of a class by another thread. */
    record Target(boolean monitor, String className, String address) {
        boolean isInitialization() {
            return className.startsWith(INITIALIZATION);
        }
    }

    private static Target initialization(String className) {
        return new Target(true, INITIALIZATION + className, INITIALIZATION + className);
    }

    /**
     * One Java thread of the dump.
     *
     * @param cpuMs the CPU time that it has used so far, in ms, or {@link #UNKNOWN_MS}
     * @param elapsedMs how long it has lived, in ms, or {@link #UNKNOWN_MS}
     * @param wants the lock it waits to enter or acquire, or null
     * @param lockedAt index of the frame that locked, or {@link #SOMEWHERE}, by address of the
     *     lock; without monitors that it has released in a wait()
     */
    record Dumped(String name, long thread, double cpuMs, double elapsedMs, String state,
            CallStack stack, Target wants, Map<String, Integer> lockedAt) {

        /** Where in the code it waits for the lock that it wants. */
        BlockedGroup.Key place() {
            return new BlockedGroup.Key(
                    LockClasses.kind(wants.monitor(), wants.className(), stack.waiter),
                    wants.className(), stack.waiter, stack.entry());
        }

        /** Index of its outermost frame in the class of the waiters or of the lock, or -1. */
        int isIn(BlockedGroup.Key place) {
            return Frames.outermostOf(stack.frames, BlockedGroup.holderClasses(place));
        }

        /** As in {@link Explanation}, for ended waits. A thread that ends the JVM is no holder. */
        private boolean merelyWaits(Target wanted, BlockedGroup.Key place) {
            if (stack.frames.contains(ENDS_THE_JVM)) {
                return true;
            }
            if (wants != null) {
                return wants.address().equals(wanted.address())
                        || stack.waiterClass.equals(Frames.classOf(place.frame()));
            }
            return state.contains("WAITING") && !state.contains(SLEEPING);
        }

        /** Lowest is likeliest: it runs or reads from a peer, then it is where the waiters wait. */
        private int rank(BlockedGroup.Key place) {
            if (state.startsWith("RUNNABLE")) {
                return 0;
            }
            if (wants == null && stack.frames.contains(place.frame())) {
                return 1;
            }
            return wants != null ? 2 : 3;
        }

        /** Index of the frame where it has a lock that threads at a place wait for. */
        int heldAt(Target lock, BlockedGroup.Key place) {
            int locked = lockedAt.get(lock.address());
            return locked != SOMEWHERE ? locked
                    : Frames.heldIndex(stack, BlockedGroup.holderClasses(place));
        }
    }

    /** Every dump in a text, in order, amid any other output. */
    static List<ThreadDump> parseAll(String text) {
        return Arrays.stream(BEGIN.split(text, -1)).filter(part -> part.startsWith(FIRST))
                .map(ThreadDump::parse).toList();
    }

    static ThreadDump parse(String text) {
        List<Part> parts = new ArrayList<>();
        List<Long> carried = new ArrayList<>();
        Matcher head = HEAD.matcher("");
        Matcher carrying = CARRIED.matcher("");
        Matcher likeAFrame = LIKE_A_FRAME.matcher("");
        String version = null;
        Part part = null;
        boolean inThreads = true;
        int frames = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            if (line.startsWith(FIRST)) {
                Matcher said = VERSION.matcher(line);
                version = said.matches() ? release(said.group(1)) : null;
            } else if (line.startsWith("\"")) {
                part = null;
                if (head.reset(line).matches()) {
                    part = new Part(head.group(1), Long.parseLong(head.group(2)), line);
                    parts.add(part);
                }
            } else if (carrying.reset(line).matches()) {
                carried.add(Long.parseLong(carrying.group(1)));
            } else if (part != null) {
                part.accept(line);
            }
            inThreads &= !line.contains(AFTER_THREADS);
            frames += inThreads && likeAFrame.reset(line).find() ? 1 : 0;
        }
        List<Dumped> threads = parts.stream().map(Part::done).toList();
        Matcher held = HELD_BY.matcher(text);
        while (held.find()) {
            threads.stream().filter(one -> one.name().equals(held.group(2)))
                    .forEach(one -> one.lockedAt().putIfAbsent(held.group(1), SOMEWHERE));
        }
        int read = parts.stream().mapToInt(one -> one.frames.size()).sum();
        return new ThreadDump(threads, carried, version, false,
                (int) parts.stream().filter(Part::lacksStack).count(), Math.max(0, frames - read));
    }

    /** Is it in a state that a thread enters only by a call, which is on its stack? */
    static boolean isInCall(String state) {
        return state.startsWith("BLOCKED") || state.startsWith("WAITING")
                || state.startsWith("TIMED_WAITING");
    }

    /** Is nothing of a dump below its first line? */
    boolean isBare() {
        return threads.isEmpty() && unreadFrames == 0;
    }

    /** The number of frames of all threads. */
    int frames() {
        return threads.stream().mapToInt(thread -> thread.stack().frames.size()).sum();
    }

    private static double cpuMs(String head) {
        Matcher cpu = CPU.matcher(head);
        return cpu.find() ? Double.parseDouble(cpu.group(1)) : UNKNOWN_MS;
    }

    private static double elapsedMs(String head) {
        Matcher elapsed = ELAPSED.matcher(head);
        return elapsed.find() ? Double.parseDouble(elapsed.group(1)) * 1000 : UNKNOWN_MS;
    }

    /** 8's HotSpot has a version of its own: 25.504-b01 is 8u504. */
    private static String release(String version) {
        Matcher of8 = HOTSPOT_8.matcher(version);
        return of8.matches() ? "8u" + of8.group(1) : version;
    }

    /** Had the program made virtual threads by then that this dump does not list? */
    boolean usesVirtualThreads() {
        return !showsVirtual && (!carried.isEmpty()
                || threads.stream().anyMatch(one -> one.name().startsWith(HELPER_OF_VIRTUAL)));
    }

    /** The owner of the lock; null if the dump does not name it, or if the lock is null. */
    Dumped ownerOf(Target lock) {
        return lock == null ? null : threads.stream()
                .filter(thread -> thread.lockedAt().containsKey(lock.address()))
                .filter(thread -> !thread.stack().frames.isEmpty()).findFirst().orElse(null);
    }

    /**
     * The probable owner of a java.util.concurrent lock that a thread waits for at a place, if the
     * dump does not name it: one in the waiters' class that does not merely wait there, or null.
     */
    Dumped likelyOwnerOf(Target wanted, BlockedGroup.Key place) {
        Dumped best = null;
        for (Dumped thread : threads) {
            if (thread.isIn(place) >= 0 && !thread.merelyWaits(wanted, place)
                    && (best == null || thread.rank(place) < best.rank(place))) {
                best = thread;
            }
        }
        return best;
    }

    /** The lines of one thread. */
    private static final class Part {
        private final String name;
        private final long thread;
        private final double cpuMs;
        private final double elapsedMs;
        private final boolean hasStack;
        private final boolean inObjectWait;
        private final List<String> frames = new ArrayList<>();
        private final Map<String, Integer> lockedAt = new HashMap<>();
        private final List<String> letGo = new ArrayList<>();
        private String state = "";
        private Target wants;
        /** Only the locks that {@code -l} lists follow the stack. */
        private boolean stackEnded;

        Part(String name, long thread, String head) {
            this.name = name;
            this.thread = thread;
            this.cpuMs = cpuMs(head);
            this.elapsedMs = elapsedMs(head);
            this.inObjectWait = head.contains(IN_OBJECT_WAIT);
            this.hasStack = STACK.matcher(head).find();
        }

        boolean lacksStack() {
            return frames.isEmpty() && (hasStack || isInCall(state));
        }

        void accept(String line) {
            int at = line.indexOf("at ");
            if (line.isEmpty()) {
                stackEnded = true;
            } else if (stackEnded && !line.startsWith("\t- <0x")) {
                return;
            } else if (line.contains("java.lang.Thread.State: ")) {
                state = line.substring(line.indexOf(':') + 2);
            } else if (line.startsWith("\tat ") && line.indexOf('(') > at) {
                frames.add(line.substring(at + 3, line.indexOf('(')).intern());
            } else if (line.contains("initialization monitor")) {
                Matcher initializing = INITIALIZING.matcher(line);
                if (initializing.matches()) {
                    wants = initialization(initializing.group(1));
                }
            } else if (line.contains("<0x")) {
                Matcher object = OBJECT.matcher(line);
                if (object.matches()) {
                    object(object.group(1).strip(), object.group(2), object.group(3));
                }
            }
        }

        private void object(String word, String address, String className) {
            if (word.isEmpty()) {
                lockedAt.put(address, SOMEWHERE);
            } else if (word.equals(LOCKED)) {
                lockedAt.put(address, Math.max(0, frames.size() - 1));
            } else if (ENTERING.contains(word)) {
                wants = new Target(true, className, address);
                letGo.add(address);
            } else if (word.equals(PARKED) && LockClasses.isLock(className)) {
                wants = new Target(false, className, address);
            } else if (word.startsWith("waiting on")) {
                letGo.add(address);
            }
        }

        Dumped done() {
            letGo.forEach(lockedAt::remove);
            // JDK 11 prints "waiting to re-lock" for every wait().
            if (wants != null && wants.monitor() && !wants.isInitialization()
                    && !state.startsWith("BLOCKED")) {
                wants = null;
            }
            for (int i = 0; i < frames.size(); i++) {
                if (frames.get(i).endsWith(INITIALIZER)) {
                    lockedAt.put(initialization(Frames.classOf(frames.get(i))).address(), i);
                }
            }
            boolean inInitialization = state.equals(RUNNABLE) && inObjectWait;
            return new Dumped(name, thread, cpuMs, elapsedMs,
                    inInitialization ? RUNNABLE + INITIALIZED_ELSEWHERE : state,
                    new CallStack(List.copyOf(frames)), wants, lockedAt);
        }
    }
}
