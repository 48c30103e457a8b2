// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import tls13kit.digest.ThreadDump.Dumped;

/**
 * Where was each thread busy, and for how long? A sample (jdk.ExecutionSample) stands for its
 * period, in which the thread ran or wanted to. Without samples, thread dumps are used (11+): half
 * of the CPU time between two dumps of a thread goes to its place in each.
 */
final class BusyTime {
    /** The period of the settings shipped with the JDK, used if the recording has none. */
    private static final double USUAL_PERIOD_MS = 20;
    private static final double LEAST_MS = 500;
    private static final int MOST_THREADS = 10;
    private static final int MOST_PLACES = 20;
    /** Beyond this number, over all threads, places with no more than the mean are forgotten. */
    private static final int MAX_PLACES = 1 << 14;
    /** Threads in dumps held back for earlier ones: some MB, and seconds of most programs. */
    private static final int MAX_HELD = 1 << 12;

    private final Tally sampled = new Tally();
    private final Tally dumped = new Tally();
    /** The threads of the last dump, by id. */
    private Map<Long, Dumped> before = Map.of();
    /** Dumps by time, as the JDK writes one that fits into a thread's buffer after a larger one. */
    private final TreeMap<Long, ThreadDump> held = new TreeMap<>();
    private int heldThreads;
    private long takenNs = Long.MIN_VALUE;
    private double periodMs = USUAL_PERIOD_MS;

    /** Takes a sample. */
    void accept(Threads.Known thread, CallStack stack) {
        sampled.add(thread.id(), thread.name(), stack, 1);
    }

    /** Takes a dump of a recording; they come nearly in the order in which they were taken. */
    void accept(long atNs, ThreadDump dump) {
        if (atNs > takenNs && held.putIfAbsent(atNs, dump) == null) {
            heldThreads += dump.threads().size();
            while (heldThreads > MAX_HELD) {
                takeEarliest();
            }
        }
    }

    private void takeEarliest() {
        Map.Entry<Long, ThreadDump> earliest = held.pollFirstEntry();
        takenNs = earliest.getKey();
        heldThreads -= earliest.getValue().threads().size();
        accept(earliest.getValue());
    }

    /** Takes a dump; they come in the order in which they were taken. */
    void accept(ThreadDump dump) {
        Map<Long, Dumped> now = new HashMap<>();
        for (Dumped thread : dump.threads()) {
            if (thread.cpuMs() != ThreadDump.UNKNOWN_MS) {
                now.put(thread.thread(), thread);
                Dumped was = before.get(thread.thread());
                double usedMs = was == null ? 0 : thread.cpuMs() - was.cpuMs();
                if (usedMs > 0) {
                    dumped.add(thread.thread(), thread.name(), was.busyIn(), usedMs / 2);
                    dumped.add(thread.thread(), thread.name(), thread.busyIn(), usedMs / 2);
                }
            }
        }
        before = now;
    }

    /** Sets the time that a sample stands for; null for the period of the JDK's own settings. */
    void setPeriodMs(Double ms) {
        periodMs = ms == null ? USUAL_PERIOD_MS : ms;
    }

    List<Object> toJson() {
        while (!held.isEmpty()) {
            takeEarliest();
        }
        return sampled.isEmpty() ? dumped.toJson(1) : sampled.toJson(periodMs);
    }

    /** One thread and its places, each by its frames out to where the program entered the JDK. */
    private static final class Busy {
        private final String name;
        private final Map<List<String>, Double> places = new HashMap<>();
        private double all;

        Busy(String name) {
            this.name = name;
        }

        Object toJson(double ms) {
            return Json.object("thread", name, "busy_ms", all * ms,
                    "places", largest(places.entrySet().stream(), Map.Entry::getValue, MOST_PLACES)
                            .map(place -> Json.object("path", place.getKey(),
                                    "busy_ms", place.getValue() * ms)).toList());
        }
    }

    /** All threads, in samples or in ms. */
    private static final class Tally {
        private final Map<Long, Busy> byId = new HashMap<>();
        private int places;

        boolean isEmpty() {
            return byId.isEmpty();
        }

        void add(long id, String name, CallStack stack, double used) {
            Busy thread = byId.computeIfAbsent(id, none -> new Busy(name));
            thread.all += used;
            if (stack.frames.isEmpty()) {
                return;
            }
            List<String> path = stack.frames.subList(0, stack.entryIndex + 1);
            Double known = thread.places.get(path);
            thread.places.put(path, known == null ? used : known + used);
            if (known == null && ++places > MAX_PLACES) {
                forget();
            }
        }

        private void forget() {
            List<Busy> all = new ArrayList<>(byId.values());
            double mean = all.stream().flatMap(one -> one.places.values().stream())
                    .mapToDouble(Double::doubleValue).average().orElse(0);
            all.forEach(one -> one.places.values().removeIf(used -> used <= mean));
            byId.values().removeIf(one -> one.places.isEmpty());
            places = byId.values().stream().mapToInt(one -> one.places.size()).sum();
        }

        List<Object> toJson(double ms) {
            return largest(byId.values().stream().filter(one -> one.all * ms >= LEAST_MS),
                    one -> one.all, MOST_THREADS).map(one -> one.toJson(ms)).toList();
        }
    }

    private static <T> Stream<T> largest(Stream<T> all, ToDoubleFunction<T> size, int most) {
        return all.sorted(Comparator.comparingDouble(size).reversed()).limit(most);
    }
}
