// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When was a lock let go, and which threads are known to have had it? Both are read from the waits
 * for it: a wait that ended shows that the lock was free at that moment.
 */
final class LockHistory {
    private final Map<Wait.Lock, long[]> releasesNs = new HashMap<>();
    private final Map<Wait.Lock, Map<Long, List<Wait>>> waitsByOwner = new HashMap<>();

    LockHistory(List<Wait> waits) {
        Map<Wait.Lock, Integer> counts = new HashMap<>();
        for (Wait wait : waits) {
            if (wait.previousOwner() != Wait.NOBODY) {
                waitsByOwner.computeIfAbsent(wait.lock(), lock -> new HashMap<>())
                        .computeIfAbsent(wait.previousOwner(), owner -> new ArrayList<>())
                        .add(wait);
            }
            if (wait.releases()) {
                counts.merge(wait.lock(), 1, Integer::sum);
            }
        }
        counts.forEach((lock, count) -> releasesNs.put(lock, new long[count]));
        for (Wait wait : waits) {
            if (wait.releases()) {
                int left = counts.merge(wait.lock(), -1, Integer::sum);
                releasesNs.get(wait.lock())[left] = wait.endNs();
            }
        }
        releasesNs.values().forEach(Arrays::sort);
    }

    /**
     * Is the thread named as the owner by anybody who was waiting when this activity ended? One
     * waiter that names it is enough for all: those behind it had the lock from one another.
     */
    boolean namesOwner(Activity activity, Wait.Lock lock) {
        Map<Long, List<Wait>> owners = waitsByOwner.get(lock);
        if (owners != null) {
            for (Wait wait : owners.getOrDefault(activity.thread, List.of())) {
                if (wait.startNs() < activity.endNs && activity.endNs <= wait.endNs()) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Could the thread have had the lock during all of this? Not if the lock was let go within. A
     * waiter that was woken just before may end its wait a little after the next owner began, so
     * the first quarter does not count, nor the last tenth.
     */
    boolean mayHaveHeld(Activity activity, Wait.Lock lock) {
        long[] released = releasesNs.get(lock);
        if (released == null) {
            return true;
        }
        int next = firstFrom(released, activity.startNs + activity.durationNs() / 4);
        return next == released.length
                || released[next] > activity.endNs - activity.durationNs() / 10;
    }

    /**
     * Did this fill most of the time in which the owner that the wait names can have had the lock?
     * That is at most the time since the lock was let go before, by whoever had it then.
     */
    boolean fillsOwnership(Activity activity, Wait wait) {
        long fromNs = wait.startNs();
        long[] released = releasesNs.get(wait.lock());
        int next = released == null ? 0 : firstFrom(released, wait.endNs());
        if (next > 0) {
            fromNs = Math.max(fromNs, released[next - 1]);
        }
        long filledNs = activity.endNs - Math.max(fromNs, activity.startNs);
        return activity.endNs <= wait.endNs() && 2 * filledNs >= wait.endNs() - fromNs;
    }

    private static int firstFrom(long[] sortedNs, long atNs) {
        int at = Arrays.binarySearch(sortedNs, atNs);
        return at < 0 ? -at - 1 : at;
    }
}
