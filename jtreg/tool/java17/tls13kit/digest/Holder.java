// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What were the holders of a lock doing, and how much of the others' waiting does that explain?
 * Holders in the same call to the same peer are one entry.
 */
final class Holder {
    /** Further names are left out: some programs have a thread for each request. */
    private static final int MAX_NAMES = 1000;

    /**
     * Where in the code a holder was. Equal places of a group are one object.
     *
     * @param path frames from the wait out to the frame that holds the lock, both included
     * @param waitsIn the most informative of these frames
     */
    record Place(List<String> path, String waitsIn) {}

    /**
     * What identifies one entry.
     *
     * @param inferred whether the holder was found only by what it did at that time, and not named
     *     by the recording
     */
    record Key(Activity.Kind kind, Place place, String host, int port, boolean inferred) {
        Key withoutPeer() {
            return new Key(kind, place, null, 0, inferred);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && kind == key.kind && place == key.place
                    && port == key.port && inferred == key.inferred
                    && Objects.equals(host, key.host);
        }

        /** Without the frames, for speed: a key is made for each moment that is explained. */
        @Override
        public int hashCode() {
            return 31 * (31 * System.identityHashCode(place) + port) + kind.ordinal();
        }
    }

    final Key key;
    private final Map<String, Long> explainedNsByName = new HashMap<>();
    private final LongMap threads = new LongMap();
    private final Set<Activity> countedElsewhereToo =
            Collections.newSetFromMap(new IdentityHashMap<>());
    private long count;
    private long bytes;
    private long timeoutMs;
    private long explainedNs;

    Holder(Key key) {
        this.key = key;
    }

    void explain(Activity activity, long ns) {
        explainedNs += ns;
        if (explainedNsByName.size() < MAX_NAMES
                || explainedNsByName.containsKey(activity.threadName)) {
            explainedNsByName.merge(activity.threadName, ns, Long::sum);
        }
        threads.add(activity.thread);
        Holder first = activity.firstCountedIn(this);
        if (first == null || first != this && countedElsewhereToo.add(activity)) {
            count++;
            if (activity.io != null) {
                bytes += activity.io.bytes();
                timeoutMs = Math.max(timeoutMs, activity.io.timeoutMs());
            }
        }
    }

    /** Adds all that another entry explains; no activity is in both. */
    void add(Holder other) {
        explainedNs += other.explainedNs;
        other.explainedNsByName.forEach(
                (name, ns) -> explainedNsByName.merge(name, ns, Long::sum));
        for (long thread : other.threads.smallest(Integer.MAX_VALUE)) {
            threads.add(thread);
        }
        count += other.count;
        bytes += other.bytes;
        timeoutMs = Math.max(timeoutMs, other.timeoutMs);
    }

    void forgetBut(Predicate<Activity> wanted) {
        countedElsewhereToo.removeIf(wanted.negate());
    }

    long explainedNs() {
        return explainedNs;
    }

    Map<String, Object> toJson() {
        List<String> path = key.place().path();
        return Json.object(
                "thread", explainedNsByName.entrySet().stream()
                        .max(Map.Entry.<String, Long>comparingByValue()
                                .thenComparing(Map.Entry.comparingByKey()))
                        .map(Map.Entry::getKey).orElse(Frames.UNKNOWN),
                "threads", threads.size(), "frame", path.get(path.size() - 1),
                "waits_in", key.place().waitsIn(), "path", path, "event", key.kind().event,
                "host", key.host(), "port", key.port() == 0 ? null : key.port(), "bytes", bytes,
                "timeout_ms", timeoutMs, "count", count,
                "explained_ms", explainedNs / Times.NS_PER_MS, "inferred", key.inferred());
    }
}
