// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What did the holder of a lock do while others waited for it?
 *
 * <p>The recording names the previous owner of a monitor; of a ReentrantLock it names nobody.
 * What explains a wait is something that took time on another thread, meanwhile, with the lock not
 * let go within, and either inside a frame of the class that the waiter was in or of the monitor's
 * own class, or on a thread that a waiter names, filling the time in which it can have had the
 * lock. If a waiter names the thread it is known to be the holder; if not it is inferred.
 */
final class HolderFinder {
    /** More turns than this at one lock are not looked at within one wait. */
    private static final int MAX_CANDIDATES = 2048;

    private final Map<String, Timeline> byClass = new HashMap<>();
    private final Map<Wait.Lock, Timeline> ofNamedOwners = new HashMap<>();
    private final Map<Wait.Lock, Set<Activity>> named = new HashMap<>();
    private final LockHistory history;

    /** Joins these activities to waits, of which all that are known tell when locks were free. */
    HolderFinder(List<Wait> waits, List<Activity> activities) {
        this.history = new LockHistory(waits);
        Map<Long, Timeline> byOwner = new HashMap<>();
        for (Wait wait : waits) {
            wait.group().holderClasses.forEach(
                    name -> byClass.computeIfAbsent(name, same -> new Timeline()));
            if (wait.previousOwner() != Wait.NOBODY) {
                byOwner.computeIfAbsent(wait.previousOwner(), same -> new Timeline());
            }
        }
        Map<CallStack, List<Timeline>> timelines = new IdentityHashMap<>();
        for (Activity activity : activities) {
            timelines.computeIfAbsent(activity.stack, this::timelines)
                    .forEach(timeline -> timeline.add(activity));
            Timeline ofOwner = byOwner.get(activity.thread);
            if (ofOwner != null) {
                ofOwner.add(activity);
            }
        }
        waits.forEach(wait -> name(wait, byOwner.get(wait.previousOwner())));
    }

    private List<Timeline> timelines(CallStack stack) {
        Set<String> classes = new HashSet<>();
        stack.frames.forEach(frame -> classes.add(Frames.classOf(frame)));
        return classes.stream().map(byClass::get).filter(found -> found != null).toList();
    }

    /** Whatever filled the ownership of the owner that this wait names, it did with the lock. */
    private void name(Wait wait, Timeline ofOwner) {
        if (ofOwner == null) {
            return;
        }
        ofOwner.overlapping(wait.startNs(), wait.endNs(), MAX_CANDIDATES, activity -> {
            if (!wait.lock().equals(activity.lock) && history.fillsOwnership(activity, wait)
                    && named.computeIfAbsent(wait.lock(), lock -> identitySet()).add(activity)) {
                ofNamedOwners.computeIfAbsent(wait.lock(), lock -> new Timeline()).add(activity);
            }
        });
    }

    /** Adds to the wait's group who held the lock. */
    void explain(Wait wait) {
        List<Candidate> candidates = new ArrayList<>();
        Timeline ofOwners = ofNamedOwners.get(wait.lock());
        if (ofOwners != null) {
            ofOwners.overlapping(wait.startNs(), wait.endNs(), MAX_CANDIDATES, activity -> {
                if (mayExplain(activity, wait) && activity.firstSeenFor(wait)) {
                    candidates.add(new Candidate(activity, false));
                }
            });
        }
        for (String name : wait.group().holderClasses) {
            byClass.get(name).overlapping(wait.startNs(), wait.endNs(), MAX_CANDIDATES,
                    activity -> {
                        if (mayExplain(activity, wait) && !waitsForTheSame(activity, wait)
                                && activity.firstSeenFor(wait)) {
                            candidates.add(new Candidate(activity,
                                    !history.namesOwner(activity, wait.lock())));
                        }
                    });
        }
        if (oneAfterTheOther(candidates)) {
            for (Candidate candidate : candidates) {
                long ns = Math.min(candidate.activity.endNs, wait.endNs())
                        - Math.max(candidate.activity.startNs, wait.startNs());
                wait.group().explain(candidate.activity, candidate.inferred, ns);
            }
            return;
        }
        candidates.sort(Candidate.MOST_BELIEVED);
        // Starts and ends of what is left to explain.
        TreeMap<Long, Long> unexplained = new TreeMap<>(Map.of(wait.startNs(), wait.endNs()));
        for (Candidate candidate : candidates) {
            long ns = take(unexplained, candidate.activity);
            if (ns > 0) {
                wait.group().explain(candidate.activity, candidate.inferred, ns);
            }
        }
    }

    /** Sorts them by time; if none overlaps another, it does not matter who is believed more. */
    private static boolean oneAfterTheOther(List<Candidate> candidates) {
        candidates.sort(Candidate.EARLIEST);
        for (int i = 1; i < candidates.size(); i++) {
            if (candidates.get(i).activity.startNs < candidates.get(i - 1).activity.endNs) {
                return false;
            }
        }
        return true;
    }

    private record Candidate(Activity activity, boolean inferred) {
        static final Comparator<Candidate> EARLIEST =
                (one, other) -> Long.compare(one.activity.startNs, other.activity.startNs);
        static final Comparator<Candidate> MOST_BELIEVED =
                Comparator.<Candidate>comparingInt(one -> one.inferred ? 1 : 0)
                        .thenComparing(one -> one.activity.kind)
                        .thenComparing(one -> -one.activity.durationNs());
    }

    /** Whoever goes on doing something after the wait ended did not do it with the lock. */
    private boolean mayExplain(Activity activity, Wait wait) {
        return activity.thread != wait.thread()
                && (!wait.releases() || activity.endNs <= wait.endNs())
                && history.mayHaveHeld(activity, wait.lock());
    }

    /** By place in the code too, because the address of a lock changes when it is moved. */
    private static boolean waitsForTheSame(Activity activity, Wait wait) {
        if (activity.lock == null || wait.lock().equals(activity.lock)) {
            return activity.lock != null;
        }
        return activity.lock.lockClass().equals(wait.lock().lockClass())
                && activity.stack.waiterClass.equals(Frames.classOf(wait.group().key.frame()));
    }

    /** Takes the time of the activity out of the spans; returns how much of it was there, in ns. */
    private static long take(TreeMap<Long, Long> spans, Activity activity) {
        long takenNs = 0;
        Map.Entry<Long, Long> span = spans.lowerEntry(activity.endNs);
        while (span != null && span.getValue() > activity.startNs) {
            long from = Math.max(span.getKey(), activity.startNs);
            long to = Math.min(span.getValue(), activity.endNs);
            takenNs += to - from;
            spans.remove(span.getKey());
            if (span.getKey() < from) {
                spans.put(span.getKey(), from);
            }
            if (to < span.getValue()) {
                spans.put(to, span.getValue());
            }
            span = spans.lowerEntry(from);
        }
        return takenNs;
    }

    private static Set<Activity> identitySet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }
}
