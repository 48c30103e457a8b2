// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

/** Something that took time on a thread, and so may be what the holder of a lock was doing. */
class Activity {
    final Kind kind;
    /** Id of the thread. */
    final long thread;
    final String threadName;
    /** Nanoseconds since 1970, like {@code endNs}. */
    final long startNs;
    final long endNs;
    final CallStack stack;
    /** The lock or monitor that it waits for or on, if it is itself such a wait, or null. */
    final Wait.Lock lock;
    /** What was read or written, or null. */
    final Io io;
    /** A mark: the last portion after which it was kept for the next ones. */
    Object keptFor;
    /** A mark, cheaper than a set for each purpose: what it was last examined for. */
    private Object seenFor;
    /** The first entry that counted it; there is hardly ever a second. */
    private Holder countedIn;

    Activity(Kind kind, long thread, String threadName, long startNs, long endNs, CallStack stack,
            Wait.Lock lock, Io io) {
        this.kind = kind;
        this.thread = thread;
        this.threadName = threadName;
        this.startNs = startNs;
        this.endNs = endNs;
        this.stack = stack;
        this.lock = lock;
        this.io = io;
    }

    /** In order of preference, for when several could explain the same wait. */
    enum Kind {
        SOCKET_READ("jdk.SocketRead"),
        SOCKET_WRITE("jdk.SocketWrite"),
        FILE_READ("jdk.FileRead"),
        FILE_WRITE("jdk.FileWrite"),
        FILE_FORCE("jdk.FileForce"),
        MONITOR_ENTER("jdk.JavaMonitorEnter"),
        PARK("jdk.ThreadPark"),
        SLEEP("jdk.ThreadSleep"),
        MONITOR_WAIT("jdk.JavaMonitorWait"),
        /** A virtual thread that kept its carrier while it waited (in 21 to 23, in a monitor). */
        PINNED("jdk.VirtualThreadPinned"),
        SAMPLE("jdk.ExecutionSample");

        final String event;

        Kind(String event) {
            this.event = event;
        }
    }

    /**
     * A read or write.
     *
     * @param host of the peer
     * @param port of the peer
     * @param bytes read or written
     * @param timeoutMs time-out in force in milliseconds, 0 for none
     */
    record Io(String host, int port, long bytes, long timeoutMs) {}

    /** Marks it as examined for a purpose; false if that was its last purpose already. */
    boolean firstSeenFor(Object purpose) {
        boolean first = seenFor != purpose;
        seenFor = purpose;
        return first;
    }

    /** The first entry that counted it; null if there was none, so that it is {@code holder}. */
    Holder firstCountedIn(Holder holder) {
        if (countedIn == null) {
            countedIn = holder;
            return null;
        }
        return countedIn;
    }

    /** Whether its thread and its place in the code are known. */
    boolean hasPlace() {
        return thread != Wait.NOBODY && !stack.frames.isEmpty();
    }

    boolean overlaps(long fromNs, long toNs) {
        return startNs < toNs && endNs > fromNs;
    }

    long durationNs() {
        return endNs - startNs;
    }
}
