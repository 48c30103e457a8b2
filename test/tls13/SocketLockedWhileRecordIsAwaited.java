// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8263743: redundant lock in SSLSocketImpl
 *
 * What goes wrong: a thread that waits for the rest of a TLS record holds the lock of the whole
 * socket. Other threads then cannot even ask for its parameters or streams until the record is
 * there.
 *
 * What it takes: a reader, and a record that comes in two halves with a pause between (here a relay
 * that stops in it). Any version of TLS. While a reader waits for a record to begin, nothing is
 * locked: that is the control.
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/SocketLockedWhileRecordIsAwaited.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/SocketLockedWhileRecordIsAwaited.java
 *     java -cp classes SocketLockedWhileRecordIsAwaited [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     longest_call_ms = 2996 ms (bound 1500)
 *       protocol: TLSv1.3
 *       calls: 1
 *       machine_stall_ms: 84
 *     reproduced: getSSLParameters() waited until the record being read was whole
 *           (longest_call_ms 2996, bound 1500).
 * On a fixed build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     longest_call_ms = 0 ms (bound 1500)
 *       protocol: TLSv1.3
 *       calls: 360
 *       machine_stall_ms: 62
 *     not-reproduced: getSSLParameters() did not wait for the record being read
 *           (longest_call_ms 0, bound 1500).
 *
 * Evidence: in a recording, the thread asker waits for a lock in SSLSocketImpl.getSSLParameters.
 */

/*
 * @test
 * @bug 8263743
 * @summary A reader in the midst of a record must not lock the socket
 * @key waits
 * @library /lib
 * @run main/othervm SocketLockedWhileRecordIsAwaited control
 * @run main/othervm SocketLockedWhileRecordIsAwaited subject
 */

import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;

public class SocketLockedWhileRecordIsAwaited {
    private static final long PAUSE_MS = 3_000;

    // A call that is locked out takes most of the pause, one that is not less than a ms.
    private static final long BOUND_MS = PAUSE_MS / 2;

    private static final long STOPPED_WITHIN_MS = 5_000;

    // Beyond the header, so that the client knows how much is to come and waits for it.
    private static final int HALF_BYTES = TlsRecord.HEADER_BYTES + 4;

    private static final long BETWEEN_CALLS_MS = 5;

    public static void main(String[] args) throws Exception {
        Reproducer.run("SocketLockedWhileRecordIsAwaited", "JDK-8263743", args,
            SocketLockedWhileRecordIsAwaited::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (TlsServer server = new TlsServer(Identity.serverContext(), TlsServer::echo);
                RecordRelay relay = new RecordRelay(server.address())) {
            SSLSocket socket = TlsClient.connect(
                which.clientContext().getSocketFactory(), relay.address());
            TlsClient.exchange(socket);
            findings.fact("protocol", socket.getSession().getProtocol());
            relay.stopInNextRecord(which == Case.CONTROL ? 0 : HALF_BYTES);
            TimedCall read = new TimedCall("reader", () -> TlsClient.exchange(socket));
            findings.require(relay.awaitStopped(STOPPED_WITHIN_MS)
                && read.inSocketRead(STOPPED_WITHIN_MS),
                "The relay did not stop in the record, or the read did not wait for its rest.");
            findings.measuringBegins();
            LongestCall asked = new LongestCall(socket);
            TimedCall asking = new TimedCall("asker", asked::askForPauseMs);
            // Counted from the first call, else a slow start of the thread would shorten the wait.
            findings.require(asking.begun(Client.PATIENCE_MS), "The calls did not begin.");
            asking.over(PAUSE_MS);
            findings.require(!read.over(0), "The read ended before the relay went on.");
            relay.goOn();
            findings.require(asking.over(Client.PATIENCE_MS) && read.over(Client.PATIENCE_MS),
                "The calls did not return when the record was whole.");
            read.ms();
            asking.ms();
            findings.fact("calls", asked.calls);
            findings.judge("longest_call_ms", asked.longestMs, BOUND_MS,
                "getSSLParameters() waited until the record being read was whole",
                "getSSLParameters() did not wait for the record being read");
        }
    }

    /** Asks again and again, because the reader may not yet have come to the lock at first. */
    private static final class LongestCall {
        private final SSLSocket socket;
        private volatile int calls;
        private volatile long longestMs;

        LongestCall(SSLSocket socket) {
            this.socket = socket;
        }

        void askForPauseMs() throws InterruptedException {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PAUSE_MS);
            while (System.nanoTime() - end < 0) {
                long begin = System.nanoTime();
                socket.getSSLParameters();
                longestMs = Math.max(longestMs,
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
                calls++;
                Thread.sleep(BETWEEN_CALLS_MS);
            }
        }
    }
}
