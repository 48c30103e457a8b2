// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.ProtocolException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/** How does a bare peer serve one connection? Request by request, until either side ends it. */
final class BareConnection implements Runnable {
    private final SSLSocket socket;
    private final boolean tickets;
    private final KeyUse keyUse;
    private final BareReplies replies;
    private final PeerCounters counters;

    BareConnection(SSLSocket socket, boolean tickets, KeyUse keyUse, BareReplies replies,
            PeerCounters counters) {
        this.socket = socket;
        this.tickets = tickets;
        this.keyUse = keyUse;
        this.replies = replies;
        this.counters = counters;
    }

    @Override
    public void run() {
        try (SSLSocket closing = socket) {
            shakeHands();
            serve(closing);
        } catch (ProtocolException e) {
            counters.failures.increment();
            System.err.println("connection: " + e);
        } catch (IOException endedByTheClient) {
            // A JVM that ends, or closes with a ticket unread, resets it: not worth logging.
            counters.failures.increment();
        }
    }

    private void shakeHands() throws IOException {
        keyUse.taken();
        socket.startHandshake();
        SSLSession session = socket.getSession();
        counters.handshake(session, keyUse.taken());
        if (!tickets) {
            // TLS 1.2 can resume by session id, without a ticket.
            session.invalidate();
        }
    }

    private void serve(SSLSocket closing) throws IOException {
        BareRequest request = new BareRequest(closing.getInputStream());
        boolean last = false;
        while (!last && request.next()) {
            last = request.isLast();
            counters.requests.increment();
            counters.bytesIn.add(request.bytes());
            counters.bytesOut.add(
                replies.send(closing.getOutputStream(), request.replyBytes(), last));
        }
    }
}
