// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** What does a sample say? Puts sample.json together from what was measured. */
final class SampleReport {
    private static final double NANOS_PER_S = 1e9;
    private static final double NANOS_PER_MS = 1e6;
    private static final double NANOS_PER_US = 1e3;

    private final LoadPlan plan;
    private final Map<LoadGroup, Tally> tallies;
    private final long windowNanos;
    private final long requests;
    private final List<String> vetoes = new ArrayList<>();
    private final Map<String, Object> json;

    /** @param handshakes what the hosts counted from before the first request to the last */
    SampleReport(LoadPlan plan, Window window, Map<LoadGroup, Tally> tallies,
            List<HostReading> handshakes) {
        this.plan = plan;
        this.tallies = tallies;
        windowNanos = window.nanos;
        requests = tallies.entrySet().stream().filter(entry -> entry.getKey().measured)
            .mapToLong(entry -> entry.getValue().requests()).sum();
        json = header(plan);
        json.put("measured_ms", decimal(windowNanos / NANOS_PER_MS));
        json.put("turns", window.turns);
        List<Object> groups = new ArrayList<>();
        tallies.forEach((group, tally) -> groups.add(group(group, tally)));
        json.put("groups", groups);
        json.put("requests", requests);
        hosts(handshakes, window.hosts);
        json.put("allocated_bytes_per_request", decimal(window.leastAllocatedBytes()));
        if (plan.costsOfHosts) {
            costs(Costs.of(window.hosts), requests);
            long driverNanos = window.costs.cpuNanos + window.costs.jitNanos;
            json.put("driver_cores", decimal((double) driverNanos / windowNanos));
        } else {
            costs(window.costs, requests);
        }
    }

    /** What is known before measuring; a void sample has only this and the reason. */
    static Map<String, Object> header(LoadPlan plan) {
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("schema", 1);
        header.put("scenario", plan.scenario);
        header.put("client", plan.client);
        header.put("pacing", plan.openLoop ? "open" : "closed");
        header.put("jvm", Jvm.identity());
        header.put("warm_up_ms", plan.warmUpMs);
        return header;
    }

    /**
     * CPU time of the whole JVM or service, also for each request of the measured
     * groups. The JIT compiler's CPU time is apart.
     */
    private void costs(Costs costs, long by) {
        json.put("cpu_ms", decimal(costs.cpuNanos / NANOS_PER_MS));
        json.put("jit_cpu_ms", decimal(costs.jitNanos / NANOS_PER_MS));
        json.put("cpu_us_per_request", quotient(costs.cpuNanos / NANOS_PER_US, by));
        Map<String, Object> gc = new LinkedHashMap<>();
        gc.put("count", costs.collections);
        gc.put("ms", costs.collectionMs);
        json.put("gc", gc);
    }

    private void hosts(List<HostReading> handshakes, List<HostReading> window) {
        List<Object> hosts = new ArrayList<>();
        for (HostReading reading : window) {
            Map<String, Object> host = new LinkedHashMap<>();
            host.put("name", reading.host.name);
            host.put("peer", reading.peer.values());
            host.put("relay", reading.relay == null ? null : reading.relay.values());
            hosts.add(host);
        }
        json.put("hosts", hosts);
        json.put("protocol", seen(handshakes, "protocol."));
        json.put("cipher", seen(handshakes, "cipher."));
        Map<String, Long> asked = new TreeMap<>();
        Map<String, Long> threads = new TreeMap<>();
        tallies.forEach((group, tally) -> {
            asked.merge(group.host.name, tally.requests(), Long::sum);
            threads.merge(group.host.name, (long) group.threads, Long::sum);
        });
        vetoes.addAll(plan.expect.vetoes(handshakes, window, asked, threads));
    }

    Map<String, Object> json() {
        json.put("vetoes", vetoes);
        json.put("void", null);
        return json;
    }

    private Map<String, Object> group(LoadGroup group, Tally tally) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("name", group.name);
        row.put("measured", group.measured);
        row.put("threads", group.threads);
        row.put("requests", tally.requests());
        row.put("requests_per_s", perSecond(tally.requests()));
        row.put("bytes_per_s", perSecond(tally.bytes()));
        row.put("errors", tally.errors());
        row.put("first_error", tally.firstError());
        row.put("longest_us", tally.longestNanos() / 1000);
        boolean timed = tally.latencies() != null && tally.requests() > 0;
        row.put("latency_us", timed ? tally.latencies().microseconds() : null);
        row.put("latency_log", tally.latencies() == null ? null : group.name + ".hlog");
        if (!tally.errors().isEmpty()) {
            vetoes.add("Requests of group " + group.name + " failed: " + tally.errors()
                + ", the first with " + tally.firstError() + ".");
        }
        return row;
    }

    private static String seen(List<HostReading> hosts, String prefix) {
        TreeSet<String> seen = new TreeSet<>();
        hosts.forEach(host -> seen.addAll(host.seen(prefix)));
        return seen.isEmpty() ? null : String.join(", ", seen);
    }

    private BigDecimal perSecond(long count) {
        return decimal(count * NANOS_PER_S / windowNanos);
    }

    /** 0 if there was no request. */
    private static BigDecimal quotient(double total, long requests) {
        return decimal(requests == 0 ? 0 : total / requests);
    }

    private static BigDecimal decimal(double value) {
        return BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_UP);
    }
}
