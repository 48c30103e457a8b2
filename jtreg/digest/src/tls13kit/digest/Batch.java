// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Which waits are still to be joined with what their holders did? All of a small recording; of a
 * large one as many as fit into memory.
 *
 * <p>What a holder did has ended before the wait for it ends, so it stands in the same chunk or an
 * earlier one: at the end of a chunk all its waits can be explained. Within a chunk the JDK writes
 * in order but for a second (14+), or thread by thread (8, 11), so if a single chunk is too large
 * some holders may be missed at the cuts; blocked time is right in any case.
 */
final class Batch {
    /** Waits and activities; enough for all of most recordings. */
    private static final int ENOUGH = 200_000;
    /** Some 100 bytes each. */
    private static final int TOO_MANY = 800_000;
    private static final int CARRIED = 100_000;
    private static final long FLUSH_NS = 2_000_000_000L;

    private final Iterator<Long> laterChunksNs;
    private long nextChunkNs;
    private long latestNs;
    private List<Wait> waits = new ArrayList<>();
    /** Explained already, but they tell when their locks were free. */
    private List<Wait> explained = new ArrayList<>();
    private List<Activity> activities = new ArrayList<>();

    Batch(Chunks chunks) {
        laterChunksNs = chunks.startsNs().iterator();
        laterChunksNs.next();
        advance();
    }

    void add(Wait wait) {
        waits.add(wait);
    }

    void add(Activity activity) {
        activities.add(activity);
    }

    /** To be called with the end of each event before what comes of it is added. */
    void reached(long endNs) {
        latestNs = Math.max(latestNs, endNs);
        if (endNs >= nextChunkNs) {
            advance();
            if (size() >= ENOUGH) {
                settle(Long.MAX_VALUE);
            }
        }
        if (size() >= TOO_MANY) {
            waits.sort(Comparator.comparingLong(Wait::endNs));
            long halfNs = waits.isEmpty() ? 0 : waits.get(waits.size() / 2).endNs();
            settle(Math.max(halfNs, latestNs - FLUSH_NS));
        }
    }

    /** Explains what is left. */
    void finish() {
        settle(Long.MAX_VALUE);
    }

    private int size() {
        return waits.size() + explained.size() + activities.size();
    }

    private void advance() {
        nextChunkNs = laterChunksNs.hasNext() ? laterChunksNs.next() : Long.MAX_VALUE;
    }

    private void settle(long untilNs) {
        List<Wait> all = new ArrayList<>(explained);
        all.addAll(waits);
        HolderFinder finder = new HolderFinder(all, activities);
        Set<BlockedGroup> groups = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Wait> later = new ArrayList<>();
        for (Wait wait : waits) {
            if (wait.endNs() <= untilNs) {
                finder.explain(wait);
                groups.add(wait.group());
                explained.add(wait);
            } else {
                later.add(wait);
            }
        }
        waits = later;
        carry(groups);
    }

    private void carry(Set<BlockedGroup> groups) {
        activities.sort(Comparator.comparingLong((Activity one) -> one.endNs).reversed());
        activities = new ArrayList<>(
                activities.subList(0, Math.min(CARRIED, activities.size())));
        long fromNs = activities.isEmpty() ? Long.MAX_VALUE
                : activities.get(activities.size() - 1).endNs;
        explained.sort(Comparator.comparingLong(Wait::endNs).reversed());
        int carried = 0;
        while (carried < Math.min(CARRIED, explained.size())
                && explained.get(carried).endNs() >= fromNs) {
            carried++;
        }
        explained = new ArrayList<>(explained.subList(0, carried));
        Set<Activity> kept = Collections.newSetFromMap(new IdentityHashMap<>());
        kept.addAll(activities);
        groups.forEach(group -> group.forgetActivitiesBut(kept::contains));
    }
}
