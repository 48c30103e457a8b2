// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8212136: Remove finalizer implementation in SSLSocketImpl
 *
 * What goes wrong: the JVM's one finalizer thread closes an SSLSocket that the application forgot.
 * In TLS 1.3 that close waits for the peer, up to the read timeout, and everything else that is to
 * be finalized waits behind it.
 *
 * What it takes: a socket that becomes garbage unclosed; TLS 1.3 and a read timeout, because
 * otherwise a close does not wait; a silent peer (here a relay that holds its answer back). The TLS
 * socket is layered over a plain one that stays in use: if both were forgotten, JDK 8 might
 * finalize the plain one first, and the close of the other would have nobody to wait for.
 *
 * Judged by a sign: the finalizer is in the read of a close; watched until it has reached a canary.
 *
 * Without its precondition
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: negotiated protocol TLSv1.2
 *     -Drelay.hold=off: inconclusive: held 0 FINs
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
 *     seen_waiting_ms = 1521 ms (bound 1500)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       witness_close_ms: 332
 *       closed_by_the_jvm: true
 *       looks: 34
 *       looks_that_saw_it: 34
 *       holder: Finalizer
 *       holder_frames: SocketInputStream.socketRead0 < SocketInputStream.socketRead <
 *           SocketInputStream.read < SocketInputStream.read < SocketInputStream.read <
 *           SSLSocketInputRecord.deplete < SSLSocketImpl$AppInputStream.readLockedDeplete <
 *           SSLSocketImpl$AppInputStream.deplete < SSLSocketImpl.bruteForceCloseInput <
 *           SSLSocketImpl.duplexCloseOutput < SSLSocketImpl.close < BaseSSLSocketImpl.finalize
 *       withheld_ms: 8614
 *       given_cpu_ms: 174
 *       cpu_pressure_percent: 99
 *     reproduced: Finalization waited for the silent peer of a forgotten socket (seen_waiting_ms
 *           1521, bound 1500).
 * On a fixed build:
 *     # java: 25.0.2+10-LTS, Eclipse Adoptium
 *     seen_waiting_ms = 0 ms (bound 1500)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       witness_close_ms: 306
 *       closed_by_the_jvm: false
 *       looks: 0
 *       looks_that_saw_it: 0
 *       withheld_ms: 3136
 *       given_cpu_ms: 48
 *       cpu_pressure_percent: 97
 *     not-reproduced: Finalization did not wait for the silent peer of a forgotten socket
 *           (seen_waiting_ms 0, bound 1500).
 *
 * Evidence: in a recording, jdk.SocketRead of the thread Finalizer in SSLSocketImpl.close.
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
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

public class FinalizerWaitsForSilentPeer {
    // Longer than it takes to see the finalizer wait, even on a busy machine.
    private static final int READ_TIMEOUT_MS = 15_000;

    // An affected build closes the socket as soon as it is collected, a fixed one never.
    private static final long STILL_OPEN_MS = 2_500;

    // A finalizer that is not in a close of a TLS socket is never seen in one.
    private static final long BOUND_MS = 1_500;

    private static final long COLLECT_EVERY_MS = 200;

    private static final Sign WAITS = Sign.at(
        Sign.Place.thread("Finalizer").and(Stacks.TLS_CLOSE).and(TimedCall.SOCKET_READ));

    public static void main(String[] args) throws Exception {
        Reproducer.run("FinalizerWaitsForSilentPeer", "JDK-8212136", args,
            FinalizerWaitsForSilentPeer::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SSLSocketFactory factory = which.clientContext().getSocketFactory();
        try (TlsServer server = new TlsServer(Identity.serverContext(), TlsServer::echo);
                TlsPeer witness = new TlsPeer("witness", 60);
                Relay relay = new Relay(server.address());
                Socket plain = new Socket(TlsPeer.loopback(), relay.address().getPort())) {
            AtomicReference<SSLSocket> kept = new AtomicReference<>();
            connect(factory, plain, which, findings, kept);
            if (which == Case.SUBJECT) {
                CloseWitness.check(witness, factory, findings);
            }
            relay.hold();
            findings.require(relay.clientFins() == 0 && plain.getInputStream().available() == 0,
                "The connection was closed, or bytes were left unread, before the relay held.");
            WeakReference<SSLSocket> dropped = drop(kept);
            collect(dropped, findings);
            boolean closed = relay.awaitClientFins(1, STILL_OPEN_MS);
            Watch watch = new Watch(WAITS);
            CountDownLatch finalized = new CountDownLatch(1);
            WeakReference<Canary> canary = new WeakReference<>(new Canary(finalized));
            collect(canary, findings);
            watch.until(() -> finalized.getCount() == 0, BOUND_MS);
            // Ends the finalizer's read, so the recording has it, and lets what waited for it go
            // on.
            relay.release();
            findings.require(finalized.await(Client.PATIENCE_MS, TimeUnit.MILLISECONDS),
                "The canary was not finalized after the peer had answered.");
            findings.fact("closed_by_the_jvm", closed);
            if (watch.over()) {
                checkMoment(relay, closed, findings);
            }
            findings.judge("seen_waiting_ms", watch, BOUND_MS,
                "Finalization waited for the silent peer of a forgotten socket",
                "Finalization did not wait for the silent peer of a forgotten socket");
        }
    }

    /** Connects; no other frame has the socket, so nothing refers to it once it is dropped. */
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

    /** A canary that came before the close, or after its wait, would show no wait. */
    private static void checkMoment(Relay relay, boolean closed, Findings findings) {
        boolean closedNow = relay.clientFins() > 0;
        findings.require(closed == closedNow,
            "The JVM closed the socket only after the canary had come.");
        if (closed) {
            long afterMs = TimeUnit.NANOSECONDS.toMillis(
                System.nanoTime() - relay.clientFinNanos().get(0));
            findings.fact("canary_after_close_ms", afterMs);
            findings.require(afterMs < READ_TIMEOUT_MS, "The canary came " + afterMs
                + " ms after the close began, when its wait may be over (bound " + READ_TIMEOUT_MS
                + ").");
        }
    }

    private static void collect(WeakReference<?> garbage, Findings findings)
            throws InterruptedException {
        Patience patience = new Patience(Client.PATIENCE_MS);
        while (garbage.get() != null) {
            findings.require(patience.left(), "The garbage was not collected in "
                + patience.elapsedMs() + " ms; " + patience.withheld() + ".");
            System.gc();
            Thread.sleep(COLLECT_EVERY_MS);
        }
    }

    /** Shows when the finalizer reaches it. */
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
