// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8358496: Concurrent reading from Socket with timeout executes sequentially
 *
 * What goes wrong: a read takes a lock of its socket, and its timeout begins only once it has that
 * lock. While one thread reads, a second waits for the lock without a timeout, whatever
 * setSoTimeout says: n readers time out one after the other, or never.
 *
 * What it takes: two threads that read from one socket, and a timeout. Here the first has none, so
 * the second never ends.
 *
 * Control: the second reads from a socket of its own.
 *
 * Judged by a sign: it waits for a lock that the other reader owns; watched until it times out.
 *
 * Without its precondition
 *     -Dthreads.meet=off: inconclusive: did not come to read
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/sockets/TimedReadWaitsForOtherReader.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib sockets/TimedReadWaitsForOtherReader.java
 *     java -cp classes TimedReadWaitsForOtherReader [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     seen_waiting_ms = 6014 ms (bound 6000)
 *       timeout_ms: 500
 *       second_read_ms: 6639
 *       looks: 224
 *       looks_that_saw_it: 224
 *       waiter: second-reader
 *       waiter_frames: ReentrantLock.lock < Socket$SocketInputStream.read <
 *           Socket$SocketInputStream.read
 *       holder: first-reader
 *       holder_frames: Socket$SocketInputStream.read < Socket$SocketInputStream.read
 *       withheld_ms: 1765
 *       given_cpu_ms: 317
 *       cpu_pressure_percent: 97
 *     reproduced: A read with a timeout of 500 ms waited for another reader
 *         (seen_waiting_ms 6014, bound 6000).
 * On a fixed build:
 *     # java: 25.0.2+10-LTS, Eclipse Adoptium
 *     # the second reader ended with java.net.SocketTimeoutException: Read timed out
 *     seen_waiting_ms = 182 ms (bound 6000)
 *       timeout_ms: 500
 *       second_read_ms: 500
 *       looks: 6
 *       looks_that_saw_it: 6
 *       waiter: second-reader
 *       waiter_frames: ReentrantLock.tryLock < Socket$SocketInputStream.implRead <
 *           Socket$SocketInputStream.read < Socket$SocketInputStream.read
 *       holder: first-reader
 *       holder_frames: Socket$SocketInputStream.implRead <
 *           Socket$SocketInputStream.read < Socket$SocketInputStream.read
 *       withheld_ms: 876
 *       given_cpu_ms: 91
 *       cpu_pressure_percent: 99
 *     not-reproduced: A read with a timeout of 500 ms timed out beside another reader
 *         (seen_waiting_ms 182, bound 6000).
 */

/*
 * @test
 * @bug 8358496
 * @summary A read must time out, though another thread reads from the same socket
 * @key waits
 * @library /lib
 * @run main/othervm TimedReadWaitsForOtherReader control
 * @run main/othervm TimedReadWaitsForOtherReader subject
 */

import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;

public class TimedReadWaitsForOtherReader {
    private static final int TIMEOUT_MS = 500;

    // Twelve times the timeout; a wait for the lock without one lasts until the first has read.
    private static final long BOUND_MS = 12 * TIMEOUT_MS;

    private static final Sign WAITS_FOR_FIRST = Sign.heldBy(
        Sign.Place.thread("second-reader"), Sign.Place.thread("first-reader"));

    public static void main(String[] args) throws Exception {
        Reproducer.run("TimedReadWaitsForOtherReader", "JDK-8358496", args,
            TimedReadWaitsForOtherReader::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, Listener.BACKLOG, TlsPeer.loopback());
                Socket one = new Socket(TlsPeer.loopback(), silent.getLocalPort());
                Socket other = new Socket(TlsPeer.loopback(), silent.getLocalPort())) {
            TimedCall first = new TimedCall("first-reader", () -> {
                if (PlainSocket.MEET) {
                    one.getInputStream().read();
                }
            });
            findings.require(first.inSocketRead(Client.PATIENCE_MS),
                "The first reader did not come to read.");
            Socket read = which == Case.SUBJECT ? one : other;
            read.setSoTimeout(TIMEOUT_MS);
            Watch watch = new Watch(WAITS_FOR_FIRST);
            TimedCall second = new TimedCall("second-reader", () -> readUntilTimeout(read));
            watch.until(second::isOver, BOUND_MS);
            findings.fact("timeout_ms", TIMEOUT_MS);
            findings.fact("second_read_ms", second.ms());
            findings.require(!first.isOver(), "The first reader did not go on reading.");
            findings.judge("seen_waiting_ms", watch, BOUND_MS,
                "A read with a timeout of " + TIMEOUT_MS + " ms waited for another reader",
                "A read with a timeout of " + TIMEOUT_MS + " ms timed out beside another reader");
        }
    }

    private static void readUntilTimeout(Socket socket) throws Exception {
        try {
            socket.getInputStream().read();
            throw new IllegalStateException("the peer is silent, yet something was read");
        } catch (SocketTimeoutException expected) {
            System.out.println("# the second reader ended with " + expected);
        }
    }
}
