// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Who does the work of a sample? All its threads: they start and are counted together. */
final class Crew {
    private static final long PAUSE_TIMEOUT_MS = 30_000;

    private final Map<LoadGroup, List<Worker>> workers = new LinkedHashMap<>();
    private final CountDownLatch anyBroken = new CountDownLatch(1);
    private final Gate gate = new Gate();
    private volatile Throwable broken;

    Crew(LoadPlan plan, LoadClient client) {
        long begin = System.nanoTime();
        int measured = 0;
        for (LoadGroup group : plan.groups) {
            List<Worker> ofGroup = new ArrayList<>();
            for (int i = 0; i < group.threads; i++) {
                Pace pace = Pace.closed(group.thinkMs);
                if (plan.openLoop && group.measured) {
                    // Each thread has its share of the rate, one after the other.
                    long step = TimeUnit.SECONDS.toNanos(1) / plan.ratePerSecond;
                    pace = Pace.open(begin + measured++ * step, plan.measuredThreads() * step);
                }
                ofGroup.add(new Worker(client, group, pace, gate, this::ended));
            }
            workers.put(group, ofGroup);
        }
    }

    void start() {
        workers.forEach((group, ofGroup) -> {
            for (int i = 0; i < ofGroup.size(); i++) {
                TlsPeer.daemon(group.name + "-" + (i + 1), ofGroup.get(i)).start();
            }
        });
    }

    /**
     * Lets the threads work.
     *
     * @throws VoidSample where one of them broke meanwhile
     */
    void work(long ms) throws InterruptedException, VoidSample {
        if (anyBroken.await(ms, TimeUnit.MILLISECONDS)) {
            throw new VoidSample("a thread of the load broke: " + broken);
        }
    }

    /**
     * Lets every thread end its request and begin no other.
     *
     * @throws VoidSample where one of them broke, or does not end its request
     */
    void pause() throws InterruptedException, VoidSample {
        int threads = workers.values().stream().mapToInt(List::size).sum();
        boolean paused = gate.shut(threads, PAUSE_TIMEOUT_MS);
        work(0);
        if (!paused) {
            throw new VoidSample("a request has not ended after " + PAUSE_TIMEOUT_MS + " ms");
        }
    }

    /** Lets the threads work after a pause, and pause again. */
    void workAndPause(long ms) throws InterruptedException, VoidSample {
        gate.open();
        work(ms);
        pause();
    }

    void openWindow() {
        workers.values().forEach(ofGroup -> ofGroup.forEach(worker -> worker.tally.open()));
    }

    /** Ends the window; the threads go on, but nothing counts any more. */
    void shutWindow() {
        workers.values().forEach(ofGroup -> ofGroup.forEach(
            worker -> worker.tally.shut(worker.ageNanos())));
    }

    /** What came of each group's requests, once the window is shut. */
    Map<LoadGroup, Tally> tallies() {
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
