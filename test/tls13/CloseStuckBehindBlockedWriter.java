// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8224829: AsyncSSLSocketClose.java has timing issue
 *
 * What goes wrong: while a thread is blocked in write(), because the peer does not read, close()
 * waits for that thread for ever. SO_LINGER should bound the wait, but is ignored.
 *
 * What it takes: a peer that has stopped reading, a writer that is blocked on it, and SO_LINGER.
 * (Without SO_LINGER close() waits on every build.) Any version of TLS. In the control no writer is
 * blocked when the socket is closed.
 *
 * Judged by a sign: the close waits for a lock that the stuck writer owns, for longer than
 * SO_LINGER could make it; watched until it returns.
 *
 * Without its precondition
 *     -Dpeer.deaf=off: inconclusive: The writer was not blocked
 *     -Dpeer.deaf=until-close: inconclusive: The writer went on
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/CloseStuckBehindBlockedWriter.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/CloseStuckBehindBlockedWriter.java
 *     java -cp classes CloseStuckBehindBlockedWriter [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     # the writer ended with java.net.SocketException: Broken pipe (Write failed)
 *     seen_waiting_ms = 6033 ms (bound 6000)
 *       protocol: TLSv1.3
 *       bytes_until_blocked: 196608
 *       close_returned: false
 *       close_ms: 10551
 *       looks: 121
 *       looks_that_saw_it: 121
 *       waiter: closer
 *       waiter_frames: SSLSocketImpl.closeNotify < SSLSocketImpl.duplexCloseOutput <
 *           SSLSocketImpl.close
 *       holder: writer
 *       holder_frames: SocketOutputStream.socketWrite0 < SocketOutputStream.socketWrite <
 *           SocketOutputStream.write < SSLSocketOutputRecord.deliver <
 *           SSLSocketImpl$AppOutputStream.write
 *       withheld_ms: 29711
 *       given_cpu_ms: 479
 *       cpu_pressure_percent: 99
 *     reproduced: close() waited behind a blocked writer, SO_LINGER of 1 s notwithstanding
 *           (seen_waiting_ms 6033, bound 6000).
 * On a fixed build:
 *     # java: 17.0.21.1+2-1-deb12u1-Debian, Debian
 *     # the writer ended with java.net.SocketException: Socket closed
 *     seen_waiting_ms = 581 ms (bound 6000)
 *       protocol: TLSv1.3
 *       bytes_until_blocked: 196608
 *       close_returned: true
 *       close_ms: 1045
 *       looks: 12
 *       looks_that_saw_it: 12
 *       waiter: closer
 *       waiter_frames: ReentrantLock.tryLock < SSLSocketImpl.closeNotify <
 *           SSLSocketImpl.duplexCloseOutput < SSLSocketImpl.close
 *       holder: writer
 *       holder_frames: Socket$SocketOutputStream.write < SSLSocketOutputRecord.deliver <
 *           SSLSocketImpl$AppOutputStream.write
 *       withheld_ms: 4109
 *       given_cpu_ms: 62
 *       cpu_pressure_percent: 98
 *     not-reproduced: close() did not wait longer than SO_LINGER of 1 s allows (seen_waiting_ms
 *           581, bound 6000).
 */

/*
 * @test
 * @bug 8224829 8236464
 * @summary SO_LINGER must bound a close() behind a blocked writer
 * @key waits
 * @library /lib
 * @run main/othervm CloseStuckBehindBlockedWriter control
 * @run main/othervm CloseStuckBehindBlockedWriter subject
 */

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLSocket;

public class CloseStuckBehindBlockedWriter {
    /** For the kit's own tests: a peer that reads, at once or as the close begins. */
    private static final String PEER_DEAF = System.getProperty("peer.deaf", "on");

    private static final int BLOCK_BYTES = 8 * 1024;
    private static final int LINGER_S = 1;

    // A close that heeds SO_LINGER waits that long for the writer's lock once or twice, 1 to 2 s;
    // one that ignores it never stops waiting.
    private static final long BOUND_MS = 6_000;

    private static final Sign WAITS_FOR_WRITER = Sign.heldBy(
        Sign.Place.thread("closer").and(Stacks.TLS_CLOSE), Sign.Place.thread("writer"));

    // Set, and so fixed: a buffer that the system lets grow may take more bytes later.
    private static final int SEND_BUFFER_BYTES = 32 * 1024;

    // A writer in the socket's write that makes no progress during this many looks is blocked.
    private static final int BLOCKED_LOOKS = 20;
    private static final long LOOK_EVERY_MS = 25;
    private static final Sign WRITES = Sign.at(
        Sign.Place.thread("writer").and(TimedCall.SOCKET_WRITE));

    private static final long BLOCKED_WITHIN_MS = 15_000;

    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicLong written = new AtomicLong();

    public static void main(String[] args) throws Exception {
        Reproducer.run("CloseStuckBehindBlockedWriter", "JDK-8224829", args,
            (which, findings) -> new CloseStuckBehindBlockedWriter().measure(which, findings));
    }

    private void measure(Case which, Findings findings) throws Exception {
        try (TlsServer deaf = new TlsServer(Identity.serverContext(), this::readOneByte)) {
            SSLSocket socket = TlsClient.connect(
                which.clientContext().getSocketFactory(), deaf.address());
            TlsClient.exchange(socket);
            findings.fact("protocol", socket.getSession().getProtocol());
            // With a read timeout close() would wait for the peer, whatever the writer does.
            socket.setSoTimeout(0);
            socket.setSendBufferSize(SEND_BUFFER_BYTES);
            socket.setSoLinger(true, LINGER_S);
            TimedCall writer = which == Case.SUBJECT ? blockWriter(socket, findings) : null;
            long writtenBefore = written.get();
            Watch watch = new Watch(WAITS_FOR_WRITER);
            closing.countDown();
            TimedCall close = new TimedCall("closer", socket::close);
            watch.until(close::isOver, BOUND_MS);
            findings.fact("close_returned", watch.over());
            findings.fact("close_ms", close.ms());
            if (writer != null) {
                checkStayedBlocked(writer, watch.over(), writtenBefore, findings);
            }
            findings.judge("seen_waiting_ms", watch, BOUND_MS,
                "close() waited behind a blocked writer, SO_LINGER of " + LINGER_S
                    + " s notwithstanding",
                "close() did not wait longer than SO_LINGER of " + LINGER_S + " s allows");
            over.countDown();
        }
    }

    /** Answers one byte, then reads no more until the test is over. */
    private void readOneByte(SSLSocket socket) throws Exception {
        socket.getOutputStream().write(socket.getInputStream().read());
        if ("until-close".equals(PEER_DEAF)) {
            closing.await();
        }
        byte[] buffer = new byte[BLOCK_BYTES];
        while (!"on".equals(PEER_DEAF) && socket.getInputStream().read(buffer) >= 0) { }
        over.await();
    }

    private TimedCall blockWriter(SSLSocket socket, Findings findings) throws Exception {
        TimedCall writer = new TimedCall("writer", () -> writeForEver(socket));
        Patience patience = new Patience(BLOCKED_WITHIN_MS);
        long before = 0;
        for (int looks = 0; looks < BLOCKED_LOOKS; looks++) {
            findings.require(patience.left(), "The writer was not blocked within "
                + patience.elapsedMs() + " ms; " + patience.withheld() + ".");
            Thread.sleep(LOOK_EVERY_MS);
            boolean writes = WRITES.in(Stacks.now()) != null;
            if (!writes || written.get() != before || before == 0) {
                looks = 0;
            }
            before = written.get();
        }
        findings.fact("bytes_until_blocked", before);
        return writer;
    }

    /** If the writer went on because the peer read after all, the close shows nothing. */
    private void checkStayedBlocked(TimedCall writer, boolean closed, long writtenBefore,
            Findings findings) throws Exception {
        if (closed) {       // which ends the writer; only then is all that it wrote counted
            findings.require(writer.over(Client.PATIENCE_MS),
                "The writer did not end with the close.");
        }
        findings.require(written.get() == writtenBefore, "The writer went on from " + writtenBefore
            + " to " + written.get() + " bytes during the close (bound: blocked).");
    }

    private void writeForEver(SSLSocket socket) {
        byte[] block = new byte[BLOCK_BYTES];
        try {
            while (true) {
                socket.getOutputStream().write(block);
                written.addAndGet(block.length);
            }
        } catch (IOException expected) {
            System.out.println("# the writer ended with " + expected);
        }
    }
}
