// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BinaryOperator;

/** What have a host's peer and its relay counted? The relay counts what the peer cannot. */
final class HostReading {
    final LoadHost host;
    final Counters peer;
    final Counters relay;

    private HostReading(LoadHost host, Counters peer, Counters relay) {
        this.host = host;
        this.peer = peer;
        this.relay = relay;
    }

    private static HostReading of(LoadHost host) throws IOException {
        return new HostReading(host, host.peer(), host.hasRelay() ? host.relay() : null);
    }

    /** @throws VoidSample if a peer or relay does not answer; the message names the host */
    static List<HostReading> all(Iterable<LoadHost> hosts) throws VoidSample {
        List<HostReading> readings = new ArrayList<>();
        for (LoadHost host : hosts) {
            try {
                readings.add(of(host));
            } catch (IOException e) {
                throw new VoidSample(e.getMessage());
            }
        }
        return readings;
    }

    /** What was counted from one reading of all hosts to a later one. */
    static List<HostReading> differences(List<HostReading> begin, List<HostReading> end) {
        return pairwise(begin, end, (from, to) -> to.since(from));
    }

    /** Adds up two differences, host by host. */
    static List<HostReading> sums(List<HostReading> one, List<HostReading> other) {
        return pairwise(one, other, HostReading::plus);
    }

    private static List<HostReading> pairwise(List<HostReading> one, List<HostReading> other,
            BinaryOperator<HostReading> operator) {
        List<HostReading> results = new ArrayList<>();
        for (int i = 0; i < one.size(); i++) {
            results.add(operator.apply(one.get(i), other.get(i)));
        }
        return results;
    }

    private HostReading plus(HostReading other) {
        return new HostReading(
            host, peer.plus(other.peer), relay == null ? null : relay.plus(other.relay));
    }

    private HostReading since(HostReading earlier) {
        return new HostReading(
            host, peer.since(earlier.peer), relay == null ? null : relay.since(earlier.relay));
    }

    boolean knows(String counter) {
        return peer.has(counter) || relay != null && relay.has(counter);
    }

    long get(String counter) {
        return peer.has(counter) || relay == null ? peer.get(counter) : relay.get(counter);
    }

    /** What was counted at all under a prefix: {@code protocol.} gives {@code TLSv1.3}. */
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
