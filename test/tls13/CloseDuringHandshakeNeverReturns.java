// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * SSLSocket.close() never returns if it is called during the handshake, since JDK-8290005
 * (no report of this hang was found: the id is that of the change that brought it)
 *
 * What goes wrong: during the handshake close() drains the input, in
 * SSLSocketImpl$AppInputStream.deplete(): it asks how many bytes there are, and skips as many. If
 * the handshaking thread takes them in between, close() waits for bytes that never come, for ever
 * unless there is a read timeout. Until JDK-8290005, duplexCloseOutput() asked for the protocol
 * that the handshake has negotiated. While there was none, it took the path for TLS 1.2 and
 * earlier, which does not drain there. Since then it asks conContext.protocolVersion, which is the
 * highest version enabled until one is negotiated, and takes the path for TLS 1.3. The symptom is
 * that of JDK-8274524, whose fix bounds the drain in closeSocket() by a read timeout, but not this
 * one.
 *
 * What it takes: a close during the handshake, no read timeout, and a read by the handshake between
 * two steps of the close. Here the plain socket below the TLS one lets the handshake read at that
 * very moment, then nothing more until the close has passed, so no luck is needed. In the control
 * the handshake gets the bytes before. With plain sockets, where the server sent the first 64 bytes
 * of a record within 0.4 ms after close() began, 129 of 300 closes did not return within 3 s on
 * 25.0.2, and all 1,500 returned on 21.0.8 (loopback, two busy cores, November 2026).
 *
 * Workaround: a read timeout bounds the wait (with setSoTimeout(2000) close() took 2,109 ms on
 * 25.0.2). Enabling only TLSv1.2 on the socket does so too (106 ms).
 *
 * Judged by a sign: its thread is in a socket read in SSLSocketImpl.close, with no bytes to come;
 * watched until it returns.
 *
 * Without its precondition
 *     -Dthreads.meet=off: not-applicable: The threads did not meet
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/CloseDuringHandshakeNeverReturns.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/CloseDuringHandshakeNeverReturns.java
 *     java -cp classes CloseDuringHandshakeNeverReturns [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 25.0.2+10-LTS, Eclipse Adoptium
 *     seen_hanging_ms = 5014 ms (bound 5000)
 *       bytes_taken_meanwhile: 64
 *       close_ms: 7897
 *       looks: 170
 *       looks_that_saw_it: 170
 *       holder: closer
 *       holder_frames: Socket$SocketInputStream.implRead < Socket$SocketInputStream.read <
 *           SSLSocketInputRecord.deplete < SSLSocketImpl$AppInputStream.readLockedDeplete <
 *           SSLSocketImpl$AppInputStream.deplete < SSLSocketImpl.bruteForceCloseInput <
 *           SSLSocketImpl.duplexCloseOutput < SSLSocketImpl.close
 *       withheld_ms: 11360
 *       given_cpu_ms: 792
 *       cpu_pressure_percent: 99
 *     reproduced: A close during the handshake hung in
 *         SSLSocketImpl$AppInputStream.readLockedDeplete (seen_hanging_ms 5014, bound 5000).
 * On a build without it:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     seen_hanging_ms = 0 ms (bound 5000)
 *       bytes_taken_meanwhile: 64
 *       close_ms: 47
 *       looks: 1
 *       looks_that_saw_it: 0
 *       withheld_ms: 2164
 *       given_cpu_ms: 135
 *       cpu_pressure_percent: 89
 *     not-reproduced: A close during the handshake returned (seen_hanging_ms 0, bound 5000).
 */

/*
 * @test
 * @bug 8290005
 * @summary A close during the handshake must return, whichever way it drains the input
 * @key waits
 * @library /lib
 * @run main/othervm CloseDuringHandshakeNeverReturns control
 * @run main/othervm CloseDuringHandshakeNeverReturns subject
 */

public class CloseDuringHandshakeNeverReturns {
    public static void main(String[] args) throws Exception {
        Reproducer.run("CloseDuringHandshakeNeverReturns", "JDK-8290005", args,
            (which, findings) -> CloseInHandshake.measure(which, findings,
                CloseInHandshake.INPUT_DRAIN));
    }
}
