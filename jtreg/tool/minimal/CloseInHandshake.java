// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;

/** Does close() return while another thread shakes hands? */
final class CloseInHandshake {
    static final boolean INPUT_DRAIN = true;
    static final boolean ELSEWHERE = false;

    private static final long BOUND_MS = 5_000;
    private static final long LOOK_EVERY_MS = 25;
    private static final int MOST_LOOKS = 800;
    private static final int HANDSHAKE = 22;

    // The header and a part of a record of 8,000 bytes: the handshake waits for the rest.
    private static final byte[] HALF_A_RECORD = Arrays.copyOf(
        new byte[] {HANDSHAKE, 3, 3, 8_000 >> 8, (byte) 8_000}, 64);

    private CloseInHandshake() { }

    static void measure(Case which, Findings findings, boolean inInputDrain) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, TlsPeer.loopback());
                TakenByAnother plain = new TakenByAnother(listener.getLocalPort());
                Socket server = listener.accept()) {
            SSLSocket socket = (SSLSocket) which.clientContext().getSocketFactory()
                .createSocket(plain, "127.0.0.1", plain.getPort(), true);
            FutureTask<Void> handshake = new FutureTask<>(() -> {
                socket.startHandshake();
                return null;
            });
            TlsPeer.daemon("handshake", handshake).start();
            findings.require(server.getInputStream().read() == HANDSHAKE,
                "The client did not begin with a handshake record.");
            server.getOutputStream().write(HALF_A_RECORD);
            plain.await(true);
            FutureTask<Void> close = new FutureTask<>(() -> {
                socket.close();
                return null;
            });
            Thread closer = TlsPeer.daemon("closer", close);
            closer.start();
            long seenMs = 0;
            for (int i = 0; i < MOST_LOOKS && !close.isDone() && seenMs < BOUND_MS; i++) {
                Thread.sleep(LOOK_EVERY_MS);
                seenMs += hangs(closer.getStackTrace(), inInputDrain) ? LOOK_EVERY_MS : 0;
            }
            if (plain.taken == 0 && close.isDone()) {
                findings.require(!plain.taking,
                    "The handshake took none of the bytes that close() was about to skip.");
                throw new CaseEnd(Outcome.NOT_APPLICABLE, "The threads did not meet: close() did"
                    + " not skip the socket's bytes.");
            }
            if (!close.isDone() && seenMs < BOUND_MS) {
                System.out.println("A close during the handshake hung in another place");
                return;
            }
            findings.judgeCount("seen_hanging_ms", seenMs, BOUND_MS, "ms",
                "A close during the handshake hung", "A close during the handshake returned");
        }
    }

    /** Does the closer wait in a native method, inside or outside the input drain as asked? */
    private static boolean hangs(StackTraceElement[] stack, boolean inInputDrain) {
        boolean drains = Arrays.stream(stack).anyMatch(frame ->
            frame.getMethodName().equals("deplete")
            && frame.getClassName().endsWith("SSLSocketImpl$AppInputStream"));
        return stack.length > 0 && stack[0].isNativeMethod() && drains == inInputDrain;
    }

    /** A socket whose bytes another thread takes between the close's available() and skip(). */
    private static final class TakenByAnother extends Socket {
        private final CountDownLatch mayRead = new CountDownLatch(1);
        private final CountDownLatch mayReadOn = new CountDownLatch(1);
        private volatile boolean taking;
        volatile int taken;

        TakenByAnother(int port) throws IOException {
            super(TlsPeer.loopback(), port);
        }

        /** Waits until there are bytes, or until there are none, for 5 s at most. */
        void await(boolean some) throws IOException {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
            while (super.getInputStream().available() > 0 != some && System.nanoTime() - end < 0) {
                Thread.yield();
            }
        }

        void beforeRead() throws IOException {
            try {
                if (Thread.currentThread().getName().equals("handshake")) {
                    mayRead.await();
                    // A read that waited for more would hold a lock that the closer needs.
                    if (taking && super.getInputStream().available() == 0) {
                        mayReadOn.await();
                    }
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        void beforeSkip() throws IOException {
            if (mayRead.getCount() > 0) {
                taking = true;
                int before = super.getInputStream().available();
                mayRead.countDown();
                await(false);
                taken = before - super.getInputStream().available();
            }
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    beforeRead();
                    return super.read();
                }

                @Override
                public int read(byte[] bytes, int offset, int length) throws IOException {
                    beforeRead();
                    return super.read(bytes, offset, length);
                }

                @Override
                public long skip(long count) throws IOException {
                    beforeSkip();
                    return super.skip(count);
                }
            };
        }

        @Override
        public void close() throws IOException {
            mayReadOn.countDown();
            super.close();
        }
    }
}
