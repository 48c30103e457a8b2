// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.List;
import java.util.Set;

/**
 * Which frame of a stack tells the reader something? Frames are {@code class.method}, innermost
 * first.
 */
final class Frames {
    /** Stands for a stack, class or thread name that a recording does not have. */
    static final String UNKNOWN = "?";

    /** Code that performs any wait, for any caller. */
    private static final List<String> WAITING = List.of(
            "java.util.concurrent.locks.", "jdk.internal.misc.", "sun.misc.Unsafe.",
            "java.lang.Object.", "java.lang.VirtualThread.", "java.lang.System$",
            "java.lang.Thread.sleep", "java.lang.Thread.yield", "jdk.jfr.", "jdk.internal.event.");
    /** Code that moves bytes for any protocol. */
    private static final List<String> PLUMBING = List.of(
            "java.net.", "java.io.", "java.nio.", "sun.nio.", "sun.misc.", "jdk.internal.",
            "java.lang.", "java.util.concurrent.");
    private static final List<String> JDK = List.of(
            "java.", "javax.", "jdk.", "sun.", "com.sun.");
    /** Stands for the frames below the eighth, which ThreadInfo.toString leaves out. */
    static final String LEFT_OUT = "java.lang.management.ThreadInfo.leftOut";
    /** Where every thread begins: never what it was asked to do. */
    private static final Set<String> THREAD_START = Set.of(
            "java.lang.Thread.run", "java.lang.Thread.runWith", "java.lang.VirtualThread.run",
            "jdk.internal.misc.InnocuousThread.run", Frames.LEFT_OUT);

    private Frames() {}

    /** The frame that wanted the lock: the first that is not the lock's own code. */
    static String waiter(List<String> stack) {
        for (String frame : stack) {
            if (!startsWithAny(frame, WAITING)) {
                return frame;
            }
        }
        return stack.isEmpty() ? UNKNOWN : stack.get(stack.size() - 1);
    }

    /**
     * Index of where the program entered the JDK: the last JDK frame before the first frame of the
     * program. On a thread of the JDK's own it is where that thread's work begins.
     */
    static int entryIndex(List<String> stack) {
        int entry = -1;
        for (int i = 0; i < stack.size(); i++) {
            String frame = stack.get(i);
            if (!startsWithAny(frame, JDK)) {
                return entry < 0 ? i : entry;
            }
            if (!THREAD_START.contains(frame) || entry < 0) {
                entry = i;
            }
        }
        return Math.max(0, entry);
    }

    /** Index of the frame where a thread holds a lock that code of these classes wants. */
    static int heldIndex(CallStack stack, Set<String> classes) {
        int held = outermostOf(stack.frames, classes);
        return held < 0 ? aboutIndex(stack) : held;
    }

    /**
     * Index of the frame that tells what a thread was doing, if it is in none of the classes:
     * where the program entered the JDK, or, if it did so only to wait or to move bytes, the
     * program's own frame before that.
     */
    private static int aboutIndex(CallStack stack) {
        int entry = stack.entryIndex;
        String frame = stack.frames.get(entry);
        boolean plain = startsWithAny(frame, WAITING) || startsWithAny(frame, PLUMBING);
        return plain && entry + 1 < stack.frames.size() ? entry + 1 : entry;
    }

    /** Index of the outermost frame of one of the classes, or -1. */
    static int outermostOf(List<String> stack, Set<String> classes) {
        for (int i = stack.size() - 1; i >= 0; i--) {
            if (classes.contains(classOf(stack.get(i)))) {
                return i;
            }
        }
        return -1;
    }

    /**
     * What a thread waits in, by its frames before index {@code end}: {@code waits_in} in
     * digest.schema.json. If the last of them is the {@link #waiter}, the result is the waiter.
     */
    static String waitsIn(List<String> stack, int end) {
        int inner = 0;
        while (inner < end && startsWithAny(stack.get(inner), PLUMBING)) {
            inner++;
        }
        if (inner == end) {
            return stack.get(Math.max(0, end - 1));
        }
        String wanted = packageOf(stack.get(inner));
        while (inner + 1 < end && packageOf(stack.get(inner + 1)).equals(wanted)) {
            inner++;
        }
        return stack.get(inner);
    }

    /** Is this class too general for a frame of it to tell which lock a thread has? */
    static boolean isGeneral(String className) {
        return startsWithAny(className + ".", WAITING) || className.startsWith("java.lang.");
    }

    static boolean isOfJdk(String frame) {
        return startsWithAny(frame, JDK);
    }

    /** Does it only move bytes for any protocol, or wait for any caller? */
    static boolean isPlumbing(String frame) {
        return startsWithAny(frame, PLUMBING);
    }

    /** Where a frame begins after its loader and module; the name of a hidden class has a slash. */
    static int begin(String frame) {
        int begin = 0;
        int slash = frame.indexOf('/');
        while (slash >= 0 && frame.lastIndexOf('$', slash) < begin && slash + 1 < frame.length()
                && !Character.isDigit(frame.charAt(slash + 1))) {
            begin = slash + 1;
            slash = frame.indexOf('/', begin);
        }
        return begin;
    }

    static String classOf(String frame) {
        int dot = frame.lastIndexOf('.');
        return dot < 0 ? frame : frame.substring(0, dot);
    }

    private static String packageOf(String frame) {
        String type = classOf(frame);
        return type.substring(0, Math.max(0, type.lastIndexOf('.')));
    }

    private static boolean startsWithAny(String frame, List<String> prefixes) {
        for (String prefix : prefixes) {
            if (frame.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
