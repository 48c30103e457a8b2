// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** Which activities ran at a given time? Filled once, then queried often. */
final class Timeline {
    /** At most this many turns at a lock are examined within one wait. */
    static final int MAX_FOUND = 2048;

    /** Activities by length, in powers of two, so that a long one does not slow all searches. */
    private final List<List<Activity>> byLength = new ArrayList<>();

    static Timeline of(List<Activity> activities) {
        activities.sort(Comparator.comparingLong(activity -> activity.startNs));
        Timeline timeline = new Timeline();
        activities.forEach(timeline::add);
        return timeline;
    }

    /** Activities must be added in the order in which they start. */
    void add(Activity activity) {
        int length = lengthClass(activity);
        while (byLength.size() <= length) {
            byLength.add(null);
        }
        List<Activity> list = byLength.get(length);
        if (list == null) {
            list = new ArrayList<>();
            byLength.set(length, list);
        }
        list.add(activity);
    }

    /** Finds activities that overlap the span, long ones first, at most {@code most}. */
    void overlapping(long fromNs, long toNs, int most, Consumer<Activity> found) {
        int count = 0;
        for (int length = byLength.size() - 1; length >= 0 && count < most; length--) {
            List<Activity> list = byLength.get(length);
            if (list == null) {
                continue;
            }
            long longestNs = 2L << length;
            for (int i = firstFrom(list, fromNs - longestNs);
                    i < list.size() && list.get(i).startNs < toNs && count < most; i++) {
                if (list.get(i).overlaps(fromNs, toNs)) {
                    found.accept(list.get(i));
                    count++;
                }
            }
        }
    }

    private static int firstFrom(List<Activity> list, long startNs) {
        int low = 0;
        int high = list.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (list.get(middle).startNs >= startNs) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private static int lengthClass(Activity activity) {
        return 63 - Long.numberOfLeadingZeros(Math.max(1, activity.durationNs()));
    }
}
