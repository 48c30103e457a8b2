// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLSession;

/** What has a service done since its start, and what has it cost? */
final class ServiceCounters {
    final PeerCounters peer = new PeerCounters();
    final LongAdder keysChosen = new LongAdder();
    final ProcessCosts costs = new ProcessCosts();
    private final LongAdder handshakes = new LongAdder();

    /** A full handshake has had a server's key chosen, on whichever thread; a resumed one has not. */
    void handshake(SSLSession session) {
        peer.negotiated(session);
        handshakes.increment();
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
