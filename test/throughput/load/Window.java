// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.List;

/** What was counted while a load was measured: in one go, or in turns that are added up. */
final class Window {
    final int turns;
    final long nanos;
    final Costs costs;
    final List<HostReading> hosts;

    private Window(int turns, long nanos, Costs costs, List<HostReading> hosts) {
        this.turns = turns;
        this.nanos = nanos;
        this.costs = costs;
        this.hosts = hosts;
    }

    /** One turn. */
    Window(long nanos, Costs costs, List<HostReading> hosts) {
        this(1, nanos, costs, hosts);
    }

    Window plus(Window other) {
        return new Window(turns + other.turns, nanos + other.nanos, costs.plus(other.costs),
            HostReading.sums(hosts, other.hosts));
    }
}
