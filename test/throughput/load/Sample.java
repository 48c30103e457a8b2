// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How is one sample taken? Warm up, read the counters, measure, read them again. */
final class Sample {
    private final LoadPlan plan;
    private final Crew crew;

    Sample(LoadPlan plan, LoadClient client) {
        this.plan = plan;
        crew = new Crew(plan, client);
    }

    /**
     * Takes the sample; afterwards the threads still run, and the JVM should end.
     *
     * @return what sample.json says of it
     * @throws VoidSample where there is nothing to report; the message is the reason
     */
    Map<String, Object> take() throws VoidSample, InterruptedException, IOException {
        List<HostReading> before = read();
        crew.start();
        crew.work(plan.warmUpMs);
        List<HostReading> begin = read();
        Costs costsBefore = Costs.now();
        long beginMs = System.currentTimeMillis();
        long beginNanos = System.nanoTime();
        crew.openWindow();
        crew.work(plan.measureMs);
        crew.shutWindow();
        long nanos = System.nanoTime() - beginNanos;
        long endMs = System.currentTimeMillis();
        Costs costs = Costs.now().since(costsBefore);
        Map<LoadGroup, Tally> tallies = crew.tallies();
        List<HostReading> end = read();
        SampleReport report = new SampleReport(plan, nanos, tallies);
        report.hosts(since(before, end), since(begin, end));
        report.costs(costs);
        for (Map.Entry<LoadGroup, Tally> entry : tallies.entrySet()) {
            Latencies latencies = entry.getValue().latencies();
            if (latencies != null) {
                latencies.log(
                    new File(plan.out, entry.getKey().name + ".hlog"), beginMs, endMs);
            }
        }
        return report.json();
    }

    private List<HostReading> read() throws VoidSample {
        List<HostReading> readings = new ArrayList<>();
        for (LoadHost host : plan.hosts.values()) {
            try {
                readings.add(HostReading.of(host));
            } catch (IOException e) {
                throw new VoidSample(e.getMessage());
            }
        }
        return readings;
    }

    private static List<HostReading> since(List<HostReading> begin, List<HostReading> end) {
        List<HostReading> differences = new ArrayList<>();
        for (int i = 0; i < end.size(); i++) {
            differences.add(end.get(i).since(begin.get(i)));
        }
        return differences;
    }
}
