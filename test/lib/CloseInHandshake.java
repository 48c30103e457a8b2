// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.lang.management.ThreadInfo;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSocket;

/**
 * Does close() return while another thread is in the handshake? It skips the bytes available on the
 * socket, in one of two drains, and hangs if the handshake reads them between available() and
 * skip(). Here that happens each time.
 */
final class CloseInHandshake {
    /** The drain of the input stream, which a close of TLS 1.3 goes through. */
    static final Sign.Place INPUT_DRAIN =
        Sign.Place.in("sun.security.ssl.SSLSocketImpl$AppInputStream", "deplete");

    /** Any other place in close(), such as the drain in closeSocket(). */
    static final Sign.Place ELSEWHERE = thread -> !INPUT_DRAIN.has(thread);

    private static final Sign.Place CLOSER = Sign.Place.thread("closer").and(Stacks.TLS_CLOSE);

    // A close that returns takes some ms; one that hangs never returns: it is seen to the bound.
    private static final long BOUND_MS = 5_000;

    private static final long SENT_WITHIN_MS = 10_000;

    // Length of a record that never comes whole: the handshake keeps waiting for the rest.
    private static final int ENDLESS_BYTES = 8_000;
    private static final int SENT_BYTES = 64;

    private CloseInHandshake() { }

    /** Judges by how long the close was seen to hang; a hang elsewhere is another bug. */
    static void measure(Case which, Findings findings, Sign.Place there) throws Exception {
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
            Watch watch = new Watch(CloseInHandshake::hangs);
            TimedCall close = new TimedCall("closer", socket::close);
            watch.until(close::isOver, BOUND_MS);
            findings.fact("bytes_taken_meanwhile", plain.taken);
            findings.fact("close_ms", close.ms());
            if (which == Case.SUBJECT && plain.taken == 0 && watch.over()) {
                findings.require(!plain.taking,
                    "The handshake took none of the bytes that close() was about to skip.");
                throw new CaseEnd(Outcome.NOT_APPLICABLE, "The threads did not meet: close() did"
                    + " not skip the socket's bytes.");
            }
            judge(findings, watch, there);
        }
    }

    private static void judge(Findings findings, Watch watch, Sign.Place there) {
        Sign.Seen seen = hangs(Stacks.now());
        String hung = "A close during the handshake hung in " + place(seen);
        findings.judge("seen_hanging_ms", watch, BOUND_MS, hung,
            "A close during the handshake returned");
        if (findings.outcome() == Outcome.REPRODUCED && !there.has(seen.waiter)) {
            findings.end(Outcome.NOT_REPRODUCED, hung + ", which is another bug.");
        }
    }

    /** The closing thread, if it waits for bytes or for a lock; the lock's owner is the holder. */
    private static Sign.Seen hangs(Stacks look) {
        for (ThreadInfo thread : look.threads()) {
            if (CLOSER.has(thread)) {
                ThreadInfo owner = look.owner(thread, any -> true);
                return owner != null ? new Sign.Seen(thread, owner)
                    : TimedCall.SOCKET_READ.has(thread) ? new Sign.Seen(thread, thread) : null;
            }
        }
        return null;
    }

    /** The socket's innermost method that the closer is in, and whose lock it waits for there. */
    private static String place(Sign.Seen seen) {
        if (seen == null) {
            return "no place";
        }
        String method = "close()";
        for (StackTraceElement frame : seen.waiter.getStackTrace()) {
            String type = frame.getClassName();
            if (type.startsWith("sun.security.ssl.SSLSocketImpl")) {
                method = type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName();
                break;
            }
        }
        return seen.waiter == seen.holder ? method
            : method + ", waiting for a lock of the thread " + seen.holder.getThreadName();
    }

    /** The header of a handshake record and a part of its body. */
    private static void sendHalf(Socket server) throws IOException {
        byte[] whole = TlsRecord.of(TlsRecord.HANDSHAKE, new byte[ENDLESS_BYTES]).bytes;
        server.getOutputStream().write(whole, 0, SENT_BYTES);
    }

    /** A socket whose bytes another thread reads between available() and skip(). */
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
                // A read that waits for more bytes holds a lock, for which the closer would wait.
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

        /** Waits until there are bytes to read, or, without {@code some}, until there are none. */
        private boolean await(boolean some, long timeoutMs) throws IOException {
            Patience patience = new Patience(timeoutMs);
            while (getInputStream().available() > 0 != some && patience.left()) {
                Thread.yield();
            }
            return getInputStream().available() > 0 == some;
        }
    }
}
