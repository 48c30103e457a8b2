// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who waited for a lock, and who had it, at one moment? Read from HotSpot's own text, which is the
 * same in 8 to 25 as far as it is read here.
 *
 * @param threads Java threads; there are no virtual ones among them
 * @param carried ids of the virtual threads that were running on one of them (21+)
 */
record ThreadDump(List<Dumped> threads, List<Long> carried) {
    private static final Pattern HEAD = Pattern.compile("\"(.*)\" #(\\d+) .*");
    private static final Pattern OBJECT =
            Pattern.compile("\\s*- (.*?)\\s*<(0x\\p{XDigit}+)> \\(an? (.*)\\)");
    private static final Pattern CARRIED =
            Pattern.compile("\\s*Carrying virtual thread #(\\d+).*");
    /** The JDK starts one with the first virtual thread: unparker (21), unblocker (25). */
    private static final String HELPER_OF_VIRTUAL = "VirtualThread-";
    private static final String LOCKED = "locked";
    private static final String PARKED = "parking to wait for";
    /** One ends a wait(): it has to enter the monitor again. */
    private static final List<String> ENTERING =
            List.of("waiting to lock", "waiting to re-lock in wait()");

    /** A monitor or parked-on object. */
    record Target(boolean monitor, String className, String address) {}

    /**
     * One Java thread of the dump.
     *
     * @param wants the lock it waits to enter or acquire, or null
     * @param lockedAt index of the frame that locked, by address of the monitor; without those
     *     that it has let go of in a wait()
     */
    record Dumped(String name, long thread, String state, CallStack stack, Target wants,
            Map<String, Integer> lockedAt) {}

    static ThreadDump parse(String text) {
        List<Dumped> threads = new ArrayList<>();
        List<Long> carried = new ArrayList<>();
        Matcher head = HEAD.matcher("");
        Matcher carrying = CARRIED.matcher("");
        Part part = null;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            if (line.startsWith("\"")) {
                part = head.reset(line).matches()
                        ? new Part(head.group(1), Long.parseLong(head.group(2))) : null;
            } else if (line.isEmpty() && part != null) {
                threads.add(part.done());
                part = null;
            } else if (carrying.reset(line).matches()) {
                carried.add(Long.parseLong(carrying.group(1)));
            } else if (part != null) {
                part.accept(line);
            }
        }
        if (part != null) {
            threads.add(part.done());
        }
        return new ThreadDump(threads, carried);
    }

    /** Had the program made virtual threads by then, running or not? */
    boolean usesVirtualThreads() {
        return !carried.isEmpty()
                || threads.stream().anyMatch(one -> one.name().startsWith(HELPER_OF_VIRTUAL));
    }

    /** The lines of one thread. */
    private static final class Part {
        private final String name;
        private final long thread;
        private final List<String> frames = new ArrayList<>();
        private final Map<String, Integer> lockedAt = new HashMap<>();
        private final List<String> letGo = new ArrayList<>();
        private String state = "";
        private Target wants;

        Part(String name, long thread) {
            this.name = name;
            this.thread = thread;
        }

        void accept(String line) {
            int at = line.indexOf("at ");
            if (line.contains("java.lang.Thread.State: ")) {
                state = line.substring(line.indexOf(':') + 2);
            } else if (line.startsWith("\tat ") && line.indexOf('(') > at) {
                frames.add(line.substring(at + 3, line.indexOf('(')).intern());
            } else if (line.contains("<0x")) {
                Matcher object = OBJECT.matcher(line);
                if (object.matches()) {
                    object(object.group(1), object.group(2), object.group(3));
                }
            }
        }

        private void object(String word, String address, String className) {
            if (word.equals(LOCKED)) {
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
            // JDK 11 calls every wait() one that waits to lock again.
            if (wants != null && wants.monitor() && !state.startsWith("BLOCKED")) {
                wants = null;
            }
            return new Dumped(name, thread, state, new CallStack(List.copyOf(frames)), wants,
                    lockedAt);
        }
    }
}
