// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How long was blocked in one place of the code, on one class of lock, and who held it? */
final class BlockedGroup {
    /** Ids past this many are counted, not listed, so that the document stays small. */
    private static final int MAX_LISTED_THREADS = 1024;
    private static final double NS_PER_MS = 1e6;

    /** One place: {@code kind} is {@code monitor} or {@code lock}. */
    record Key(String kind, String lockClass, String frame, String entryFrame) {}

    final Key key;
    /** A thread inside a frame of one of these may be the one that has the lock. */
    final Set<String> holderClasses;
    private final Histogram durations = new Histogram();
    private final SortedSet<Long> threads = new TreeSet<>();
    private final Map<Holder.Key, Holder> holders = new HashMap<>();

    BlockedGroup(Key key) {
        this.key = key;
        this.holderClasses = Stream.of(Frames.classOf(key.frame()), key.lockClass())
                .filter(name -> !Frames.isGeneral(name))
                .collect(Collectors.toUnmodifiableSet());
    }

    void add(long thread, long ns) {
        threads.add(thread);
        durations.add(ns);
    }

    Holder holder(Holder.Key holderKey) {
        return holders.computeIfAbsent(holderKey, Holder::new);
    }

    long totalNs() {
        return durations.totalNs();
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("kind", key.kind());
        json.put("lock_class", key.lockClass());
        json.put("frame", key.frame());
        json.put("entry_frame", key.entryFrame());
        json.put("count", durations.count());
        json.put("total_ms", durations.totalNs() / NS_PER_MS);
        json.put("p50_ms", durations.percentileNs(0.50) / NS_PER_MS);
        json.put("p99_ms", durations.percentileNs(0.99) / NS_PER_MS);
        json.put("max_ms", durations.maxNs() / NS_PER_MS);
        json.put("threads", threads.size());
        json.put("thread_ids", threads.stream().limit(MAX_LISTED_THREADS).toList());
        List<Object> list = new ArrayList<>();
        holders.values().stream()
                .sorted(Comparator.comparingLong(Holder::explainedNs).reversed())
                .forEach(holder -> list.add(holder.toJson()));
        json.put("holders", list);
        return json;
    }
}
