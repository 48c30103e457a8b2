// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * SSLSocket.close() never returns if it is called during the handshake, since JDK-8290005
 * (no report of this hang was found: the id is that of the change that brought it)
 *
 * What goes wrong: during the handshake close() drains the input, in
 * SSLSocketImpl$AppInputStream.deplete(). If the thread that shakes hands takes the bytes between
 * the question how many there are and the skipping, close() waits for as many that never come,
 * without a read timeout for ever. Until JDK-8290005, duplexCloseOutput() asked for the protocol
 * that the handshake has negotiated, and as long as there is none it took the way for TLS 1.2 and
 * earlier, which does not drain there. Since then it asks conContext.protocolVersion, which is the
 * highest version enabled until one is negotiated, and takes the way for TLS 1.3. The symptom is
 * that of JDK-8274524, whose fix bounds the drain in closeSocket() by a read timeout, and not this
 * one.
 *
 * What it takes: a close during the handshake, no read timeout, and the handshake's read between
 * two steps of the close. Here the plain socket below the TLS one lets the handshake read at that
 * very moment, and nothing more until the close has come by, so no luck is needed. With plain
 * sockets, where the server sent the first 64 bytes of a record within 0.4 ms after close() began,
 * 129 of 300 closes did not return within 3 s on 25.0.2, and all 1,500 returned on 21.0.8
 * (loopback, two busy cores, November 2026).
 *
 * Workaround: a read timeout bounds the wait (with setSoTimeout(2000) close() took 2,109 ms on
 * 25.0.2), and so does TLSv1.2 as the only protocol enabled on the socket (106 ms).
 *
 * How to run
 *     java CloseDuringHandshakeNeverReturns.java
 * on JDK 11 or later; on any from 8 on
 *     javac CloseDuringHandshakeNeverReturns.java
 *     java CloseDuringHandshakeNeverReturns
 * Exit code 0: not reproduced, 1: reproduced, 125: nothing can be said.
 *
 * On an affected build:
 *     # java: 25.0.2+10-LTS, Eclipse Adoptium
 *     seen_hanging_ms = 5014 ms (bound 5000)
 *     reproduced: A close during the handshake hung in
 *         SSLSocketImpl$AppInputStream.readLockedDeplete (seen_hanging_ms 5014, bound 5000).
 * On a build without it:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     seen_hanging_ms = 0 ms (bound 5000)
 *     not-reproduced: A close during the handshake returned (seen_hanging_ms 0, bound 5000).
 */

/*
 * @test
 * @bug 8290005
 * @summary A close during the handshake must return, whichever way it drains the input
 * @run main/othervm CloseDuringHandshakeNeverReturns
 */

import java.io.*;
import java.net.*;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.*;
import javax.net.ssl.*;

public class CloseDuringHandshakeNeverReturns {
    public static void main(String[] args) throws Exception {
        Reproducer.run(() -> CloseInHandshake.measure(true));
    }
}

/** Nothing can be said, and why. */
final class CaseEnd extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final transient Outcome outcome;

    CaseEnd(Outcome outcome, String reason) {
        super(reason);
        this.outcome = outcome;
    }

    @Override public String toString() { return getMessage(); }
}

/** Does close() return while another thread shakes hands? */
final class CloseInHandshake {
    private static final long BOUND_MS = 5_000;
    private static final long LOOK_EVERY_MS = 25;
    private static final int HANDSHAKE = 22;

    // The header and a part of a record of 8,000 bytes: the handshake waits for the rest.
    private static final byte[] HALF_A_RECORD = Arrays.copyOf(
        new byte[] {HANDSHAKE, 3, 3, 8_000 >> 8, (byte) 8_000}, 64);

    static void measure(boolean inInputDrain) throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, TlsPeer.loopback());
                TakenByAnother plain = new TakenByAnother(listener.getLocalPort());
                Socket server = listener.accept()) {
            SSLSocket socket = (SSLSocket) Identity.clientContext("TLS").getSocketFactory()
                .createSocket(plain, "127.0.0.1", plain.getPort(), true);
            FutureTask<Void> handshake = new FutureTask<>(() -> {
                socket.startHandshake();
                return null;
            });
            TlsPeer.daemon("handshake", handshake).start();
            Findings.require(server.getInputStream().read() == HANDSHAKE,
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
            while (!close.isDone() && seenMs < BOUND_MS) {
                Thread.sleep(LOOK_EVERY_MS);
                seenMs += hangs(closer.getStackTrace(), inInputDrain) ? LOOK_EVERY_MS : 0;
            }
            if (plain.taken == 0 && close.isDone()) {
                throw new CaseEnd(Outcome.NOT_APPLICABLE, "The threads did not meet: close() did"
                    + " not skip the socket's bytes.");
            }
            Findings.judgeCount("seen_hanging_ms", seenMs, BOUND_MS, "ms",
                "A close during the handshake hung", "A close during the handshake returned");
        }
    }

    private static boolean hangs(StackTraceElement[] stack, boolean inInputDrain) {
        boolean drains = Arrays.stream(stack).anyMatch(frame ->
            frame.getMethodName().equals("deplete")
            && frame.getClassName().endsWith("SSLSocketImpl$AppInputStream"));
        return stack.length > 0 && stack[0].isNativeMethod() && drains == inInputDrain;
    }

    private static final class TakenByAnother extends Socket {
        private final CountDownLatch mayRead = new CountDownLatch(1);
        private final CountDownLatch mayReadOn = new CountDownLatch(1);
        private volatile boolean taking;
        volatile int taken;

        TakenByAnother(int port) throws IOException { super(TlsPeer.loopback(), port); }

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
                    // One that waits for more holds a lock that the closer would wait for as well.
                    if (taking && super.getInputStream().available() == 0) { mayReadOn.await(); }
                }
            } catch (InterruptedException e) { throw new IOException(e); }
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

        @Override public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override public int read() throws IOException {
                    beforeRead();
                    return super.read();
                }

                @Override public int read(byte[] bytes, int offset, int length) throws IOException {
                    beforeRead();
                    return super.read(bytes, offset, length);
                }

                @Override public long skip(long count) throws IOException {
                    beforeSkip();
                    return super.skip(count);
                }
            };
        }

        @Override public void close() throws IOException {
            mayReadOn.countDown();
            super.close();
        }
    }
}

