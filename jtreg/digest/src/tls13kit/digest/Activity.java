// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

/**
 * Something that took time on a thread, and so may be what the holder of a lock sat in.
 *
 * @param kind what it was
 * @param thread id of the thread
 * @param threadName its name
 * @param startNs nanoseconds since 1970
 * @param endNs nanoseconds since 1970
 * @param stack where
 * @param lock the lock it waits for, if it is itself such a wait, else null
 * @param io what was read or written, or null
 */
record Activity(Kind kind, long thread, String threadName, long startNs, long endNs,
        CallStack stack, Wait.Lock lock, Io io) {

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

    boolean overlaps(long fromNs, long toNs) {
        return startNs < toNs && endNs > fromNs;
    }

    long durationNs() {
        return endNs - startNs;
    }
}
