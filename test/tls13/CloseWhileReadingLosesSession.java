// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8274736: Concurrent read/close of SSLSockets causes SSLSessions to be invalidated
 *              unnecessarily
 *
 * What goes wrong: one thread reads while another closes the socket, as in every client with a
 * reader thread. The reader's SocketException then drops the session, and the next connection to
 * that peer needs a full handshake.
 *
 * What it takes: a thread in read(), and a close by another. The test uses TLS 1.2, where each such
 * close shuts the socket under the reader; in TLS 1.3 that is a matter of luck. The peer does not
 * answer the close, or that might end the read first. In the control nobody reads.
 *
 * Judged by a count of sessions lost.
 *
 * Without its precondition
 *     -Dsessions.kept=off: inconclusive: was not resumed
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/CloseWhileReadingLosesSession.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/CloseWhileReadingLosesSession.java
 *     java -cp classes CloseWhileReadingLosesSession [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     sessions_lost = 12 sessions (bound 1)
 *       protocol: TLSv1.2
 *       read: java.net.SocketException: Socket closed
 *       closes: 12
 *       valid_but_declined: 0
 *     reproduced: Closes while another thread read cost the session (sessions_lost 12, bound 1).
 * On a fixed build:
 *     # java: 11.0.24+8-post-Debian-2deb11u1, Debian
 *     sessions_lost = 0 sessions (bound 1)
 *       protocol: TLSv1.2
 *       read: java.net.SocketException: Socket closed
 *       closes: 12
 *       valid_but_declined: 0
 *     not-reproduced: No close cost the session (sessions_lost 0, bound 1).
 */

/*
 * @test
 * @bug 8274736
 * @summary A close while another thread reads must not cost the session
 * @key waits
 * @library /lib
 * @run main/othervm CloseWhileReadingLosesSession control
 * @run main/othervm CloseWhileReadingLosesSession subject
 */

import java.io.IOException;
import java.net.SocketException;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

public class CloseWhileReadingLosesSession {
    private static final int CLOSES = 12;

    // A fixed build never loses the session, an affected one in each of 12 closes.
    private static final long BOUND_SESSIONS = 1;

    private static final long READS_WITHIN_MS = 5_000;

    public static void main(String[] args) throws Exception {
        Reproducer.run("CloseWhileReadingLosesSession", "JDK-8274736", args,
            CloseWhileReadingLosesSession::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SSLSocketFactory factory = Identity.clientContext("TLSv1.2").getSocketFactory();
        CountDownLatch over = new CountDownLatch(1);
        try (TlsServer server = new TlsServer(Identity.serverContext(),
                socket -> echoOnce(socket, over))) {
            connect(factory, server).close();
            Resumption first = Resumption.fromNow();
            SSLSocket socket = connect(factory, server);
            String protocol = socket.getSession().getProtocol();
            findings.fact("protocol", protocol);
            findings.require(protocol.equals("TLSv1.2"),
                "The client asked for TLSv1.2, yet " + protocol + " was negotiated.");
            findings.require(first.resumed(socket.getSession()),
                "A second connection was not resumed, before one was closed under a reader.");
            int lost = 0;
            int declined = 0;
            for (int i = 0; i < CLOSES; i++) {
                SSLSession session = socket.getSession();
                close(socket, which, findings);
                // Judge by the mechanism: a server may now and then decline a valid session.
                boolean isDropped = !session.isValid();
                Resumption after = Resumption.fromNow();
                socket = connect(factory, server);
                boolean isResumed = after.resumed(socket.getSession());
                lost += isDropped && !isResumed ? 1 : 0;
                declined += isDropped || isResumed ? 0 : 1;
            }
            socket.close();
            findings.fact("closes", CLOSES);
            findings.fact("valid_but_declined", declined);
            findings.judgeCount("sessions_lost", lost, BOUND_SESSIONS, "sessions",
                "Closes while another thread read cost the session",
                "No close cost the session");
        } finally {
            over.countDown();
        }
    }

    /**
     * What the peer does. It never answers a close: its close_notify could end the read before the
     * socket does, or, read while the close disposes of the cipher, fail the connection.
     */
    private static void echoOnce(SSLSocket socket, CountDownLatch over) throws Exception {
        socket.getOutputStream().write(socket.getInputStream().read());
        over.await();
    }

    private static void close(SSLSocket socket, Case which, Findings findings) throws Exception {
        if (which == Case.CONTROL) {
            socket.close();
            return;
        }
        TimedCall read = new TimedCall("reader", () -> socket.getInputStream().read());
        findings.require(read.inSocketRead(READS_WITHIN_MS),
            "The reader did not wait in read() within " + READS_WITHIN_MS + " ms.");
        socket.close();
        findings.require(read.over(Client.PATIENCE_MS), "The close did not end the read.");
        String end = "ended";
        boolean isOfSocket = false;
        try {
            read.ms();
        } catch (IOException e) {
            end = e.toString();
            // Older builds wrap it.
            isOfSocket = e instanceof SocketException || e.getCause() instanceof SocketException;
        }
        findings.fact("read", end);
        findings.require(isOfSocket, "No exception of the socket ended the read: " + end + ".");
    }

    private static SSLSocket connect(SSLSocketFactory factory, TlsServer server)
            throws Exception {
        SSLSocket socket = TlsClient.connect(factory, server.address());
        TlsClient.exchange(socket);
        return socket;
    }
}
