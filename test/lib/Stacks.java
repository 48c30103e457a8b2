// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What does each thread do, and who owns what it waits for? One look at all threads, taken while
 * all of them stand still (at a safepoint), so that waiter and owner belong together. The lock may
 * be a monitor, as in 8 and 11, or a ReentrantLock, as in 17: either names its owner.
 */
final class Stacks {
    /** Whoever asks the keep-alive cache or gives back to it; its timer does neither. */
    static final Sign.Place CACHE = thread -> {
        if (thread.getThreadName().equals(CacheTimer.NAME)) {
            return false;
        }
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().equals("sun.net.www.http.KeepAliveCache")
                    || frame.getMethodName().equals("queueForCleanup")) {
                return true;
            }
        }
        return false;
    };

    /** Whoever closes a TLS socket. */
    static final Sign.Place TLS_CLOSE = Sign.Place.in("sun.security.ssl.SSLSocketImpl", "close");

    // A chain of owners that is longer goes in a circle.
    private static final int LONGEST_CHAIN = 8;

    /** Threads inside SSLSocketImpl.close, each with its JDK frames, innermost first. */
    final List<String> closing = new ArrayList<>();

    private final Map<Long, ThreadInfo> threads = new LinkedHashMap<>();

    private Stacks() { }

    static Stacks now() {
        Stacks stacks = new Stacks();
        // Not the locks that each thread owns: they cost a walk through the heap.
        for (ThreadInfo thread
                : ManagementFactory.getThreadMXBean().dumpAllThreads(false, false)) {
            if (thread != null) {
                stacks.threads.put(thread.getThreadId(), thread);
                if (TLS_CLOSE.has(thread)) {
                    stacks.closing.add(
                        thread.getThreadName() + ": " + frames(thread.getStackTrace()));
                }
            }
        }
        return stacks;
    }

    void tell(Findings findings) {
        findings.fact("threads_in_close", closing);
    }

    Iterable<ThreadInfo> threads() {
        return threads.values();
    }

    /** @return the first of those whom the thread waits for that is there; null if none is */
    ThreadInfo owner(ThreadInfo waiter, Sign.Place there) {
        ThreadInfo owner = threads.get(waiter.getLockOwnerId());
        for (int i = 0; i < LONGEST_CHAIN && owner != null; i++) {
            if (there.has(owner)) {
                return owner;
            }
            owner = threads.get(owner.getLockOwnerId());
        }
        return null;
    }

    /** All stacks as text, for a human. */
    static String dump() {
        StringBuilder out = new StringBuilder("Thread dump of all threads:\n");
        for (ThreadInfo thread : now().threads()) {
            out.append('"').append(thread.getThreadName()).append("\" ")
                .append(thread.getThreadState());
            if (thread.getLockName() != null) {
                out.append(" on ").append(thread.getLockName());
            }
            if (thread.getLockOwnerName() != null) {
                out.append(" owned by \"").append(thread.getLockOwnerName()).append('"');
            }
            out.append('\n');
            for (StackTraceElement frame : thread.getStackTrace()) {
                out.append("    at ").append(frame).append('\n');
            }
        }
        return out.toString();
    }

    /** Class and method of the frames of security, HTTP and locks, without packages. */
    static String frames(StackTraceElement[] stack) {
        StringBuilder out = new StringBuilder();
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            if (type.startsWith("sun.security.") || type.startsWith("sun.net.www.")
                    || type.startsWith("java.net.") || type.startsWith("java.security.")
                    || type.endsWith("ReentrantLock")) {
                out.append(out.length() == 0 ? "" : " < ")
                    .append(type.substring(type.lastIndexOf('.') + 1))
                    .append('.').append(frame.getMethodName());
            }
        }
        return out.toString();
    }
}
