// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** How often and how long did how many threads wait at one place of the code, for one thing? */
class WaitTotal {
    /** Further ids are counted but not listed, so that the document stays small. */
    private static final int MAX_LISTED_THREADS = 1024;

    private final LongMap threads = new LongMap();
    private long count;
    private long totalNs;
    private long maxNs;

    void add(long thread, long ns) {
        threads.add(thread);
        count++;
        totalNs += ns;
        maxNs = Math.max(maxNs, ns);
    }

    /** Adds all that another one counts; no wait is in both. */
    void addAll(WaitTotal other) {
        for (long thread : other.threads.smallest(Integer.MAX_VALUE)) {
            threads.add(thread);
        }
        count += other.count;
        totalNs += other.totalNs;
        maxNs = Math.max(maxNs, other.maxNs);
    }

    long totalNs() {
        return totalNs;
    }

    List<Long> threadIds() {
        return Arrays.stream(threads.smallest(MAX_LISTED_THREADS)).boxed().toList();
    }

    /** Takes the names and values by which these waits differ from those of other places. */
    Map<String, Object> toJson(Object... namesAndValues) {
        Map<String, Object> json = Json.object(namesAndValues);
        json.putAll(Json.object(
                "count", count, "total_ms", totalNs / Times.NS_PER_MS,
                "max_ms", maxNs / Times.NS_PER_MS, "threads", threads.size()));
        return json;
    }
}
