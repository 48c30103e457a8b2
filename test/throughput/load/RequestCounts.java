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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * What does one request take, counted? Some more requests of the measured group, one after the
 * other, once the figures of time are taken. No other work changes these counts. Of connections
 * that stay, the first does not count.
 *
 * <p>What a request allocates is the least of many: one step of the compiler takes 5 % off a
 * handshake, and on a busy machine some JVMs have not taken it when their turns are over.
 */
final class RequestCounts {
    static final String ALLOCATED = "allocated_bytes_per_request";
    private static final int FIRST = 2;
    /** The least of short batches differs by 2 %, as some requests allocate more than others. */
    private static final int LEAST_OF_BATCH = 5;
    private static final long LEAST_NANOS_OF_BATCH = 100_000_000;
    private static final int MOST_BATCHES = 20;
    private static final int LEAST_BATCHES = 2;
    private static final int MOST_TAPPED = 20;
    private static final int LEAST_TAPPED = 3;
    /** With larger bodies, fewer requests. */
    private static final long MOST_BYTES = 16 * 1024 * 1024;
    private static final long MOST_SECONDS = 15;

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
     * Puts {@code wire} into a sample, which has only {@code failure} if records could not be
     * counted; and what a request allocates, if that is less than in the turns, or if it is a
     * service's: in a turn h2load's connections are new.
     */
    static void put(Map<String, Object> sample, Crew crew, LoadPlan plan, LoadSettings settings) {
        Map<String, Object> wire = Collections.emptyMap();
        BigDecimal turns = (BigDecimal) sample.get(ALLOCATED);
        if (plan.costsOfHosts && plan.pauses) {
            sample.put(ALLOCATED, null);
        }
        if (plan.countsRequests()) {
            RequestCounts counts = new RequestCounts(
                client(crew, settings), plan.measuredGroup(), plan.costsOfHosts);
            try {
                BigDecimal least = counts.allocatedBytes();
                sample.put(ALLOCATED,
                    plan.costsOfHosts || turns.signum() == 0 ? least : least.min(turns));
                wire = counts.wire();
            } catch (Exception e) {
                wire = Collections.singletonMap("failure", e.toString());
            }
        }
        sample.put("wire", wire);
    }

    private static LoadClient client(Crew crew, LoadSettings settings) {
        if (crew instanceof ThreadCrew) {
            return ((ThreadCrew) crew).client;
        }
        HttpsUrlConnectionClient client = new HttpsUrlConnectionClient();
        client.prepare(settings);
        return client;
    }

    /** By a thread of its own: the one that reads the counter is not counted. */
    private BigDecimal allocatedBytes() throws Exception {
        if (!ofService && !Costs.countsAllocationAtOnce()) {
            return BigDecimal.ZERO;
        }
        ExecutorService asker = Executors.newSingleThreadExecutor();
        try {
            long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
            asker.submit(() -> ask(group.target, FIRST)).get();
            BigDecimal least = null;
            for (int i = 0; i < LEAST_BATCHES
                    || i < MOST_BATCHES && System.nanoTime() < endNanos; i++) {
                long begin = readAllocated();
                int requests = asker.submit(this::askBatch).get();
                BigDecimal bytes = quotient(readAllocated() - begin, requests);
                least = least == null ? bytes : least.min(bytes);
            }
            return least;
        } finally {
            asker.shutdown();
        }
    }

    private long readAllocated() throws IOException {
        return ofService
            ? group.host.peer().get("cost.allocated_bytes") : Costs.allocatedBytesNow();
    }

    private int askBatch() throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + LEAST_NANOS_OF_BATCH;
        int requests = 0;
        while (requests < LEAST_OF_BATCH || System.nanoTime() < endNanos) {
            client.exchange(group.target);
            requests++;
        }
        return requests;
    }

    private Void ask(LoadTarget target, int times) throws IOException, InterruptedException {
        for (int i = 0; i < times; i++) {
            client.exchange(target);
        }
        return null;
    }

    /** Nothing without TLS, which has no records. */
    private Map<String, Object> wire() throws IOException, InterruptedException {
        Map<String, Object> counts = new LinkedHashMap<>();
        URL url = group.target.url;
        if (url.getProtocol().equals("https")) {
            try (WireTap tap = new WireTap(new InetSocketAddress(url.getHost(), url.getPort()))) {
                LoadTarget target = new LoadTarget(
                    new URL(url.getProtocol(), url.getHost(), tap.port(), url.getFile()),
                    group.target.readTimeoutMs, group.target.requestBodyBytes,
                    group.target.closeAfter);
                ask(target, FIRST);
                count(target, tap, counts);
            }
        }
        return counts;
    }

    private void count(LoadTarget target, WireTap tap, Map<String, Object> counts)
            throws IOException, InterruptedException {
        long bytes = Math.max(1, target.requestBodyBytes + group.replyBytes);
        int exchanges = (int) Math.max(LEAST_TAPPED, Math.min(MOST_TAPPED, MOST_BYTES / bytes));
        WireTap.Passed begin = tap.passed();
        WireTap.Passed last = begin;
        long fewest = Long.MAX_VALUE;
        for (int i = 0; i < exchanges; i++) {
            client.exchange(target);
            WireTap.Passed now = tap.passed();
            fewest = Math.min(fewest, now.roundTrips - last.roundTrips);
            last = now;
        }
        counts.put("exchanges", exchanges);
        counts.put("records_per_request", quotient(last.records - begin.records, exchanges));
        counts.put("bytes_per_request", quotient(last.bytes - begin.bytes, exchanges));
        // The fewest: a ticket that comes late, between two records of a client, is none.
        counts.put("round_trips_per_request", fewest);
    }

    private static BigDecimal quotient(long count, int requests) {
        return BigDecimal.valueOf((double) count / requests).setScale(3, RoundingMode.HALF_UP);
    }
}
