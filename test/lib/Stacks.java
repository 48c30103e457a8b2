// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Who waits for the keep-alive cache, and who sits in the close of a TLS socket? Read from one look
 * at all stacks, by frame: the lock is a monitor on 8 and 11 and a ReentrantLock on 17, but the
 * frames are the same.
 */
final class Stacks {
    /** Threads inside the cache, or at its cleaner's queue, not closing: they wait for a lock. */
    final List<String> waiting = new ArrayList<>();

    /** Threads inside SSLSocketImpl.close, each with its JDK frames, innermost first. */
    final List<String> closing = new ArrayList<>();

    /** The JDK frames of one of the waiting threads, innermost first. */
    private String waitingFrames = "";

    private Stacks() { }

    static Stacks now() {
        Stacks stacks = new Stacks();
        for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
            stacks.sort(entry.getKey(), entry.getValue());
        }
        return stacks;
    }

    /** All stacks as text, for a human. */
    static String dump() {
        StringBuilder out = new StringBuilder("Thread dump of all threads:\n");
        for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
            Thread thread = entry.getKey();
            out.append('"').append(thread.getName()).append("\" ").append(thread.getState())
                .append('\n');
            for (StackTraceElement frame : entry.getValue()) {
                out.append("    at ").append(frame).append('\n');
            }
        }
        return out.toString();
    }

    void tell(Findings findings) {
        findings.fact("threads_waiting_for_cache", waiting.size());
        if (!waiting.isEmpty()) {
            findings.fact("waiting_frames", waitingFrames);
        }
        findings.fact("threads_in_close", closing);
    }

    private void sort(Thread thread, StackTraceElement[] stack) {
        boolean inCache = false;
        boolean inClose = false;
        for (StackTraceElement frame : stack) {
            inCache |= frame.getClassName().equals("sun.net.www.http.KeepAliveCache")
                || frame.getMethodName().equals("queueForCleanup");
            inClose |= frame.getClassName().equals("sun.security.ssl.SSLSocketImpl")
                && frame.getMethodName().equals("close");
        }
        Thread.State state = thread.getState();
        if (inClose) {
            closing.add(thread.getName() + ": " + frames(stack));
        } else if (inCache && (state == Thread.State.BLOCKED || waitsForLock(stack))) {
            waiting.add(thread.getName());
            waitingFrames = frames(stack);
        }
    }

    private static boolean waitsForLock(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (frame.getClassName().startsWith("java.util.concurrent.locks.ReentrantLock")) {
                return true;
            }
        }
        return false;
    }

    /** Class and method of the frames of TLS, HTTP and locks, without packages. */
    private static String frames(StackTraceElement[] stack) {
        StringBuilder out = new StringBuilder();
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            if (type.startsWith("sun.security.ssl.") || type.startsWith("sun.net.www.")
                    || type.startsWith("java.net.") || type.endsWith("ReentrantLock")) {
                out.append(out.length() == 0 ? "" : " < ")
                    .append(type.substring(type.lastIndexOf('.') + 1))
                    .append('.').append(frame.getMethodName());
            }
        }
        return out.toString();
    }
}
