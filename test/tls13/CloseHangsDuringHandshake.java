// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8274524: SSLSocket.close() hangs if it is called during the ssl handshake
 *
 * What goes wrong: close() skips the bytes that the socket has. If the thread that shakes hands
 * takes them between the question how many there are and the skipping, close() waits for as many
 * that never come, without a read timeout for ever.
 *
 * What it takes: a close during the handshake, no read timeout, and the handshake's read between
 * two steps of the close. Here the plain socket below the TLS one lets the handshake read at that
 * very moment, and nothing more until the close has come by, so no luck is needed (over the
 * network it takes hundreds of tries). In the control the handshake gets the bytes before.
 *
 * A close has two drains; threads_in_close shows which one hung. JDK-8274524 bounds that of
 * closeSocket(). On 25 and later a close during the handshake comes through the other one,
 * SSLSocketImpl$AppInputStream.deplete, which has no bound.
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
 *     close_ms = 6027 ms (bound 5000)
 *       threads_in_close: [closer: Socket$SocketInputStream.read <
 *           SSLSocketInputRecord.deplete < SSLSocketImpl.closeSocket < SSLSocketImpl.shutdown <
 *           SSLSocketImpl.bruteForceCloseInput < SSLSocketImpl.duplexCloseOutput <
 *           SSLSocketImpl.close]
 *       close_returned: false
 *       bytes_taken_meanwhile: 64
 *       machine_stall_ms: 83
 *     reproduced: A close during the handshake hung (close_ms 6027, bound 5000).
 * On a fixed build:
 *     # java: 17.0.19+10-1-deb12u2-Debian, Debian
 *     close_ms = 13 ms (bound 5000)
 *       close_returned: true
 *       bytes_taken_meanwhile: 64
 *       machine_stall_ms: 7
 *     not-reproduced: A close during the handshake returned (close_ms 13, bound 5000).
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

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;

public class CloseHangsDuringHandshake {
    // A close that does not hang takes what bytes there are, and waits for none; one that hangs
    // waits for ever, as the server sends none and there is no read timeout.
    private static final long BOUND_MS = 3_000;

    private static final Sign WAITS_FOR_BYTES = Sign.at(
        Sign.Place.thread("closer").and(Stacks.TLS_CLOSE).and(TimedCall.SOCKET_READ));

    private static final long SENT_WITHIN_MS = 10_000;

    // Length of a record that never becomes whole: the handshake goes on waiting for the rest.
    private static final int ENDLESS_BYTES = 8_000;
    private static final int SENT_BYTES = 64;

    public static void main(String[] args) throws Exception {
        Reproducer.run("CloseHangsDuringHandshake", "JDK-8274524", args,
            CloseHangsDuringHandshake::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, TlsPeer.loopback());
                TakenByAnother plain = new TakenByAnother(new InetSocketAddress(
                    listener.getInetAddress(), listener.getLocalPort()));
                Socket server = listener.accept()) {
            SSLSocket socket = (SSLSocket) which.clientContext().getSocketFactory()
                .createSocket(plain, "127.0.0.1", plain.getPort(), true);
            new TimedCall("handshake", socket::startHandshake);
            TlsRecord hello = TlsRecord.read(server.getInputStream());
            findings.require(hello != null && hello.isHandshake(TlsRecord.CLIENT_HELLO),
                "The client did not begin with a ClientHello, but with " + hello + ".");
            sendHalf(server);
            findings.require(plain.awaitBytes(SENT_WITHIN_MS), "The server's bytes did not come.");
            if (which == Case.CONTROL || !PlainSocket.MEET) {
                plain.letHandshakeRead();
            }
            Watch watch = findings.watch(WAITS_FOR_BYTES);
            TimedCall close = new TimedCall("closer", socket::close);
            watch.until(close::isOver, BOUND_MS);
            findings.fact("close_returned", watch.over());
            findings.fact("close_ms", close.ms());
            findings.fact("bytes_taken_meanwhile", plain.taken);
            if (which == Case.SUBJECT && plain.taken == 0) {
                throw new CaseEnd(Outcome.NOT_APPLICABLE, "The threads did not meet: close() did"
                    + " not skip the socket's bytes.");
            }
            findings.judge("seen_waiting_ms", watch, BOUND_MS,
                "A close during the handshake hung", "A close during the handshake returned");
        }
    }

    /** The header of a handshake record and a part of its body. */
    private static void sendHalf(Socket server) throws IOException {
        byte[] whole = TlsRecord.of(TlsRecord.HANDSHAKE, new byte[ENDLESS_BYTES]).bytes;
        server.getOutputStream().write(whole, 0, SENT_BYTES);
    }

    /** A socket whose bytes another thread takes between the question and the skipping. */
    private static final class TakenByAnother extends PlainSocket {
        private static final long TAKEN_WITHIN_MS = 5_000;

        private final CountDownLatch mayRead = new CountDownLatch(1);
        private final CountDownLatch mayReadOn = new CountDownLatch(1);
        private volatile boolean taking;
        volatile int taken;

        TakenByAnother(InetSocketAddress address) throws IOException {
            super(address);
        }

        boolean awaitBytes(long timeoutMs) throws IOException {
            return await(true, timeoutMs);
        }

        void letHandshakeRead() throws IOException {
            mayRead.countDown();
            await(false, TAKEN_WITHIN_MS);
        }

        @Override
        void beforeRead() throws IOException {
            if (Thread.currentThread().getName().equals("handshake")) {
                await(mayRead);
                // One that waits for more holds a lock that the closer would then wait for as well.
                if (taking && getInputStream().available() == 0) {
                    await(mayReadOn);
                }
            }
        }

        @Override
        void beforeSkip() throws IOException {
            if (mayRead.getCount() > 0) {
                taking = true;
                int before = getInputStream().available();
                letHandshakeRead();
                taken = before - getInputStream().available();
            }
        }

        @Override
        public void close() throws IOException {
            mayReadOn.countDown();
            super.close();
        }

        private static void await(CountDownLatch latch) throws IOException {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        /** Waits until there are bytes, or until there are none. */
        private boolean await(boolean some, long timeoutMs) throws IOException {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
            while (getInputStream().available() > 0 != some && System.nanoTime() - end < 0) {
                Thread.yield();
            }
            return getInputStream().available() > 0 == some;
        }
    }
}
