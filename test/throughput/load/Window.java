// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.List;

/** What was counted while a load was measured: in one go, or in turns that are added up. */
final class Window {
    final int turns;
    final long nanos;
    final Costs costs;
    final List<HostReading> hosts;
    /** What each request of a turn allocated, in the turn in which that was the least. */
    private final double leastAllocatedBytes;

    private Window(int turns, long nanos, Costs costs, List<HostReading> hosts,
            double leastAllocatedBytes) {
        this.turns = turns;
        this.nanos = nanos;
        this.costs = costs;
        this.hosts = hosts;
        this.leastAllocatedBytes = leastAllocatedBytes;
    }

    /** One turn, with so many requests. */
    Window(long nanos, Costs costs, List<HostReading> hosts, long bytes, long requests) {
        this(1, nanos, costs, hosts,
            requests > 0 ? (double) bytes / requests : Double.POSITIVE_INFINITY);
    }

    Window plus(Window other) {
        return new Window(turns + other.turns, nanos + other.nanos, costs.plus(other.costs),
            HostReading.sums(hosts, other.hosts),
            Math.min(leastAllocatedBytes, other.leastAllocatedBytes));
    }

    /** 0 without a request. */
    double leastAllocatedBytes() {
        return Double.isInfinite(leastAllocatedBytes) ? 0 : leastAllocatedBytes;
    }
}
