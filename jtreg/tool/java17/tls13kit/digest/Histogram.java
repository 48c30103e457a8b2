// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

/**
 * How are durations distributed? Counts them in buckets 1 % wide, so that any number of them takes
 * the same memory; a percentile is accurate to half a bucket.
 */
final class Histogram {
    private static final double WIDTH = Math.log(1.01);
    private static final int BUCKETS = (int) (Math.log(Long.MAX_VALUE) / WIDTH) + 1;

    private final int[] counts = new int[BUCKETS];
    private long count;
    private long totalNs;
    private long maxNs;

    void add(long ns) {
        counts[bucket(ns)]++;
        count++;
        totalNs += ns;
        maxNs = Math.max(maxNs, ns);
    }

    long count() {
        return count;
    }

    long totalNs() {
        return totalNs;
    }

    long maxNs() {
        return maxNs;
    }

    /** The duration in nanoseconds that {@code share} (0 to 1) of the durations do not exceed. */
    long percentileNs(double share) {
        long rank = Math.max(1, (long) Math.ceil(share * count));
        long seen = 0;
        for (int i = 0; i < BUCKETS; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return Math.min(maxNs, Math.round(Math.exp((i + 0.5) * WIDTH)));
            }
        }
        return maxNs;
    }

    private static int bucket(long ns) {
        return ns <= 1 ? 0 : (int) (Math.log(ns) / WIDTH);
    }
}
