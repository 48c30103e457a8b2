// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8274524: SSLSocket.close() hangs if it is called during the ssl handshake
 *
 * What goes wrong: close() asks how many bytes the socket has, and skips as many. If the
 * handshaking thread takes them in between, close() waits for bytes that never come, for ever
 * unless there is a read timeout.
 *
 * What it takes: a close during the handshake, no read timeout, and a read by the handshake between
 * two steps of the close. Here the plain socket below the TLS one lets the handshake read at that
 * very moment, and then nothing more until the close has passed, so no luck is needed (over the
 * network it takes hundreds of tries). In the control the handshake gets the bytes before the
 * close.
 *
 * A close that hangs in SSLSocketImpl$AppInputStream.deplete() shows another bug, which came with
 * JDK-8290005 (CloseDuringHandshakeNeverReturns); one that hangs anywhere else shows this one.
 *
 * Judged by a sign: its thread is in a socket read in SSLSocketImpl.close, with no bytes to come;
 * watched until it returns.
 *
 * Without its precondition
 *     -Dthreads.meet=off: not-applicable: The threads did not meet
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/CloseHangsDuringHandshake.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/CloseHangsDuringHandshake.java
 *     java -cp classes CloseHangsDuringHandshake [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.2+8, Eclipse Adoptium
 *     seen_hanging_ms = 5014 ms (bound 5000)
 *       bytes_taken_meanwhile: 64
 *       close_ms: 5998
 *       looks: 189
 *       looks_that_saw_it: 189
 *       holder: closer
 *       holder_frames: Socket$SocketInputStream.read < SSLSocketInputRecord.deplete <
 *           SSLSocketImpl.closeSocket < SSLSocketImpl.shutdown <
 *           SSLSocketImpl.bruteForceCloseInput < SSLSocketImpl.duplexCloseOutput <
 *           SSLSocketImpl.close
 *       withheld_ms: 3554
 *       given_cpu_ms: 451
 *       cpu_pressure_percent: 99
 *     reproduced: A close during the handshake hung in SSLSocketImpl.closeSocket (seen_hanging_ms
 *         5014, bound 5000).
 * On a fixed build:
 *     # java: 17.0.21.1+2-1-deb12u1-Debian, Debian
 *     seen_hanging_ms = 0 ms (bound 5000)
 *       bytes_taken_meanwhile: 64
 *       close_ms: 18
 *       looks: 1
 *       looks_that_saw_it: 0
 *       withheld_ms: 507
 *       given_cpu_ms: 78
 *       cpu_pressure_percent: 78
 *     not-reproduced: A close during the handshake returned (seen_hanging_ms 0, bound 5000).
 */

/*
 * @test
 * @bug 8274524
 * @summary A close during the handshake must return
 * @key waits
 * @library /lib
 * @run main/othervm CloseHangsDuringHandshake control
 * @run main/othervm CloseHangsDuringHandshake subject
 */

public class CloseHangsDuringHandshake {
    public static void main(String[] args) throws Exception {
        Reproducer.run("CloseHangsDuringHandshake", "JDK-8274524", args,
            (which, findings) -> CloseInHandshake.measure(which, findings,
                CloseInHandshake.ELSEWHERE));
    }
}
