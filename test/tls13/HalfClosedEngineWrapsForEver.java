// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8214418: half-closed SSLEngine status may cause application dead loop
 *
 * What goes wrong: a client closes its side of a TLS 1.3 connection. The server's SSLEngine reads
 * that and reports NEED_WRAP. An event loop wraps: the engine has nothing to send, produces no
 * byte, and reports NEED_WRAP again. So the loop runs for ever, and its thread takes a whole CPU.
 *
 * What it takes: TLS 1.3, and an SSLEngine that has read close_notify while its own side is still
 * open.
 *
 * Control: TLS 1.2, where the engine answers with a close_notify of its own, once.
 *
 * Judged by a count of wraps that gave nothing, of at most 100; then it continues for 3 s of CPU
 * time, so that a recording shows it.
 *
 * Without its precondition
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: negotiated protocol TLSv1.2
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/HalfClosedEngineWrapsForEver.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/HalfClosedEngineWrapsForEver.java
 *     java -cp classes HalfClosedEngineWrapsForEver [CASE]
 * where CASE is one of tls12 and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.7+10-LTS, Azul Systems, Inc.
 *     empty_wraps = 100 wraps (bound 100)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       server_inbound_done: true
 *       status_after_close_notify: NEED_WRAP
 *       status_at_the_end: NEED_WRAP
 *     reproduced: The engine asked to wrap again and again, and had nothing to send (empty_wraps
 *         100, bound 100).
 * On a fixed build:
 *     # java: 11.0.9.1+1, AdoptOpenJDK
 *     empty_wraps = 0 wraps (bound 100)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_128_GCM_SHA256
 *       server_inbound_done: true
 *       status_after_close_notify: NOT_HANDSHAKING
 *       status_at_the_end: NOT_HANDSHAKING
 *     not-reproduced: The engine stopped asking to wrap (empty_wraps 0, bound 100).
 *
 * Evidence: outcome.json beside the scratch files has the engine's status before and after.
 */

/*
 * @test
 * @bug 8214418
 * @summary An engine whose peer has closed must not ask to wrap when it has nothing to send
 * @key waits
 * @library /lib
 * @run main/othervm HalfClosedEngineWrapsForEver tls12
 * @run main/othervm HalfClosedEngineWrapsForEver subject
 */

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

public class HalfClosedEngineWrapsForEver {
    private static final String HOST = "peer.example";
    private static final int PORT = 443;

    /** A sound engine with nothing to send says so at the first wrap, an affected one never. */
    private static final int WRAPS = 100;

    // The evidence rule asks for 1 s of CPU; thread dumps a second apart miss some of it.
    private static final long SPIN_CPU_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long MOST_SPIN_MS = 20_000;
    private static final int WRAPS_AT_ONCE = 10_000;

    public static void main(String[] args) throws Exception {
        Reproducer.run("HalfClosedEngineWrapsForEver", "JDK-8214418", args,
            HalfClosedEngineWrapsForEver::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SSLContext server = Identity.serverContext();
        EnginePair pair = new EnginePair(which.clientContext(), server, HOST, PORT).handshake();
        which.checkProtocol(pair.client.getSession(), findings);
        pair.exchange();
        pair.client.closeOutbound();
        pair.flushClient();
        findings.fact("server_inbound_done", pair.server.isInboundDone());
        findings.require(pair.server.isInboundDone(),
            "The server's engine has not read the client's close_notify.");
        findings.fact("status_after_close_notify", pair.server.getHandshakeStatus().toString());
        int empty = emptyWraps(pair.server, WRAPS);
        if (empty == WRAPS) {
            spin(pair.server);
        }
        findings.fact("status_at_the_end", pair.server.getHandshakeStatus().toString());
        findings.judgeCount("empty_wraps", empty, WRAPS, "wraps",
            "The engine asked to wrap again and again, and had nothing to send",
            "The engine stopped asking to wrap");
    }

    /** Does what an event loop does: wraps as long as the engine asks for it. */
    private static int emptyWraps(SSLEngine engine, int most) throws SSLException {
        ByteBuffer out = ByteBuffer.allocate(2 * engine.getSession().getPacketBufferSize());
        ByteBuffer nothing = ByteBuffer.allocate(0);
        int empty = 0;
        while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && empty < most) {
            out.clear();
            empty += engine.wrap(nothing, out).bytesProduced() == 0 ? 1 : 0;
        }
        return empty;
    }

    /** Goes on wrapping, in a thread of its own, until a recording or thread dumps show that. */
    private static void spin(SSLEngine engine) throws InterruptedException {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Patience patience = new Patience(MOST_SPIN_MS);
        Thread loop = new Thread(() -> {
            try {
                while (patience.left() && threads.getCurrentThreadCpuTime() < SPIN_CPU_NANOS) {
                    emptyWraps(engine, WRAPS_AT_ONCE);
                }
            } catch (SSLException e) {
                throw new IllegalStateException(e);
            }
        }, "event-loop");
        loop.start();
        loop.join();
    }
}
