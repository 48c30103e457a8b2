// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;

/**
 * Which waits are still to be joined with what their holders did? All of a small recording; of a
 * large one as many as fit into memory.
 *
 * <p>What a holder did ends before the wait for it ends, so it is in the same chunk or an earlier
 * one: at the end of a chunk all its waits can be explained. Within a chunk the JDK writes events
 * in order to within a second (14+), or thread by thread (8, 11). If a single chunk is too large,
 * some holders may therefore be missed at the cuts; blocked time is right in any case.
 */
final class Batch {
    /**
     * Waits and other activities together, some 120 bytes each at most. The same for any heap size,
     * because the holders found near a cut depend on where it is; fits into a heap of 32 MB.
     */
    private static final int TOO_MANY = 150_000;
    /** Enough to hold most recordings whole. */
    private static final int ENOUGH = TOO_MANY / 4;
    private static final int CARRIED = TOO_MANY / 8;
    private static final long FLUSH_NS = 2_000_000_000L;

    private final Iterator<Long> laterChunksNs;
    private long nextChunkNs;
    private long latestNs;

    /** Waits that ended before this may have been forgotten. */
    private long knownFromNs = Long.MIN_VALUE;
    /** Some are explained already; they are kept as they show when their locks were free. */
    private final List<Wait> waits = new ArrayList<>();
    /** All activities that are not waits for a lock. */
    private final List<Activity> others = new ArrayList<>();
    private CompletableFuture<Void> joined = CompletableFuture.completedFuture(null);
    private int joining;

    Batch(Chunks chunks) {
        laterChunksNs = chunks.startsNs().iterator();
        laterChunksNs.next();
        advance();
    }

    void add(Wait wait) {
        waits.add(wait);
    }

    void add(Activity activity) {
        others.add(activity);
    }

    /** To be called with the end of each event, before its wait or activity is added. */
    void reached(long endNs) {
        latestNs = Math.max(latestNs, endNs);
        if (endNs >= nextChunkNs) {
            advance();
            if (size() >= ENOUGH) {
                settle(Long.MAX_VALUE);
            }
        }
        if (size() + joining >= TOO_MANY) {
            awaitJoined();
        }
        if (size() >= TOO_MANY) {
            long[] endsNs = waits.stream().filter(wait -> !wait.isExplained())
                    .mapToLong(wait -> wait.endNs).sorted().toArray();
            long halfNs = endsNs.length == 0 ? 0 : endsNs[endsNs.length / 2];
            settle(Math.max(halfNs, latestNs - FLUSH_NS));
        }
    }

    /** Explains the remaining waits; the groups are then complete. */
    void finish() {
        settle(Long.MAX_VALUE);
        awaitJoined();
    }

    private int size() {
        return waits.size() + others.size();
    }

    private void advance() {
        nextChunkNs = laterChunksNs.hasNext() ? laterChunksNs.next() : Long.MAX_VALUE;
    }

    /** Explains a portion on a second thread, after the one before, while the next one is read. */
    private void settle(long untilNs) {
        awaitJoined();
        List<Wait> toExplain = new ArrayList<>();
        Set<BlockedGroup> groups = identitySet();
        for (Wait wait : waits) {
            if (!wait.isExplained() && wait.endNs <= untilNs) {
                wait.setExplained();
                toExplain.add(wait);
                groups.add(wait.group);
            }
        }
        HolderFinder finder = new HolderFinder(waits, others, knownFromNs);
        joining = size();
        carry();
        Object kept = new Object();
        waits.forEach(wait -> wait.keptFor = kept);
        others.forEach(other -> other.keptFor = kept);
        joined = CompletableFuture.runAsync(() -> {
            finder.explain(toExplain);
            groups.forEach(group -> group.forgetActivitiesBut(one -> one.keptFor == kept));
        });
    }

    private void awaitJoined() {
        try {
            joined.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
        joining = 0;
    }

    /** Forgets all but the latest activities; keeps all waits that are not yet explained. */
    private void carry() {
        long othersNs = carriedFromNs(others.stream().mapToLong(one -> one.endNs));
        long waitsNs = carriedFromNs(
                waits.stream().filter(Wait::isExplained).mapToLong(wait -> wait.endNs));
        others.removeIf(one -> one.endNs < othersNs);
        if (waits.removeIf(wait -> wait.isExplained() && wait.endNs < waitsNs)) {
            knownFromNs = Math.max(knownFromNs, waitsNs);
        }
    }

    private static <T> Set<T> identitySet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    private static long carriedFromNs(LongStream endsNs) {
        long[] sorted = endsNs.sorted().toArray();
        return sorted.length == 0 ? Long.MAX_VALUE : sorted[Math.max(0, sorted.length - CARRIED)];
    }
}