/** What was found? */
final class Findings {
    private static Outcome outcome;
    private static String reason;

    static void require(boolean met, String otherwise) {
        if (!met) { throw new CaseEnd(Outcome.INCONCLUSIVE, otherwise); }
    }

    static void judgeCount(String name, long value, long bound, String unit, String seen,
            String notSeen) {
        System.out.println(name + " = " + value + " " + unit + " (bound " + bound + ")");
        boolean reproduced = value >= bound;
        end(reproduced ? Outcome.REPRODUCED : Outcome.NOT_REPRODUCED,
            (reproduced ? seen : notSeen) + " (" + name + " " + value + ", bound " + bound + ").");
    }

    static void end(Outcome how, String why) {
        outcome = how;
        reason = why;
    }

    static Outcome outcome() { return outcome; }

    static String reason() { return reason; }
}

/** A self-signed EC P-256 certificate for localhost and 127.0.0.1, valid from 2020 to 2099. */
final class Identity {
    private static final String CERTIFICATE =
        "MIIBnTCCAUOgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwIBcNMjAwMTAxMDAwMDAw"
        + "WhgPMjA5OTEyMzEyMzU5NTlaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEH"
        + "A0IABDLrTKjnrCCYp+/os6iuTqGk8g+xnzagSuiOS/WJ2ZJvwOkFrl/3xghn7A98poKLwnKXLIgHQrlUiURo"
        + "hhheqAyjgYMwgYAwDAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUHAwEw"
        + "LAYDVR0RBCUwI4IJbG9jYWxob3N0hwR/AAABhxAAAAAAAAAAAAAAAAAAAAABMB0GA1UdDgQWBBSF12QG9iW6"
        + "RRBjEFXtcjk8S5yKyzAKBggqhkjOPQQDAgNIADBFAiA7sn0kZgfGsX6mHPSmdcECNybPn4IDqSXtJ3yDPUiL"
        + "VQIhALTruTlWrylErGHN99NhwGfZaZZWjMzxbHPkWyqT9e8F";

    static SSLContext clientContext(String algorithm)
            throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance(algorithm);
        context.init(null, clientTrust(), null);
        return context;
    }

    static TrustManager[] clientTrust() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        store.setCertificateEntry("peer", certificate());
        TrustManagerFactory trust =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust.getTrustManagers();
    }

    private static Certificate certificate() throws GeneralSecurityException {
        return CertificateFactory.getInstance("X.509").generateCertificate(
            new ByteArrayInputStream(Base64.getDecoder().decode(CERTIFICATE)));
    }
}

/** With exit codes as git bisect run wants them. */
enum Outcome {
    NOT_REPRODUCED(0, "not-reproduced"),
    REPRODUCED(1, "reproduced"),
    INCONCLUSIVE(125, "inconclusive"),
    NOT_APPLICABLE(125, "not-applicable"),
    ERROR(125, "error");

    final int exitCode;
    private final String word;

    Outcome(int exitCode, String word) {
        this.exitCode = exitCode; this.word = word;
    }

    @Override public String toString() { return word; }
}

/** By hand the exit code tells what was found; for jtreg all but "not reproduced" is a failure. */
final class Reproducer {
    interface Body {
        void measure() throws Exception;
    }

    static void run(Body body) throws Exception {
        System.out.println("# java: " + System.getProperty("java.runtime.version") + ", "
            + System.getProperty("java.vendor"));
        FutureTask<Void> subject = new FutureTask<>(() -> {
            body.measure();
            return null;
        });
        TlsPeer.daemon("subject", subject).start();
        try {
            subject.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            Findings.end(cause instanceof CaseEnd ? ((CaseEnd) cause).outcome : Outcome.ERROR,
                cause.toString());
        } catch (TimeoutException e) { Findings.end(Outcome.ERROR, "It was not over after 60 s."); }
        System.out.println(Findings.outcome() + ": " + Findings.reason());
        if (System.getProperty("test.src") == null) {
            System.exit(Findings.outcome().exitCode);
        } else if (Findings.outcome() != Outcome.NOT_REPRODUCED) {
            throw new RuntimeException(Findings.outcome() + ": " + Findings.reason());
        }
    }
}

/** What does the server answer, and over which connection? */
final class TlsPeer {
    static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    static Thread daemon(String threadName, Runnable task) {
        Thread thread = new Thread(task, threadName);
        thread.setDaemon(true);
        return thread;
    }
}
