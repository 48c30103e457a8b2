// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8212136: Remove finalizer implementation in SSLSocketImpl
 *
 * What goes wrong: an SSLSocket that the application forgot is closed by the JVM's one finalizer
 * thread. In TLS 1.3 that close waits for the peer, as long as the read timeout allows, and all
 * that is to be finalized waits behind it.
 *
 * What it takes: a socket that becomes garbage unclosed; TLS 1.3 and a read timeout, because else a
 * close does not wait; a silent peer (here a relay that holds its answer back). The TLS socket is
 * layered over a plain one that stays in use: of two forgotten together, JDK 8 may finalize the
 * plain one first, and the close of the other then has nobody to wait for.
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/FinalizerWaitsForSilentPeer.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/FinalizerWaitsForSilentPeer.java
 *     java -cp classes FinalizerWaitsForSilentPeer [CASE]
 * where CASE is one of tls12, no-read-timeout and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     canary_ms = 4950 ms (bound 2000)
 *       witness_close_ms: 609
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       threads_in_close: [Finalizer: SocketInputStream.socketRead0 <
 *           SocketInputStream.socketRead < SocketInputStream.read < SocketInputStream.read <
 *           SocketInputStream.read < SSLSocketInputRecord.deplete <
 *           SSLSocketImpl$AppInputStream.readLockedDeplete <
 *           SSLSocketImpl$AppInputStream.deplete < SSLSocketImpl.bruteForceCloseInput <
 *           SSLSocketImpl.duplexCloseOutput < SSLSocketImpl.close < BaseSSLSocketImpl.finalize]
 *       closed_by_the_jvm: true
 *       machine_stall_ms: 283
 *     reproduced: Finalization waited for the silent peer of a forgotten socket (canary_ms
 *           4950, bound 2000).
 * On a fixed build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     canary_ms = 64 ms (bound 2000)
 *       witness_close_ms: 603
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       closed_by_the_jvm: false
 *       machine_stall_ms: 49
 *     not-reproduced: Finalization did not wait for the silent peer of a forgotten socket
 *           (canary_ms 64, bound 2000).
 *
 * Evidence: in a recording, jdk.SocketRead of the thread Finalizer under SSLSocketImpl.close.
 */

/*
 * @test
 * @bug 8212136
 * @summary The finalizer thread must not wait for silent peers
 * @key waits
 * @library /lib
 * @run main/othervm FinalizerWaitsForSilentPeer tls12
 * @run main/othervm FinalizerWaitsForSilentPeer no-read-timeout
 * @run main/othervm FinalizerWaitsForSilentPeer subject
 */

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.Socket;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

public class FinalizerWaitsForSilentPeer {
    private static final int READ_TIMEOUT_MS = 5_000;

    // The finalizer closes the socket as soon as it is collected, a fixed build never.
    private static final long CLOSED_WITHIN_MS = 1_000;
    private static final long STILL_OPEN_MS = 2_500;

    // A free finalizer takes some ms for a canary. One behind a waiting close waits for the rest of
    // the read timeout: at least 2.5 s if it comes within the first 2.5 s of that.
    private static final long BOUND_MS = 2_000;
    private static final long CANARY_WITHIN_MS = 2_500;

    private static final long COLLECT_EVERY_MS = 50;
    private static final long COLLECTED_WITHIN_MS = 20_000;

