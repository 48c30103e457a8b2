// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLSession;

/** What has a service done since its start, and what has it cost? */
final class ServiceCounters {
    private static final int PIECE_BYTES = 16 * 1024;

    final PeerCounters peer = new PeerCounters();
    final LongAdder keysChosen = new LongAdder();
    final ProcessCosts costs = new ProcessCosts();
    private final LongAdder handshakes = new LongAdder();

    /** Counts a handshake; only in a full one is a server's key chosen, on whichever thread. */
    void handshake(SSLSession session) {
        peer.negotiated(session);
        handshakes.increment();
    }

    /**
     * Sends back what arrives, piece by piece. Counts before it writes: a client that has the reply
     * may read the counters.
     */
    void echo(InputStream in, OutputStream out) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
            peer.bytesIn.add(count);
            out.write(piece, 0, count);
        }
    }

    /** By name: those of a peer, and {@code cost.*}, what the process has spent or occupies. */
    Map<String, Long> values() {
        Map<String, Long> values = peer.values();
        long full = Math.min(keysChosen.sum(), handshakes.sum());
        values.put("handshakes.full", full);
        values.put("handshakes.resumed", handshakes.sum() - full);
        values.putAll(costs.values());
        return values;
    }
}
