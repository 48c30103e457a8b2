// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** Which activities ran at a given time? Sorted once, then asked often. */
final class Timeline {
    private final List<Activity> byStart = new ArrayList<>();
    private long[] latestEndNs;

    void add(Activity activity) {
        byStart.add(activity);
    }

    void overlapping(Wait wait, Consumer<Activity> found) {
        if (latestEndNs == null) {
            sort();
        }
        // The latest end so far never falls, so a binary search finds where overlap can begin.
        int low = 0;
        int high = latestEndNs.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (latestEndNs[middle] > wait.startNs()) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        for (int i = low; i < byStart.size() && byStart.get(i).startNs() < wait.endNs(); i++) {
            if (byStart.get(i).overlaps(wait)) {
                found.accept(byStart.get(i));
            }
        }
    }

    private void sort() {
        byStart.sort(Comparator.comparingLong(Activity::startNs));
        latestEndNs = new long[byStart.size()];
        long latestNs = Long.MIN_VALUE;
        for (int i = 0; i < latestEndNs.length; i++) {
            latestNs = Math.max(latestNs, byStart.get(i).endNs());
            latestEndNs[i] = latestNs;
        }
    }
}
