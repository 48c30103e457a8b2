// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * What does each thread do, and which thread owns the lock it waits for? One look at all threads,
 * taken at a safepoint, so that waiter and owner belong together. The lock may be a monitor, as in
 * 8 and 11, or a ReentrantLock, as in 17: both name their owner.
 */
final class Stacks {
    /** The name of the keep-alive cache's thread. */
    static final String TIMER = "Keep-Alive-Timer";

    /** A thread that asks the keep-alive cache or gives back to it; its timer does neither. */
    static final Sign.Place CACHE = thread -> !TIMER.equals(thread.getThreadName())
        && Arrays.stream(thread.getStackTrace()).anyMatch(frame ->
            frame.getClassName().equals("sun.net.www.http.KeepAliveCache")
            || frame.getMethodName().equals("queueForCleanup"));

    /** A thread that closes a TLS socket. */
    static final Sign.Place TLS_CLOSE = Sign.Place.in("sun.security.ssl.SSLSocketImpl", "close");

    // A longer chain of owners is a cycle.
    private static final int LONGEST_CHAIN = 8;

    private final Map<Long, ThreadInfo> threads = new LinkedHashMap<>();

    private Stacks() { }

    static Stacks now() {
        Stacks stacks = new Stacks();
        // Without the locks that each thread owns: they would cost a walk through the heap.
        for (ThreadInfo thread
                : ManagementFactory.getThreadMXBean().dumpAllThreads(false, false)) {
            if (thread != null) {
                stacks.threads.put(thread.getThreadId(), thread);
            }
        }
        return stacks;
    }

    Iterable<ThreadInfo> threads() {
        return threads.values();
    }

    /** The first thread for which {@code holder} finds one, with that holder; null if none. */
    Sign.Seen first(UnaryOperator<ThreadInfo> holder) {
        for (ThreadInfo thread : threads()) {
            ThreadInfo found = holder.apply(thread);
            if (found != null) {
                return new Sign.Seen(thread, found);
            }
        }
        return null;
    }

    /** @return the first owner in the chain of waits that is at {@code there}; null if none is */
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

    /** All stacks as {@code jcmd Thread.print -l} prints them, which the kit reads as well. */
    static String dump() {
        try {
            return (String) ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), "threadPrint",
                new Object[] {new String[] {"-l"}}, new String[] {String[].class.getName()});
        } catch (JMException e) { // a runtime image without jdk.management
            return "no thread dump: " + e;
        }
    }

    /** Class and method of the frames of security, network and locks, without packages. */
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
