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

/**
 * What did the holder of a lock do while others waited for it?
 *
 * <p>The recording names the previous owner of a monitor; of a ReentrantLock it names nobody.
 * Either way what explains a wait is something that took time on another thread, meanwhile, inside
 * a frame of the class that the waiter was in or of the monitor's own class, with the lock not let
 * go within. If a waiter names the thread as the owner it is known to be the holder; if not it is
 * inferred.
 */
final class HolderFinder {
    private final Map<String, Timeline> byClass = new HashMap<>();
    private final LockHistory history;
    private final List<Wait> waits;

    HolderFinder(List<Wait> waits, List<Activity> activities) {
        this.waits = waits;
        this.history = new LockHistory(waits);
        for (Wait wait : waits) {
            wait.group().holderClasses.forEach(
                    name -> byClass.computeIfAbsent(name, same -> new Timeline()));
        }
        for (Activity activity : activities) {
            Set<String> classes = new HashSet<>();
            activity.stack().forEach(frame -> classes.add(Frames.classOf(frame)));
            for (String name : classes) {
                Timeline timeline = byClass.get(name);
                if (timeline != null) {
                    timeline.add(activity);
                }
            }
        }
    }

    /** Adds to the groups of all waits who held the lock. */
    void explainAll() {
        waits.forEach(this::explain);
    }

    private void explain(Wait wait) {
        Set<Activity> found = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Activity> candidates = new ArrayList<>();
        for (String name : wait.group().holderClasses) {
            byClass.get(name).overlapping(wait, activity -> {
                if (mayExplain(activity, wait) && found.add(activity)) {
                    candidates.add(activity);
                }
            });
        }
        candidates.sort(Comparator.<Activity>comparingInt(a -> inferred(a, wait) ? 1 : 0)
                .thenComparing(Activity::kind)
                .thenComparing(a -> a.startNs() - a.endNs()));
        List<long[]> unexplained = List.of(new long[] {wait.startNs(), wait.endNs()});
        for (Activity activity : candidates) {
            List<long[]> rest = new ArrayList<>();
            long ns = 0;
            for (long[] span : unexplained) {
                ns += subtract(span, activity, rest);
            }
            unexplained = rest;
            if (ns > 0) {
                wait.group().holder(key(activity, wait)).explain(activity, ns);
            }
        }
    }

    /** Whoever goes on doing something after the wait ended did not do it with the lock. */
    private boolean mayExplain(Activity activity, Wait wait) {
        return activity.thread() != wait.thread()
                && !waitsForTheSame(activity, wait)
                && (!wait.releases() || activity.endNs() <= wait.endNs())
                && history.mayHaveHeld(activity, wait.lock());
    }

    /** By place in the code too, because the address of a lock changes when it is moved. */
    private static boolean waitsForTheSame(Activity activity, Wait wait) {
        if (activity.lock() == null || wait.lock().equals(activity.lock())) {
            return activity.lock() != null;
        }
        String frame = Frames.waiter(activity.stack());
        return activity.lock().lockClass().equals(wait.lock().lockClass())
                && Frames.classOf(frame).equals(Frames.classOf(wait.group().key.frame()));
    }

    private boolean inferred(Activity activity, Wait wait) {
        return !history.namesOwner(activity, wait.lock());
    }

    /** Puts what is left of the span into {@code rest}; returns what the activity covers, in ns. */
    private static long subtract(long[] span, Activity activity, List<long[]> rest) {
        long from = Math.max(span[0], activity.startNs());
        long to = Math.min(span[1], activity.endNs());
        if (from >= to) {
            rest.add(span);
            return 0;
        }
        if (span[0] < from) {
            rest.add(new long[] {span[0], from});
        }
        if (to < span[1]) {
            rest.add(new long[] {to, span[1]});
        }
        return to - from;
    }

    private Holder.Key key(Activity activity, Wait wait) {
        int held = Frames.outermostOf(activity.stack(), wait.group().holderClasses);
        return new Holder.Key(activity.kind().event, activity.stack().subList(0, held + 1),
                Frames.activity(activity.stack(), held), activity.host(), activity.port(),
                inferred(activity, wait));
    }
}
