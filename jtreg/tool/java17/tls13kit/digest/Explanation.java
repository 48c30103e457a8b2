// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Which activities explain waits for one lock, at one place of the code, in one stretch of time?
 * Whether an activity can be that of the lock's holder is checked once, not for each wait.
 */
final class Explanation {
    private final List<Wait> waits;
    private final long startNs;
    private final long endNs;
    private final LockHistory history;
    private final long knownFromNs;
    /** Not {@code this}: an activity lives longer, and would keep all that this refers to. */
    private final Object mark = new Object();
    private final List<Candidate> candidates = new ArrayList<>();
    private final PriorityQueue<Candidate> running = new PriorityQueue<>();

    /** Takes waits of one group, sorted by start, each overlapping one before it. */
    Explanation(List<Wait> waits, long endNs, LockHistory history, long knownFromNs) {
        this.waits = waits;
        this.startNs = waits.get(0).startNs;
        this.endNs = endNs;
        this.history = history;
        this.knownFromNs = knownFromNs;
    }

    /** Takes what named owners did while they had the lock. */
    void addKnown(Timeline ofOwners) {
        ofOwners.overlapping(startNs, endNs, most(), activity -> {
            if (history.mayHaveHeld(activity) && activity.firstSeenFor(mark)) {
                candidates.add(new Candidate(activity, false));
            }
        });
    }

    /** Takes what was done inside a class in which a holder is expected. */
    void addInside(Timeline ofClass) {
        ofClass.overlapping(startNs, endNs, most(), activity -> {
            if (!waitsForTheSame(activity) && history.mayHaveHeld(activity)
                    && activity.firstSeenFor(mark)) {
                boolean inferred = !history.namesOwner(activity);
                if (!inferred || activity.startNs >= knownFromNs && !merelyWaits(activity)) {
                    candidates.add(new Candidate(activity, inferred));
                }
            }
        });
    }

    private int most() {
        return (int) Math.min(Integer.MAX_VALUE, (long) Timeline.MAX_FOUND * waits.size());
    }

    /** Compares the place in the code too, because a lock's address changes when it is moved. */
    private boolean waitsForTheSame(Activity activity) {
        Wait wait = waits.get(0);
        if (activity.lock == null || wait.lock.equals(activity.lock)) {
            return activity.lock != null;
        }
        return activity.lock.lockClass().equals(wait.lock.lockClass())
                && activity.stack.waiterClass.equals(wait.group.waiterClass);
    }

    /**
     * A thread that itself waits in the waiters' class (in Object.wait, so in Thread.join too, or
     * for any lock) is seldom the one that they wait for.
     */
    private boolean merelyWaits(Activity activity) {
        return activity.kind == Activity.Kind.MONITOR_WAIT
                || activity.lock != null
                        && activity.stack.waiterClass.equals(waits.get(0).group.waiterClass);
    }

    /** Adds the holders of the lock to the group of the waits. To be called once, at the end. */
    void explain() {
        if (candidates.isEmpty()) {
            return;
        }
        candidates.sort(Comparator.comparingLong(one -> one.activity.startNs));
        long[] latestNs = new long[candidates.size()];
        long latest = Long.MIN_VALUE;
        for (int i = 0; i < latestNs.length; i++) {
            latest = Math.max(latest, candidates.get(i).activity.endNs);
            latestNs[i] = latest;
        }
        waits.forEach(wait -> explain(wait, LockHistory.firstFrom(latestNs, wait.startNs + 1)));
        candidates.forEach(candidate -> candidate.addTo(waits.get(0).group));
    }

    /** Gives each moment to the best candidate. Those before {@code first} ended too early. */
    private void explain(Wait wait, int first) {
        running.clear();
        long atNs = wait.startNs;
        for (int i = first; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(i);
            if (candidate.activity.startNs >= wait.endNs) {
                break;
            }
            if (candidate.mayExplain(wait)) {
                atNs = explainUntil(Math.max(atNs, candidate.activity.startNs), atNs);
                running.add(candidate);
            }
        }
        explainUntil(wait.endNs, atNs);
    }

    /** Gives the time to the best of those that run; returns its end. */
    private long explainUntil(long untilNs, long fromNs) {
        long atNs = fromNs;
        while (atNs < untilNs && !running.isEmpty()) {
            Candidate best = running.peek();
            long endNs = Math.min(untilNs, best.activity.endNs);
            if (endNs > atNs) {
                best.explains(endNs - atNs);
                atNs = endNs;
            }
            if (best.activity.endNs <= atNs) {
                running.remove();
            }
        }
        return untilNs;
    }
}
