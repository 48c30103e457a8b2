// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLSession;

/** What has a peer done since its start? */
final class PeerCounters {
    final LongAdder connections = new LongAdder();
    final LongAdder requests = new LongAdder();
    final LongAdder bytesIn = new LongAdder();
    final LongAdder bytesOut = new LongAdder();
    final LongAdder failures = new LongAdder();
    private final LongAdder full = new LongAdder();
    private final LongAdder resumed = new LongAdder();
    private final Map<String, LongAdder> negotiated = new ConcurrentHashMap<>();

    void handshake(SSLSession session, boolean wasFull) {
        (wasFull ? full : resumed).increment();
        negotiated(session);
    }

    /** Counts a handshake; the caller itself counts which were full. */
    void negotiated(SSLSession session) {
        count("protocol." + session.getProtocol());
        count("cipher." + session.getCipherSuite());
    }

    /** By name; {@code failures} are connections that broke, bytes are those of HTTP. */
    Map<String, Long> values() {
        Map<String, Long> values = new TreeMap<>();
        negotiated.forEach((name, count) -> values.put(name, count.sum()));
        values.put("connections", connections.sum());
        values.put("requests", requests.sum());
        values.put("bytes.in", bytesIn.sum());
        values.put("bytes.out", bytesOut.sum());
        values.put("failures", failures.sum());
        values.put("handshakes.full", full.sum());
        values.put("handshakes.resumed", resumed.sum());
        return values;
    }

    private void count(String name) {
        negotiated.computeIfAbsent(name, unseen -> new LongAdder()).increment();
    }
}
