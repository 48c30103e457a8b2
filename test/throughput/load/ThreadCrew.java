// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Threads of this JVM that share one client; they start and are counted together. */
final class ThreadCrew implements Crew {
    private static final long PAUSE_TIMEOUT_MS = 30_000;

    /** What all threads ask with. */
    final LoadClient client;
    private final Map<LoadGroup, List<Worker>> workers = new LinkedHashMap<>();
    private final CountDownLatch anyBroken = new CountDownLatch(1);
    private final Gate gate = new Gate();
    private volatile Throwable broken;

    ThreadCrew(LoadPlan plan, LoadClient client) {
        this.client = client;
        long begin = System.nanoTime();
        int measured = 0;
        for (LoadGroup group : plan.groups) {
            List<Worker> ofGroup = new ArrayList<>();
            for (int i = 0; i < group.threads; i++) {
                Pace pace = Pace.closed(group.thinkMs);
                if (plan.openLoop && group.measured) {
                    // Each thread has its share of the rate: they begin one step apart.
                    long step = TimeUnit.SECONDS.toNanos(1) / plan.ratePerSecond;
                    pace = Pace.open(begin + measured++ * step, plan.measuredThreads() * step);
                }
                ofGroup.add(new Worker(client, group, pace, gate, this::ended));
            }
            workers.put(group, ofGroup);
        }
    }

    @Override
    public void start() {
        workers.forEach((group, ofGroup) -> {
            for (int i = 0; i < ofGroup.size(); i++) {
                TlsPeer.daemon(group.name + "-" + (i + 1), ofGroup.get(i)).start();
            }
        });
    }

    @Override
    public void work(long ms) throws InterruptedException, VoidSample {
        if (anyBroken.await(ms, TimeUnit.MILLISECONDS)) {
            throw new VoidSample("a thread of the load broke: " + broken);
        }
    }

    /** Lets each thread end its request; none begins another. */
    @Override
    public void pause() throws InterruptedException, VoidSample {
        int threads = workers.values().stream().mapToInt(List::size).sum();
        boolean paused = gate.shut(threads, PAUSE_TIMEOUT_MS);
        work(0);
        if (!paused) {
            throw new VoidSample("a request has not ended after " + PAUSE_TIMEOUT_MS + " ms");
        }
    }

    @Override
    public void workAndPause(long ms) throws InterruptedException, VoidSample {
        gate.open();
        work(ms);
        pause();
    }

    @Override
    public void openWindow() {
        workers.values().forEach(ofGroup -> ofGroup.forEach(worker -> worker.tally.open()));
    }

    @Override
    public void shutWindow() {
        workers.values().forEach(ofGroup -> ofGroup.forEach(
            worker -> worker.tally.shut(worker.ageNanos())));
    }

    @Override
    public long requests() {
        return workers.entrySet().stream().filter(entry -> entry.getKey().measured)
            .flatMap(entry -> entry.getValue().stream())
            .mapToLong(worker -> worker.tally.requests()).sum();
    }

    @Override
    public Map<LoadGroup, Tally> tallies() {
        Map<LoadGroup, Tally> sums = new LinkedHashMap<>();
        workers.forEach((group, ofGroup) -> {
            Tally sum = new Tally();
            ofGroup.forEach(worker -> sum.add(worker.tally));
            sums.put(group, sum);
        });
        return sums;
    }

    private void ended(Throwable what) {
        broken = what;
        anyBroken.countDown();
    }
}
