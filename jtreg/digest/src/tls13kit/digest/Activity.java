// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

/** Something that took time on a thread, and so may be what the holder of a lock sat in. */
class Activity {
    final Kind kind;
    /** Id of the thread. */
    final long thread;
    final String threadName;
    /** Nanoseconds since 1970, as is the end. */
    final long startNs;
    final long endNs;
    final CallStack stack;
    /** The lock it waits for, if it is itself such a wait, else null. */
    final Wait.Lock lock;
    /** What was read or written, or null. */
    final Io io;
    /** The last portion that it was kept for, with those to come: a mark, as below. */
    Object keptFor;
    /** What it was last held against: a mark is cheaper than a set each. */
    private Object seenFor;
    /** The first entry that counted it; there is hardly ever a second one. */
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

    /** In the order in which they are believed where several could explain the same wait. */
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
        /** A virtual thread that kept its carrier while it waited (21 to 23 in a monitor). */
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

    /** Whether this is the first time in a row that it is met for this. */
    boolean firstSeenFor(Object purpose) {
        boolean first = seenFor != purpose;
        seenFor = purpose;
        return first;
    }

    /** The first entry that counted it, which is this one if there was none. */
    Holder firstCountedIn(Holder holder) {
        if (countedIn == null) {
            countedIn = holder;
            return null;
        }
        return countedIn;
    }

    /** Whether it is known whose it is and where in the code. */
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
