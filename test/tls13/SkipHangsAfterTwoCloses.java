// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8315422: getSoTimeout() would be in try block in SSLSocketImpl
 *
 * What goes wrong: two threads close one socket. The second takes the read lock, asks the socket,
 * which the first has just closed, for its timeout, and leaves with an exception, still holding the
 * lock. A thread that then wants the lock waits for ever. Here that is skip(), which takes the lock
 * first of all; a read() hangs too if it checked for a closed socket before the close.
 *
 * What it takes: the first close between two steps of the second. Here the plain socket below the
 * TLS one answers like a closed one at that very moment, so no luck is needed. In the control it
 * answers like an open one. Any version of TLS.
 *
 * Judged by a sign: the skip waits for a lock although no other thread uses the socket any more;
 * watched until it returns.
 *
 * Without its precondition
 *     -Dthreads.meet=off: not-applicable: The threads did not meet
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/SkipHangsAfterTwoCloses.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/SkipHangsAfterTwoCloses.java
 *     java -cp classes SkipHangsAfterTwoCloses [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     seen_waiting_ms = 2023 ms (bound 2000)
 *       protocol: TLSv1.3
 *       close: returned
 *       asked_while_closed: 2
 *       skip: waits
 *       looks: 75
 *       looks_that_saw_it: 75
 *       holder: reader
 *       holder_frames: ReentrantLock.lock < SSLSocketImpl$AppInputStream.skip
 *       withheld_ms: 2538
 *       given_cpu_ms: 299
 *       cpu_pressure_percent: 99
 *     reproduced: After two closes at once skip() waits for ever (seen_waiting_ms 2023, bound
 *           2000).
 * On a fixed build:
 *     # java: 17.0.21.1+2-1-deb12u1-Debian, Debian
 *     seen_waiting_ms = 0 ms (bound 2000)
 *       protocol: TLSv1.3
 *       close: returned
 *       asked_while_closed: 2
 *       skip: returned
 *       looks: 1
 *       looks_that_saw_it: 0
 *       withheld_ms: 6428
 *       given_cpu_ms: 89
 *       cpu_pressure_percent: 91
 *     not-reproduced: After two closes at once skip() ends (seen_waiting_ms 0, bound 2000).
 */

/*
 * @test
 * @bug 8315422
 * @summary skip() must not wait for a lock that a close has left held
 * @key waits
 * @library /lib
 * @run main/othervm SkipHangsAfterTwoCloses control
 * @run main/othervm SkipHangsAfterTwoCloses subject
 */

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;

public class SkipHangsAfterTwoCloses {
    // skip() of a closed socket finds the lock free; if it was left held, skip() waits for ever.
    private static final long BOUND_MS = 2_000;

    // If the owner of a lock has ended, some JDKs name it, some do not. No other thread uses the
    // socket any more, so a thread that waits in there waits for that owner.
    private static final Sign WAITS_FOR_LOCK = Sign.at(Sign.Place.thread("reader")
        .and(Sign.Place.in("sun.security.ssl.SSLSocketImpl$AppInputStream", "skip"))
        .and(thread -> thread.getLockName() != null));

    public static void main(String[] args) throws Exception {
        Reproducer.run("SkipHangsAfterTwoCloses", "JDK-8315422", args,
            SkipHangsAfterTwoCloses::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (TlsServer server = new TlsServer(Identity.serverContext(), TlsServer::echo);
                ClosedByAnother plain = new ClosedByAnother(server.address())) {
            SSLSocket socket = (SSLSocket) which.clientContext().getSocketFactory()
                .createSocket(plain, "127.0.0.1", plain.getPort(), true);
            TlsClient.exchange(socket);
            findings.fact("protocol", socket.getSession().getProtocol());
            InputStream in = socket.getInputStream();
            plain.armed = which == Case.SUBJECT && PlainSocket.MEET;
            TimedCall close = new TimedCall("closer", socket::close);
            findings.require(close.over(Client.PATIENCE_MS), "close() did not return.");
            findings.fact("close", end(close));
            findings.fact("asked_while_closed", plain.asked.get());
            plain.armed = false;
            if (which == Case.SUBJECT && plain.asked.get() == 0) {
                throw new CaseEnd(Outcome.NOT_APPLICABLE, "The threads did not meet: close() did"
                    + " not ask the socket for its timeout.");
            }
            Watch watch = new Watch(WAITS_FOR_LOCK);
            TimedCall skip = new TimedCall("reader", () -> in.skip(1));
            watch.until(skip::isOver, BOUND_MS);
            findings.fact("skip", watch.over() ? end(skip) : "waits");
            findings.judge("seen_waiting_ms", watch, BOUND_MS,
                "After two closes at once skip() waits for ever",
                "After two closes at once skip() ends");
        }
    }

    private static String end(TimedCall call) throws Exception {
        try {
            call.ms();
            return "returned";
        } catch (IOException e) {
            return "threw " + e;
        }
    }

    /** Answers, when asked for its timeout, as if another thread had just closed it. */
    private static final class ClosedByAnother extends PlainSocket {
        final AtomicInteger asked = new AtomicInteger();
        volatile boolean armed;

        ClosedByAnother(InetSocketAddress address) throws IOException {
            super(address);
        }

        @Override
        public synchronized int getSoTimeout() throws SocketException {
            if (armed) {
                asked.incrementAndGet();
                throw closed();
            }
            return super.getSoTimeout();
        }
    }
}
