// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What did the holders of a lock sit in, and how much of the others' waiting does that explain?
 * Holders that sat in the same call to the same peer are one entry.
 */
final class Holder {
    private static final double NS_PER_MS = 1e6;

    /**
     * What makes one entry.
     *
     * @param path frames from the wait out to the frame that holds the lock, both included
     * @param inferred whether the holder was found from what it did at that time only, or named
     *     by the recording
     */
    record Key(String event, List<String> path, String waitsIn, String host, int port,
            boolean inferred) {}

    private final Key key;
    private final Map<String, Long> explainedNsByName = new HashMap<>();
    private final Set<Long> threads = new HashSet<>();
    private final Set<Activity> activities = Collections.newSetFromMap(new IdentityHashMap<>());
    private long explainedNs;

    Holder(Key key) {
        this.key = key;
    }

    void explain(Activity activity, long ns) {
        explainedNs += ns;
        explainedNsByName.merge(activity.threadName(), ns, Long::sum);
        threads.add(activity.thread());
        activities.add(activity);
    }

    long explainedNs() {
        return explainedNs;
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("thread", explainedNsByName.entrySet().stream()
                .max(Map.Entry.<String, Long>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey).orElse(Frames.UNKNOWN));
        json.put("threads", threads.size());
        json.put("frame", key.path().get(key.path().size() - 1));
        json.put("waits_in", key.waitsIn());
        json.put("path", key.path());
        json.put("event", key.event());
        json.put("host", key.host());
        json.put("port", key.port() == 0 ? null : key.port());
        json.put("bytes", activities.stream().mapToLong(Activity::bytes).sum());
        json.put("timeout_ms",
                activities.stream().mapToLong(Activity::timeoutMs).max().orElse(0));
        json.put("count", activities.size());
        json.put("explained_ms", explainedNs / NS_PER_MS);
        json.put("inferred", key.inferred());
        return json;
    }
}
