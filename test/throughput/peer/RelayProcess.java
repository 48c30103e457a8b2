// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Map;

/**
 * How far away is the peer? A {@link LineRelay} in a process of its own, with the given delay, late
 * FIN and bandwidth; it counts what passes.
 *
 * <pre>java -cp CLASSES RelayProcess target=127.0.0.1:PORT [rtt_ms=50] [late_fin_ms=0]
 *     [bandwidth_bytes_per_s=0]</pre>
 */
public final class RelayProcess implements PeerProcess.Program {
    private static final int LONGEST_MS = 60_000;
    private static final long NANOS_PER_HALF_MS = 500_000;

    private final RelayCounters counters = new RelayCounters();
    private LineRelay relay;

    public static void main(String[] args) throws IOException {
        PeerProcess.run(args, new RelayProcess());
    }

    @Override
    public int start(Arguments arguments) throws IOException {
        InetSocketAddress target = address(arguments.text("target", ""));
        long rttMs = arguments.number("rtt_ms", 0, LONGEST_MS);
        long lateFinMs = arguments.number("late_fin_ms", 0, LONGEST_MS);
        long bandwidth = arguments.number("bandwidth_bytes_per_s", 0, Integer.MAX_VALUE);
        arguments.end();
        RelayLine line = new RelayLine(
            rttMs * NANOS_PER_HALF_MS, (int) lateFinMs, bandwidth, counters);
        // Try the target now: the relay accepts before it knows whether its target does.
        new Socket(target.getAddress(), target.getPort()).close();
        relay = new LineRelay(target, line);
        return relay.address().getPort();
    }

    @Override
    public Map<String, Long> counters() {
        Map<String, Long> all = counters.values();
        all.put("connections", (long) relay.connections());
        all.put("client_fins", (long) relay.clientFins());
        all.put("peer_fins", (long) relay.peerFins());
        return all;
    }

    private static InetSocketAddress address(String target) {
        if (!target.matches("[^:]+:\\d{1,5}")) {
            throw new IllegalArgumentException("target=" + target + ": give target=HOST:PORT");
        }
        String[] pair = target.split(":");
        return new InetSocketAddress(pair[0], Integer.parseInt(pair[1]));
    }
}
