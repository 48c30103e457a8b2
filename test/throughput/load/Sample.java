// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** How is one sample taken? Warm up, read the counters, measure, read them again. */
final class Sample {
    private final LoadPlan plan;
    private final Crew crew;
    private final Set<CpuTime> threads = Collections.singleton(new CpuTime(CpuTime.SELF));

    Sample(LoadPlan plan, Crew crew) {
        this.plan = plan;
        this.crew = crew;
    }

    /**
     * Takes the sample. Its threads may still be running afterwards, so the JVM should end.
     *
     * @return the content of sample.json
     * @throws VoidSample if there is nothing to report; the message is the reason
     */
    Map<String, Object> take() throws VoidSample, InterruptedException, IOException {
        List<HostReading> before = read();
        crew.start();
        return plan.turns == null ? inOneGo(before) : inTurns(before);
    }

    private Map<String, Object> inOneGo(List<HostReading> before)
            throws VoidSample, InterruptedException, IOException {
        crew.work(plan.warmUpMs);
        List<HostReading> begin = read();
        long beginMs = System.currentTimeMillis();
        Window window = measure(begin, () -> crew.work(plan.measureMs));
        return report(HostReading.differences(before, begin), window, beginMs);
    }

    private Map<String, Object> inTurns(List<HostReading> before)
            throws VoidSample, InterruptedException, IOException {
        if (plan.pauses) {
            crew.pause();
        }
        // Turn by turn: between the turns of this JVM, others use the same hosts.
        List<HostReading> warmUp = HostReading.differences(before, read());
        Window window = null;
        long beginMs = System.currentTimeMillis();
        try (Turns turns = new Turns(plan.turns)) {
            for (Turns.Turn turn = turns.next(requests(warmUp)); turn != null;
                    turn = turns.next(requests(warmUp))) {
                long ms = turn.ms;
                Work work = plan.pauses ? () -> crew.workAndPause(ms) : () -> crew.work(ms);
                List<HostReading> begin = read();
                if (!plan.pauses && window == null) {
                    warmUp = HostReading.differences(before, begin);    // it has worked all the time
                }
                if (turn.counts) {
                    Window measured = measure(begin, work);
                    window = window == null ? measured : window.plus(measured);
                } else {
                    work.run();
                    warmUp = HostReading.sums(warmUp, HostReading.differences(begin, read()));
                    beginMs = System.currentTimeMillis();
                }
            }
        }
        if (window == null) {
            throw new VoidSample("it was given no turn that counts");
        }
        return report(warmUp, window, beginMs);
    }

    private Window measure(List<HostReading> begin, Work work)
            throws VoidSample, InterruptedException {
        long requestsBefore = crew.requests();
        Costs before = Costs.now(threads);
        long beginNanos = System.nanoTime();
        crew.openWindow();
        work.run();
        crew.shutWindow();
        long nanos = System.nanoTime() - beginNanos;
        Costs costs = Costs.now(threads).since(before);
        List<HostReading> hosts = HostReading.differences(begin, read());
        long bytes = plan.costsOfHosts ? Costs.of(hosts).allocatedBytes : costs.allocatedBytes;
        boolean counts = !plan.pauses || Costs.countsAllocationAtOnce();
        long requests = counts ? crew.requests() - requestsBefore : 0;
        return new Window(nanos, costs, hosts, bytes, requests);
    }

    private Map<String, Object> report(List<HostReading> warmUp, Window window, long beginMs)
            throws IOException {
        long endMs = System.currentTimeMillis();
        Map<LoadGroup, Tally> tallies = crew.tallies();
        for (Map.Entry<LoadGroup, Tally> entry : tallies.entrySet()) {
            Latencies latencies = entry.getValue().latencies();
            if (latencies != null) {
                latencies.log(
                    new File(plan.out, entry.getKey().name + ".hlog"), beginMs, endMs);
            }
        }
        List<HostReading> handshakes = HostReading.sums(warmUp, window.hosts);
        Map<String, Object> json = new SampleReport(plan, window, tallies, handshakes).json();
        json.put("warm_up_requests", requests(warmUp));
        return json;
    }

    private static long requests(List<HostReading> hosts) {
        return hosts.stream().mapToLong(host -> host.peer.get("requests")).sum();
    }

    private List<HostReading> read() throws VoidSample {
        return HostReading.all(plan.hosts.values());
    }

    /** The work that is measured. */
    private interface Work {
        void run() throws VoidSample, InterruptedException;
    }
}
