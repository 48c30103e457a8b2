// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8209333: Socket reset issue for TLS 1.3 socket close
 *
 * What goes wrong: SSLSocket.close() waits for the peer's answer, up to the read timeout. The
 * change of this bug introduced the wait, to spare the peer a reset, and no build since has removed
 * it. This is a guard: every build is expected to show it. The wait is what makes the closes of
 * JDK-8293562 slow, so a build that does not wait is news.
 *
 * What it takes: TLS 1.3; a read timeout, because without one the close does not wait; a silent
 * peer (here a relay that holds its answer back), because a peer on loopback answers at once.
 *
 * Judged by a sign: its thread is in a socket read in SSLSocketImpl.close; watched until it
 * returns.
 *
 * Without its precondition
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: negotiated protocol TLSv1.2
 *     -Drelay.hold=off: inconclusive: held 0 FINs
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/CloseWaitsForSilentPeer.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/CloseWaitsForSilentPeer.java
 *     java -cp classes CloseWaitsForSilentPeer [CASE]
 * where CASE is one of tls12, no-read-timeout and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     seen_waiting_ms = 1003 ms (bound 1000)
 *       protocol: TLSv1.3
 *       cipher: TLS_AES_256_GCM_SHA384
 *       held_fins: 1
 *       close_ms: 2572
 *       looks: 22
 *       looks_that_saw_it: 22
 *       holder: closer
 *       holder_frames: Socket$SocketInputStream.read < Socket$SocketInputStream.read <
 *           SSLSocketInputRecord.deplete < SSLSocketImpl$AppInputStream.readLockedDeplete <
 *           SSLSocketImpl$AppInputStream.deplete < SSLSocketImpl.bruteForceCloseInput <
 *           SSLSocketImpl.duplexCloseOutput < SSLSocketImpl.close
 *       withheld_ms: 10176
 *       given_cpu_ms: 187
 *       cpu_pressure_percent: 97
 *     reproduced: SSLSocket.close() waited for a silent peer (seen_waiting_ms 1003, bound 1000).
 *
 * Evidence: in a recording, jdk.SocketRead of the thread closer in SSLSocketImpl.close.
 */

/*
 * @test
 * @bug 8209333
 * @summary Does SSLSocket.close() wait for a silent peer in TLS 1.3?
 * @key waits
 * @library /lib
 * @run main/othervm CloseWaitsForSilentPeer tls12
 * @run main/othervm CloseWaitsForSilentPeer no-read-timeout
 * @run main/othervm CloseWaitsForSilentPeer subject
 */

import javax.net.ssl.SSLSocket;

public class CloseWaitsForSilentPeer {
    // Longer than it takes to see the close wait, even on a busy machine.
    private static final int READ_TIMEOUT_MS = 15_000;

    // A close that does not wait reads nothing, or what has come already, and is not seen reading.
    private static final long BOUND_MS = 1_000;

    private static final long FINS_WITHIN_MS = 5_000;

    private static final Sign WAITS = Sign.at(
        Sign.Place.thread("closer").and(Stacks.TLS_CLOSE).and(TimedCall.SOCKET_READ));

    public static void main(String[] args) throws Exception {
        Reproducer.run("CloseWaitsForSilentPeer", "JDK-8209333", args,
            CloseWaitsForSilentPeer::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (TlsServer server = new TlsServer(Identity.serverContext(), TlsServer::echo);
                Relay relay = new Relay(server.address())) {
            SSLSocket socket = TlsClient.connect(
                which.clientContext().getSocketFactory(), relay.address());
            TlsClient.exchange(socket);
            which.checkProtocol(socket.getSession(), findings);
            socket.setSoTimeout(which.readTimeoutMs(READ_TIMEOUT_MS));
            relay.hold();
            int unread = socket.getInputStream().available();
            findings.require(unread == 0 && relay.clientFins() == 0, "Before the close " + unread
                + " bytes were unread and " + relay.clientFins()
                + " connections closed (bounds 0 and 0).");
            Watch watch = new Watch(WAITS);
            TimedCall close = new TimedCall("closer", socket::close);
            watch.until(close::isOver, BOUND_MS);
            // Await both: the peer may answer the close_notify before the client's FIN is seen.
            relay.awaitClientFins(1, FINS_WITHIN_MS);
            relay.awaitHeldFins(1, FINS_WITHIN_MS);
            findings.fact("held_fins", relay.heldFins());
            findings.require(relay.clientFins() == 1 && relay.heldFins() == 1,
                "The relay saw " + relay.clientFins() + " closes and held " + relay.heldFins()
                + " FINs (bounds 1 and 1).");
            relay.release();
            findings.require(close.over(Client.PATIENCE_MS), "close() did not return.");
            findings.fact("close_ms", close.ms());
            findings.judge("seen_waiting_ms", watch, BOUND_MS,
                "SSLSocket.close() waited for a silent peer",
                "SSLSocket.close() did not wait for a silent peer");
        }
    }
}
