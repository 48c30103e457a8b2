// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What did the holder of a lock do while others waited for it?
 *
 * <p>The recording names the previous owner of a monitor, but not of a ReentrantLock. A wait is
 * explained by an activity of another thread at that time, within which the lock was not released.
 * It is either inside a frame of the class that the waiter was in, or of the monitor's own class;
 * or it is of a thread that a waiter names, and fills the time in which that can have had the lock.
 * A thread that a waiter names is known to be the holder. Any other is inferred to be, unless it
 * merely waits there itself.
 */
final class HolderFinder {
    private final long knownFromNs;
    private final List<Activity> activities;
    private final Map<String, Timeline> byClass = new HashMap<>();
    private final Map<Long, Timeline> byOwner = new HashMap<>();
    private final Map<Wait.Lock, List<Wait>> waitsByLock = new HashMap<>();

    /**
     * Takes all known waits, because they show when locks were free, and all other activities. The
     * lists may change afterwards. Waits before {@code knownFromNs} have been forgotten: no holder
     * is inferred from an activity that began earlier, as the lock may have been free meanwhile.
     */
    HolderFinder(List<Wait> waits, List<Activity> others, long knownFromNs) {
        this.knownFromNs = knownFromNs;
        this.activities = new ArrayList<>(others);
        for (Wait wait : waits) {
            if (wait.hasPlace()) {
                activities.add(wait);
            }
            waitsByLock.computeIfAbsent(wait.lock, lock -> new ArrayList<>()).add(wait);
            wait.group.holderClasses.forEach(
                    name -> byClass.computeIfAbsent(name, same -> new Timeline()));
            if (wait.previousOwner != Wait.NOBODY) {
                byOwner.computeIfAbsent(wait.previousOwner, same -> new Timeline());
            }
        }
    }

    private void sortIn() {
        activities.sort(Comparator.comparingLong(activity -> activity.startNs));
        Map<CallStack, List<Timeline>> timelines = new IdentityHashMap<>();
        for (Activity activity : activities) {
            for (Timeline timeline
                    : timelines.computeIfAbsent(activity.stack, this::timelines)) {
                timeline.add(activity);
            }
            Timeline ofOwner = byOwner.get(activity.thread);
            if (ofOwner != null) {
                ofOwner.add(activity);
            }
        }
    }

    private List<Timeline> timelines(CallStack stack) {
        Set<String> classes = new HashSet<>();
        stack.frames.forEach(frame -> classes.add(Frames.classOf(frame)));
        return classes.stream().map(byClass::get).filter(found -> found != null).toList();
    }

    /** Adds the holders of the locks to the groups of these waits, which are among the known. */
    void explain(List<Wait> some) {
        sortIn();
        Map<Wait.Lock, Map<BlockedGroup, List<Wait>>> toExplain = new HashMap<>();
        for (Wait wait : some) {
            toExplain.computeIfAbsent(wait.lock, lock -> new LinkedHashMap<>())
                    .computeIfAbsent(wait.group, group -> new ArrayList<>()).add(wait);
        }
        toExplain.forEach((lock, byGroup) -> {
            List<Wait> waits = waitsByLock.get(lock);
            LockHistory history = new LockHistory(waits);
            Timeline ofOwners = whileOwned(waits, history);
            byGroup.forEach((group, ofGroup) -> explain(group, ofGroup, history, ofOwners));
        });
    }

    /** What named owners did for at least half of the time in which they can have had the lock. */
    private Timeline whileOwned(List<Wait> waits, LockHistory history) {
        List<Activity> owned = new ArrayList<>();
        Object mark = new Object();
        for (Wait wait : waits) {
            Timeline ofOwner = byOwner.get(wait.previousOwner);
            if (ofOwner == null) {
                continue;
            }
            long fromNs = history.ownedFromNs(wait);
            ofOwner.overlapping(fromNs, wait.endNs, Timeline.MAX_FOUND, activity -> {
                long filledNs = activity.endNs - Math.max(fromNs, activity.startNs);
                if (activity.endNs <= wait.endNs && 2 * filledNs >= wait.endNs - fromNs
                        && !wait.lock.equals(activity.lock) && activity.firstSeenFor(mark)) {
                    owned.add(activity);
                }
            });
        }
        return Timeline.of(owned);
    }

    /** Explains waits for one lock at one place of the code, each stretch of overlapping ones. */
    private void explain(
            BlockedGroup group, List<Wait> waits, LockHistory history, Timeline ofOwners) {
        waits.sort(Comparator.comparingLong(wait -> wait.startNs));
        int first = 0;
        while (first < waits.size()) {
            long endNs = waits.get(first).endNs;
            int next = first + 1;
            while (next < waits.size() && waits.get(next).startNs < endNs) {
                endNs = Math.max(endNs, waits.get(next++).endNs);
            }
            List<Wait> stretch = waits.subList(first, next);
            Explanation explanation = new Explanation(stretch, endNs, history, knownFromNs);
            explanation.addKnown(ofOwners);
            group.holderClasses.forEach(name -> explanation.addInside(byClass.get(name)));
            explanation.explain();
            first = next;
        }
    }
}
