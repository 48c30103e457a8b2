// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When was a lock released, and which threads are known to have had it? Both follow from the waits
 * for it: the end of a wait shows that the lock was free at that moment.
 */
final class LockHistory {
    private static final long AT_ONCE_NS = 1_000_000;

    private final long[] releasesNs;
    private final Map<Long, Named> byOwner = new HashMap<>();

    /** Takes all waits for one lock. */
    LockHistory(List<Wait> waits) {
        findWokenInVain(waits);
        releasesNs = waits.stream().filter(wait -> wait.releases).mapToLong(wait -> wait.endNs)
                .sorted().toArray();
        for (Wait wait : waits) {
            if (wait.previousOwner != Wait.NOBODY) {
                byOwner.computeIfAbsent(wait.previousOwner, owner -> new Named()).waits.add(wait);
            }
        }
        byOwner.values().forEach(Named::sort);
    }

    /**
     * A thread that an interrupt wakes in lock() parks again at once, though the lock was not
     * released. One that does so repeatedly had the lock in between, or others were faster.
     */
    private static void findWokenInVain(List<Wait> waits) {
        List<Wait> parks = waits.stream().filter(wait -> wait.kind == Activity.Kind.PARK)
                .sorted(Comparator.comparingLong((Wait wait) -> wait.thread)
                        .thenComparingLong(wait -> wait.startNs)).toList();
        for (int i = 0; i < parks.size(); i++) {
            if (isResumed(parks, i) && !isResumed(parks, i - 1) && !isResumed(parks, i + 1)) {
                parks.get(i).releases = false;
            }
        }
    }

    private static boolean isResumed(List<Wait> parks, int i) {
        return i >= 0 && i + 1 < parks.size() && parks.get(i).thread == parks.get(i + 1).thread
                && parks.get(i + 1).startNs - parks.get(i).endNs <= AT_ONCE_NS;
    }

    /** The waits that name one thread as the owner. */
    private static final class Named {
        private final List<Wait> waits = new ArrayList<>();
        private long[] endsNs;
        /** The earliest start of this wait and all that end later. */
        private long[] earliestNs;

        void sort() {
            waits.sort(Comparator.comparingLong(wait -> wait.endNs));
            endsNs = waits.stream().mapToLong(wait -> wait.endNs).toArray();
            earliestNs = new long[endsNs.length];
            long earliest = Long.MAX_VALUE;
            for (int i = endsNs.length - 1; i >= 0; i--) {
                earliest = Math.min(earliest, waits.get(i).startNs);
                earliestNs[i] = earliest;
            }
        }

        boolean anyDuring(long atNs) {
            int next = firstFrom(endsNs, atNs);
            return next < endsNs.length && earliestNs[next] < atNs;
        }
    }

    /**
     * Does any thread that was waiting when this activity ended name its thread as the owner? One
     * such waiter is enough for all: those behind it got the lock from one another.
     */
    boolean namesOwner(Activity activity) {
        Named named = byOwner.isEmpty() ? null : byOwner.get(activity.thread);
        return named != null && named.anyDuring(activity.endNs);
    }

    /**
     * Could the thread have had the lock during the whole activity? Not if it was released within.
     * A waiter that was woken just before may end its wait a little after the next owner began, so
     * the first quarter does not count, nor does the last tenth.
     */
    boolean mayHaveHeld(Activity activity) {
        int next = firstFrom(releasesNs, activity.startNs + activity.durationNs() / 4);
        return next == releasesNs.length
                || releasesNs[next] > activity.endNs - activity.durationNs() / 10;
    }

    /**
     * Since when, at the earliest, can the owner that the wait names have had the lock? Since the
     * wait began, or since the last release before it ended.
     */
    long ownedFromNs(Wait wait) {
        int next = firstFrom(releasesNs, wait.endNs);
        return next > 0 ? Math.max(wait.startNs, releasesNs[next - 1]) : wait.startNs;
    }

    /** Index of the first element that is not smaller. */
    static int firstFrom(long[] sortedNs, long atNs) {
        int low = 0;
        int high = sortedNs.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sortedNs[middle] >= atNs) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
