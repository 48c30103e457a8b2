// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.DataInputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Can this setup show the symptom on this build at all? A plain SSLSocket with a read timeout is
 * closed behind a relay that holds: from 8u292, 11.0.8 and 12 on (JDK-8209333), fixed builds
 * included, that close waits for the peer. So if the reproducer then sees nothing, the peer was
 * really silent. No HttpURLConnection is used, so the cache under test is not touched.
 */
final class CloseWitness {
    private static final String THREAD = "close-witness";

    // Long enough for several looks; a close that does not wait takes about 1 ms.
    private static final long BOUND_MS = 300;

    // The peer answers a close within some ms.
    private static final long HELD_WITHIN_MS = 2_000;

    private CloseWitness() { }

    /**
     * Ends the case as inconclusive if the relay lets bytes through, as not applicable if the
     * build's close does not wait for the peer.
     *
     * @param factory the client's, for TLS 1.3
     */
    static void check(TlsPeer peer, SSLSocketFactory factory, Findings findings)
            throws Exception {
        try (Relay relay = new Relay(peer.address())) {
            Socket plain = new Socket(TlsPeer.loopback(), relay.address().getPort());
            SSLSocket socket = (SSLSocket) factory.createSocket(plain, "127.0.0.1",
                relay.address().getPort(), true);
            socket.setSoTimeout(Client.PATIENCE_MS);
            socket.getOutputStream().write(
                "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            RequestHead.read(socket.getInputStream());
            new DataInputStream(socket.getInputStream()).readFully(new byte[TlsPeer.BODY_BYTES]);
            relay.hold();
            int unread = plain.getInputStream().available() + socket.getInputStream().available();
            // In a thread of its own, so that a recording shows whose wait this is.
            FutureTask<Void> closing = new FutureTask<>(() -> {
                socket.close();
                return null;
            });
            TlsPeer.daemon(THREAD, closing).start();
            Watch watch =
                new Watch(Sign.at(Sign.Place.thread(THREAD).and(Stacks.TLS_CLOSE)));
            boolean waited = !watch.until(closing::isDone, BOUND_MS);
            findings.fact("witness_close_ms", watch.seenMs());
            findings.require(unread == 0, "Before the witness closed, " + unread
                + " bytes were left unread (bound 0), and they end the wait at once.");
            findings.require(relay.awaitHeldFins(1, HELD_WITHIN_MS), "The relay held "
                + relay.heldFins() + " FINs of the witness's peer (bound 1).");
            relay.release();
            closing.get();
            if (!waited) {
                throw new CaseEnd(Outcome.NOT_APPLICABLE, "The close of a plain TLS 1.3 socket with"
                    + " a read timeout did not wait for a silent peer (witness_close_ms "
                    + watch.seenMs() + ", bound " + BOUND_MS + ").");
            }
            findings.require(watch.seenMs() >= BOUND_MS, "The close of the witness was not over"
                + " after " + watch.patience().elapsedMs() + " ms, and was seen to wait for "
                + watch.seenMs() + " ms alone (bound " + BOUND_MS + ").");
        }
    }
}
