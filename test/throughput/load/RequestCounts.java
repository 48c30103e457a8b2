// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What does one request take, counted? Some more requests of the measured group, one after the
 * other, once the figures of time are taken: records, bytes and round trips through a
 * {@link WireTap}, and what a service allocates, which in a turn has connections of its own. No
 * other work changes these counts. Of connections that stay, the first does not count.
 */
final class RequestCounts {
    private static final int FIRST = 2;
    private static final int MOST_EXCHANGES = 30;
    private static final int LEAST_EXCHANGES = 3;
    /** With larger bodies, fewer requests. */
    private static final long MOST_BYTES = 16 * 1024 * 1024;
    private static final long MOST_SECONDS = 10;

    private final LoadClient client;
    private final LoadGroup group;
    private final boolean ofService;

    private RequestCounts(LoadClient client, LoadGroup group, boolean ofService) {
        this.client = client;
        this.group = group;
        this.ofService = ofService;
    }

    /**
     * Threads of this JVM ask with their own client, a program's requests are made in its place.
     * Puts {@code wire} into a sample, which has only {@code failure} if there are no counts, and
     * what the service allocates in place of what it did in turns.
     */
    static void put(Map<String, Object> sample, Crew crew, LoadPlan plan, LoadSettings settings) {
        Map<String, Object> counts = Collections.emptyMap();
        try {
            if (plan.countsRequests()) {
                counts = new RequestCounts(
                    client(crew, settings), plan.measuredGroup(), plan.costsOfHosts).count();
            }
        } catch (Exception e) {
            counts = Collections.singletonMap("failure", e.toString());
        }
        sample.put("wire", counts);
        if (plan.costsOfHosts && plan.turns != null) {
            sample.put("allocated_bytes_per_request", counts.get("allocated_bytes_per_request"));
        }
    }

    private static LoadClient client(Crew crew, LoadSettings settings) {
        if (crew instanceof ThreadCrew) {
            return ((ThreadCrew) crew).client;
        }
        HttpsUrlConnectionClient client = new HttpsUrlConnectionClient();
        client.prepare(settings);
        return client;
    }

    private Map<String, Object> count() throws IOException, InterruptedException {
        URL url = group.target.url;
        if (!url.getProtocol().equals("https")) {
            return count(group.target, null);
        }
        try (WireTap tap = new WireTap(new InetSocketAddress(url.getHost(), url.getPort()))) {
            URL tapped = new URL(url.getProtocol(), url.getHost(), tap.port(), url.getFile());
            return count(new LoadTarget(tapped, group.target.readTimeoutMs,
                group.target.requestBodyBytes, group.target.closeAfter), tap);
        }
    }

    /** @param tap null without TLS, which has no records */
    private Map<String, Object> count(LoadTarget target, WireTap tap)
            throws IOException, InterruptedException {
        for (int i = 0; i < FIRST; i++) {
            client.exchange(target);
        }
        long wanted = Math.max(LEAST_EXCHANGES, Math.min(MOST_EXCHANGES,
            MOST_BYTES / Math.max(1, target.requestBodyBytes + group.replyBytes)));
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        long beginBytes = allocatedBytes();
        WireTap.Passed begin = tap == null ? new WireTap.Passed(0, 0, 0) : tap.passed();
        WireTap.Passed last = begin;
        long fewest = Long.MAX_VALUE;
        int exchanges = 0;
        while (exchanges < LEAST_EXCHANGES
                || exchanges < wanted && System.nanoTime() < endNanos) {
            client.exchange(target);
            exchanges++;
            if (tap != null) {
                WireTap.Passed now = tap.passed();
                fewest = Math.min(fewest, now.roundTrips - last.roundTrips);
                last = now;
            }
        }
        Map<String, Object> counts = new LinkedHashMap<>();
        counts.put("exchanges", exchanges);
        if (ofService) {
            counts.put("allocated_bytes_per_request",
                mean(allocatedBytes() - beginBytes, exchanges));
        }
        if (tap != null) {
            counts.put("records_per_request", mean(last.records - begin.records, exchanges));
            counts.put("bytes_per_request", mean(last.bytes - begin.bytes, exchanges));
            // The fewest: a ticket that comes late, between two records of a client, is none.
            counts.put("round_trips_per_request", fewest);
        }
        return counts;
    }

    private long allocatedBytes() throws IOException {
        return ofService ? group.host.peer().get("cost.allocated_bytes") : 0;
    }

    private static BigDecimal mean(long count, int exchanges) {
        return BigDecimal.valueOf((double) count / exchanges).setScale(3, RoundingMode.HALF_UP);
    }
}
