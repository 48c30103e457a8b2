// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8263743: redundant lock in SSLSocketImpl
 *
 * What goes wrong: a thread that waits for the rest of a TLS record holds the lock of the whole
 * socket. Until the record is complete, other threads cannot even ask the socket for its parameters
 * or streams.
 *
 * What it takes: a reader, and a record that comes in two halves with a pause between (here the
 * relay stops there). Any version of TLS. In the control the reader waits for a record to begin,
 * when nothing is locked.
 *
 * Judged by a sign: a call waits for a lock that the reader owns; watched until 40 calls have
 * returned.
 *
 * Without its precondition
 *     -Drelay.hold=off: inconclusive: The relay did not stop
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
 *     seen_locked_out_ms = 1553 ms (bound 1500)
 *       protocol: TLSv1.3
 *       calls: 0
 *       looks: 29
 *       looks_that_saw_it: 29
 *       waiter: asker
 *       waiter_frames: ReentrantLock.lock < SSLSocketImpl.getSSLParameters
 *       holder: reader
 *       holder_frames: SocketInputStream.socketRead0 < SocketInputStream.socketRead <
 *           SocketInputStream.read < SocketInputStream.read < SSLSocketInputRecord.read <
 *           SSLSocketInputRecord.readFully < SSLSocketInputRecord.decodeInputRecord <
 *           SSLSocketInputRecord.decode < SSLTransport.decode < SSLSocketImpl.decode <
 *           SSLSocketImpl.readApplicationRecord < SSLSocketImpl$AppInputStream.read <
 *           SSLSocketImpl$AppInputStream.read
 *       withheld_ms: 21128
 *       given_cpu_ms: 356
 *       cpu_pressure_percent: 99
 *     reproduced: getSSLParameters() waited until the record being read was whole
 *           (seen_locked_out_ms 1553, bound 1500).
 * On a fixed build:
 *     # java: 17.0.21.1+2-1-deb12u1-Debian, Debian
 *     seen_locked_out_ms = 0 ms (bound 1500)
 *       protocol: TLSv1.3
 *       calls: 40
 *       looks: 1
 *       looks_that_saw_it: 0
 *       withheld_ms: 4431
 *       given_cpu_ms: 97
 *       cpu_pressure_percent: 99
 *     not-reproduced: getSSLParameters() did not wait for the record being read (seen_locked_out_ms
 *           0, bound 1500).
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

import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;

public class SocketLockedWhileRecordIsAwaited {
    // The relay stops until the calls are over, or one was seen locked out for this long. If the
    // reader does not hold the socket's lock, no call is ever seen waiting for it.
    private static final long BOUND_MS = 1_500;

    // Several, because the reader may take the lock anew now and then.
    private static final int CALLS = 40;

    private static final long STOPPED_WITHIN_MS = 5_000;

    // Beyond the header, so that the client knows how much is to come and waits for it.
    private static final int HALF_BYTES = TlsRecord.HEADER_BYTES + 4;

    private static final long BETWEEN_CALLS_MS = 5;

    private static final Sign LOCKED_OUT = Sign.heldBy(
        Sign.Place.thread("asker"), Sign.Place.thread("reader"));

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
            Watch watch = new Watch(LOCKED_OUT);
            AtomicInteger calls = new AtomicInteger();
            TimedCall asking = new TimedCall("asker", () -> ask(socket, calls));
            watch.until(asking::isOver, BOUND_MS);
            findings.fact("calls", calls.get());
            findings.require(!read.isOver(), "The read ended before the relay went on.");
            relay.goOn();
            findings.require(asking.over(Client.PATIENCE_MS) && read.over(Client.PATIENCE_MS),
                "The calls did not return when the record was whole.");
            read.ms();
            asking.ms();
            findings.judge("seen_locked_out_ms", watch, BOUND_MS,
                "getSSLParameters() waited until the record being read was whole",
                "getSSLParameters() did not wait for the record being read");
        }
    }

    private static void ask(SSLSocket socket, AtomicInteger calls) throws InterruptedException {
        for (int i = 0; i < CALLS; i++) {
            socket.getSSLParameters();
            calls.incrementAndGet();
            Thread.sleep(BETWEEN_CALLS_MS);
        }
    }
}