    public static void main(String[] args) throws Exception {
        Reproducer.run("FinalizerWaitsForSilentPeer", "JDK-8212136", args,
            FinalizerWaitsForSilentPeer::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SSLSocketFactory factory = which.clientContext().getSocketFactory();
        try (TlsServer server = new TlsServer(Identity.serverContext(), TlsServer::echo);
                TlsPeer witness = new TlsPeer("witness", 60);
                Relay relay = new Relay(server.address(), 0);
                Socket plain = new Socket(TlsPeer.loopback(), relay.address().getPort())) {
            AtomicReference<SSLSocket> kept = new AtomicReference<>();
            connect(factory, plain, which, findings, kept);
            if (which == Case.SUBJECT) {
                CloseWitness.check(witness, factory, findings);
            }
            relay.hold(Relay.UNTIL_RELEASED);
            findings.require(relay.clientFins() == 0 && plain.getInputStream().available() == 0,
                "The connection was closed, or bytes were left unread, before the relay held.");
            findings.measuringBegins();
            WeakReference<SSLSocket> dropped = drop(kept);
            collect(() -> dropped.get() == null, findings);
            boolean closed = relay.awaitClientFins(1, CLOSED_WITHIN_MS);
            findings.fact("closed_by_the_jvm", closed);
            long canaryAt = System.nanoTime();
            long canaryMs = timeCanary(findings);
            if (canaryMs < BOUND_MS) {
                checkMoment(relay, closed, canaryAt, findings);
            }
            findings.judge("canary_ms", canaryMs, BOUND_MS,
                "Finalization waited for the silent peer of a forgotten socket",
                "Finalization did not wait for the silent peer of a forgotten socket");
        }
    }

    /** No other frame than this one has the socket, so that nothing refers to it when dropped. */
    private static void connect(SSLSocketFactory factory, Socket plain, Case which,
            Findings findings, AtomicReference<SSLSocket> kept) throws IOException {
        SSLSocket socket = (SSLSocket) factory.createSocket(plain, "127.0.0.1", plain.getPort(),
            true);
        socket.setSoTimeout(Client.PATIENCE_MS);
        TlsClient.exchange(socket);
        which.checkProtocol(socket.getSession(), findings);
        socket.setSoTimeout(which.readTimeoutMs(READ_TIMEOUT_MS));
        kept.set(socket);
    }

    private static WeakReference<SSLSocket> drop(AtomicReference<SSLSocket> kept) {
        return new WeakReference<>(kept.getAndSet(null));
    }

    /** No wait is seen by a canary that came before the close, or as its wait was nearly over. */
    private static void checkMoment(Relay relay, boolean closed, long canaryAt,
            Findings findings) throws InterruptedException {
        if (!closed) {      // by nobody, or by a finalizer that comes later than usual
            findings.require(!relay.awaitClientFins(1, STILL_OPEN_MS),
                "The JVM closed the socket only after the canary had come.");
            return;
        }
        long afterMs = TimeUnit.NANOSECONDS.toMillis(canaryAt - relay.clientFinNanos().get(0));
        findings.fact("canary_after_close_ms", afterMs);
        findings.require(afterMs < CANARY_WITHIN_MS, "The canary came " + afterMs
            + " ms after the close began, when its wait may be over (bound " + CANARY_WITHIN_MS
            + ").");
    }

    private static long timeCanary(Findings findings) throws InterruptedException {
        CountDownLatch finalized = new CountDownLatch(1);
        long begin = System.nanoTime();
        new Canary(finalized);
        collect(() -> finalized.getCount() == 0, findings);
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    }

    private static void collect(BooleanSupplier done, Findings findings)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(COLLECTED_WITHIN_MS);
        while (!done.getAsBoolean()) {
            findings.require(System.nanoTime() - end < 0,
                "The garbage was not collected within " + COLLECTED_WITHIN_MS + " ms.");
            System.gc();
            Thread.sleep(COLLECT_EVERY_MS);
            Stacks stacks = Stacks.now();
            if (!stacks.closing.isEmpty()) {
                findings.fact("threads_in_close", stacks.closing);
            }
        }
    }

    /** Tells when the finalizer came to it. */
    private static final class Canary {
        private final CountDownLatch finalized;

        Canary(CountDownLatch finalized) {
            this.finalized = finalized;
        }

        @Override
        @SuppressWarnings({"deprecation", "removal"})
        protected void finalize() {
            finalized.countDown();
        }
    }
}
