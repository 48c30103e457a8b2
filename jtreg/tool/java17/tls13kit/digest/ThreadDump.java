// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who waited for a lock, and who had it, at one moment?
 *
 * @param threads Java threads; virtual ones are among them only in JSON ({@code showsVirtual}), or
 *     if they ran on another one (25+)
 * @param carried ids of the virtual threads that were running on one of them (21+)
 * @param version of the JDK, from the dump's first line or its frames; null if neither has one
 * @param stackless how many of the threads have no frame, although they have a stack
 * @param unreadFrames how many lines look like frames, but were not read
 * @param owners of locks, by address
 * @param likely those of other locks, as far as asked for
 */
record ThreadDump(List<Dumped> threads, List<Long> carried, String version, boolean showsVirtual,
        int stackless, int unreadFrames, Map<String, Dumped> owners, Map<Object, Dumped> likely) {
    /** The JDK starts such a thread with the first virtual one: unparker (21), unblocker (25). */
    private static final String HELPER_OF_VIRTUAL = "VirtualThread-";
    private static final String INITIALIZATION = "initialization of ";
    private static final String SLEEPING = "sleeping";
    private static final String ENDS_THE_JVM = "java.lang.Runtime.exit";
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

    static Target initialization(String className) {
        return new Target(true, INITIALIZATION + className, INITIALIZATION + className);
    }

    /**
     * One Java thread of the dump.
     *
     * @param cpuMs the CPU time that it has used so far, in ms, or {@link #UNKNOWN_MS}
     * @param elapsedMs how long it has lived, in ms, or {@link #UNKNOWN_MS}
     * @param busyIn where it used that time: its own stack, or that of the virtual thread on it
     * @param wants the lock it waits to enter or acquire, or null
     * @param lockedAt index of the frame that locked, or {@link #SOMEWHERE}, by address of the
     *     lock; without monitors that it has released in a wait()
     */
    record Dumped(String name, long thread, double cpuMs, double elapsedMs, String state,
            CallStack stack, CallStack busyIn, Target wants, Map<String, Integer> lockedAt) {

        /** Is it in the initializer of a class? */
        boolean initializes() {
            return lockedAt.keySet().stream().anyMatch(lock -> lock.startsWith(INITIALIZATION));
        }

        /**
         * The same; if it waits for a class, and up to 16 no line says for which: for that of the
         * only other thread that initializes any.
         */
        Dumped wantsClassOf(List<Dumped> initializing) {
            List<Dumped> others = wants != null
                    || !state.endsWith(DumpedThread.INITIALIZED_ELSEWHERE) ? List.of()
                    : initializing.stream().filter(one -> one != this).limit(2).toList();
            if (others.size() != 1) {
                return this;
            }
            Target wanted = others.get(0).stack.frames.stream()
                    .filter(frame -> frame.endsWith(DumpedThread.INITIALIZES)).findFirst()
                    .map(frame -> initialization(Frames.classOf(frame))).orElseThrow();
            return new Dumped(name, thread, cpuMs, elapsedMs, state, stack, busyIn, wanted,
                    lockedAt);
        }

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

    /** Every dump in a text of HotSpot's own shape, in order, amid any other output. */
    static List<ThreadDump> parseAll(String text) {
        List<ThreadDump> dumps = new ArrayList<>();
        DumpParser[] open = new DumpParser[1];
        text.lines().forEach(line -> {
            if (line.startsWith(DumpParser.FIRST)) {
                finish(open[0], dumps);
                open[0] = new DumpParser();
            }
            if (open[0] != null) {
                open[0].accept(line);
            }
        });
        finish(open[0], dumps);
        return List.copyOf(dumps);
    }

    private static void finish(DumpParser open, List<ThreadDump> dumps) {
        if (open != null) {
            dumps.add(open.done());
        }
    }

    /** One dump, of HotSpot's own shape. */
    static ThreadDump parse(String text) {
        DumpParser parser = new DumpParser();
        text.lines().forEach(parser::accept);
        return parser.done();
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

    /** Of how many threads the deepest frames are left out. */
    int cutStacks() {
        return (int) threads.stream()
                .filter(thread -> thread.stack().frames.contains(Frames.LEFT_OUT)).count();
    }

    /** Had the program made virtual threads by then that this dump does not list? */
    boolean usesVirtualThreads() {
        return !showsVirtual && (!carried.isEmpty()
                || threads.stream().anyMatch(one -> one.name().startsWith(HELPER_OF_VIRTUAL)));
    }

    /** A dump of these threads. */
    static ThreadDump of(List<Dumped> threads, List<Long> carried, String version,
            boolean showsVirtual, int stackless, int unreadFrames) {
        Map<String, Dumped> owners = new HashMap<>();
        for (Dumped thread : threads) {
            if (!thread.stack().frames.isEmpty()) {
                thread.lockedAt().keySet().forEach(lock -> owners.putIfAbsent(lock, thread));
            }
        }
        return new ThreadDump(threads, carried, version, showsVirtual, stackless, unreadFrames,
                owners, new HashMap<>());
    }

    /** The owner of the lock; null if the dump does not name it, or if the lock is null. */
    Dumped ownerOf(Target lock) {
        return lock == null ? null : owners.get(lock.address());
    }

    /**
     * The probable owner of a java.util.concurrent lock that a thread waits for at a place, if the
     * dump does not name it: one in the waiters' class that does not merely wait there; null if
     * there is none, or if two are as likely.
     */
    Dumped likelyOwnerOf(Target wanted, BlockedGroup.Key place) {
        List<Object> lock = List.of(wanted, place);
        if (!likely.containsKey(lock)) {
            likely.put(lock, likeliest(wanted, place));
        }
        return likely.get(lock);
    }

    private Dumped likeliest(Target wanted, BlockedGroup.Key place) {
        Dumped best = null;
        boolean isAlone = false;
        for (Dumped thread : threads) {
            if (thread.isIn(place) >= 0 && !thread.merelyWaits(wanted, place)) {
                int order = best == null ? -1 : thread.rank(place) - best.rank(place);
                isAlone = order < 0 || order > 0 && isAlone;
                best = order < 0 ? thread : best;
            }
        }
        return isAlone ? best : null;
    }
}
