// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.util.TreeSet;

/** What have a host's peer and its relay counted? The relay tells what the peer cannot. */
final class HostReading {
    final LoadHost host;
    final Counters peer;
    final Counters relay;

    private HostReading(LoadHost host, Counters peer, Counters relay) {
        this.host = host;
        this.peer = peer;
        this.relay = relay;
    }

    static HostReading of(LoadHost host) throws IOException {
        return new HostReading(host, host.peer(), host.hasRelay() ? host.relay() : null);
    }

    HostReading since(HostReading earlier) {
        return new HostReading(
            host, peer.since(earlier.peer), relay == null ? null : relay.since(earlier.relay));
    }

    boolean knows(String counter) {
        return peer.has(counter) || relay != null && relay.has(counter);
    }

    long get(String counter) {
        return peer.has(counter) || relay == null ? peer.get(counter) : relay.get(counter);
    }

    /** What was counted under a prefix: {@code protocol.} gives {@code TLSv1.3}. */
    TreeSet<String> seen(String prefix) {
        TreeSet<String> seen = new TreeSet<>();
        for (Counters counters : relay == null
                ? new Counters[] {peer} : new Counters[] {peer, relay}) {
            counters.values().forEach((name, count) -> {
                if (name.startsWith(prefix) && count > 0) {
                    seen.add(name.substring(prefix.length()));
                }
            });
        }
        return seen;
    }
}
