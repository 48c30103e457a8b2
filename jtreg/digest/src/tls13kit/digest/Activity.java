// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.List;

/**
 * Something that took time on a thread, and so may be what the holder of a lock sat in.
 *
 * @param kind what it was
 * @param thread id of the thread
 * @param threadName its name
 * @param startNs nanoseconds since 1970
 * @param endNs nanoseconds since 1970
 * @param stack frames, innermost first
 * @param lock the lock it waits for, if it is itself such a wait, else null
 * @param host of the peer, or null
 * @param port of the peer, or 0
 * @param bytes read or written
 * @param timeoutMs time-out in force in milliseconds, 0 for none
 */
record Activity(Kind kind, long thread, String threadName, long startNs, long endNs,
        List<String> stack, Wait.Lock lock, String host, int port, long bytes, long timeoutMs) {

    /** In the order in which they are believed where several could explain the same wait. */
    enum Kind {
        SOCKET_READ("jdk.SocketRead"),
        SOCKET_WRITE("jdk.SocketWrite"),
        MONITOR_ENTER("jdk.JavaMonitorEnter"),
        PARK("jdk.ThreadPark"),
        SLEEP("jdk.ThreadSleep"),
        MONITOR_WAIT("jdk.JavaMonitorWait");

        final String event;

        Kind(String event) {
            this.event = event;
        }
    }

    boolean overlaps(Wait wait) {
        return startNs < wait.endNs() && endNs > wait.startNs();
    }
}
