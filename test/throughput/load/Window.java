// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What was counted while a load was measured: in one go, or in turns that are added up. */
final class Window {
    final int turns;
    final long nanos;
    final Costs costs;
    final List<HostReading> hosts;
    /** Of each turn with requests, what each of them allocated. */
    private final List<Double> allocatedBytes = new ArrayList<>();

    private Window(int turns, long nanos, Costs costs, List<HostReading> hosts) {
        this.turns = turns;
        this.nanos = nanos;
        this.costs = costs;
        this.hosts = hosts;
    }

    /** One turn. */
    Window(long nanos, Costs costs, List<HostReading> hosts, long bytes, long requests) {
        this(1, nanos, costs, hosts);
        if (requests > 0) {
            allocatedBytes.add((double) bytes / requests);
        }
    }

    Window plus(Window other) {
        Window sum = new Window(turns + other.turns, nanos + other.nanos, costs.plus(other.costs),
            HostReading.sums(hosts, other.hosts));
        sum.allocatedBytes.addAll(allocatedBytes);
        sum.allocatedBytes.addAll(other.allocatedBytes);
        return sum;
    }

    /**
     * What a request allocates once all is compiled: the lower quartile of the turns. One step of
     * the compiler takes 5 % off a handshake; some JVMs take it only in the midst of the window.
     */
    double steadyAllocatedBytes() {
        Collections.sort(allocatedBytes);
        return allocatedBytes.isEmpty() ? 0 : allocatedBytes.get((allocatedBytes.size() - 1) / 4);
    }
}
