// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.Map;
import java.util.TreeMap;

/** What came of one thread's requests in the window, or of a whole group's, added up? */
final class Tally {
    private final Latencies latencies = Latencies.ifPossible();
    private final Map<String, Long> errors = new TreeMap<>();
    private long requests;
    private long bytes;
    private long longestNanos;
    private String firstError;
    private boolean counting;

    /** From now on, counts requests that end. */
    synchronized void open() {
        counting = true;
    }

    /** Stops counting; records the age of a request under way if no other took as long. */
    synchronized void shut(long ageNanos) {
        counting = false;
        if (ageNanos > longestNanos) {
            took(ageNanos);
        }
    }

    synchronized void completed(long nanos, long bodyBytes) {
        if (counting) {
            requests++;
            bytes += bodyBytes;
            took(nanos);
        }
    }

    /** Counts requests of another program, which does not report how long each took. */
    synchronized void completed(long count, long bodyBytes, Map<String, Long> failures) {
        if (counting) {
            requests += count;
            bytes += bodyBytes;
            failures.forEach((kind, number) -> errors.merge(kind, number, Long::sum));
        }
    }

    synchronized void failed(Exception e) {
        if (counting) {
            errors.merge(e.getClass().getSimpleName(), 1L, Long::sum);
            firstError = firstError == null ? e.toString() : firstError;
        }
    }

    /** Adds a tally that is shut. */
    synchronized void add(Tally other) {
        requests += other.requests;
        bytes += other.bytes;
        longestNanos = Math.max(longestNanos, other.longestNanos);
        firstError = firstError == null ? other.firstError : firstError;
        other.errors.forEach((kind, count) -> errors.merge(kind, count, Long::sum));
        if (latencies != null) {
            latencies.add(other.latencies);
        }
    }

    synchronized long requests() {
        return requests;
    }

    long bytes() {
        return bytes;
    }

    long longestNanos() {
        return longestNanos;
    }

    Map<String, Long> errors() {
        return errors;
    }

    String firstError() {
        return firstError;
    }

    /** @return null without HdrHistogram */
    Latencies latencies() {
        return latencies;
    }

    private void took(long nanos) {
        longestNanos = Math.max(longestNanos, nanos);
        if (latencies != null) {
            latencies.record(nanos);
        }
    }
}
