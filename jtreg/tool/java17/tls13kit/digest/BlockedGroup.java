// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How long were threads blocked at one place of the code, on one class of lock, and by whom? */
final class BlockedGroup extends WaitTotal {
    /** Further holders are not told apart by peer, which may have a port for each connection. */
    private static final int MAX_HOLDERS = 1000;
    private static final int MAX_LISTED_HOLDERS = 50;

    /** One place: {@code kind} is that of {@link LockClasses}. */
    record Key(String kind, String lockClass, String frame, String entryFrame) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && frame.equals(key.frame)
                    && lockClass.equals(key.lockClass) && entryFrame.equals(key.entryFrame)
                    && kind.equals(key.kind);
        }

        /** Written out for speed, as a key is made for each wait. */
        @Override
        public int hashCode() {
            return 31 * (31 * frame.hashCode() + lockClass.hashCode()) + entryFrame.hashCode();
        }
    }

    final Key key;
    /** A thread in a frame of one of these classes may be the holder of the lock. */
    final Set<String> holderClasses;
    final String waiterClass;
    private final Map<Holder.Key, Holder> holders = new LinkedHashMap<>();
    private Holder.Key lastKey;
    private Holder lastHolder;
    private final Map<CallStack, Holder.Place> placesByStack = new IdentityHashMap<>();
    private final Map<Holder.Place, Holder.Place> places = new HashMap<>();

    BlockedGroup(Key key) {
        this.key = key;
        this.holderClasses = holderClasses(key);
        this.waiterClass = Frames.classOf(key.frame());
    }

    /** Always in the same order, so that the same recording gives the same document. */
    static Set<String> holderClasses(Key place) {
        return Stream.of(Frames.classOf(place.frame()), place.lockClass())
                .filter(name -> !Frames.isGeneral(name))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    void explain(Activity activity, boolean inferred, long ns) {
        Activity.Io io = activity.io;
        Holder.Key holderKey = new Holder.Key(activity.kind, place(activity.stack),
                io == null ? null : io.host(), io == null ? 0 : io.port(), inferred);
        if (!holderKey.equals(lastKey)) {
            lastHolder = holders.get(holderKey);
            if (lastHolder == null) {
                Holder.Key kept =
                        holders.size() < MAX_HOLDERS ? holderKey : holderKey.withoutPeer();
                lastHolder = holders.computeIfAbsent(kept, Holder::new);
            }
            lastKey = holderKey;
        }
        lastHolder.explain(activity, ns);
    }

    private Holder.Place place(CallStack stack) {
        return placesByStack.computeIfAbsent(stack, same -> {
            int held = Frames.heldIndex(stack, holderClasses);
            Holder.Place place = new Holder.Place(List.copyOf(stack.frames.subList(0, held + 1)),
                    Frames.waitsIn(stack.frames, held));
            return places.computeIfAbsent(place, one -> one);
        });
    }

    /** Forgets all other activities, which will not be met again; their figures stay. */
    void forgetActivitiesBut(Predicate<Activity> wanted) {
        holders.values().forEach(holder -> holder.forgetBut(wanted));
    }

    Map<String, Object> toJson() {
        return toJson("kind", key.kind(), "lock_class", key.lockClass(), "frame", key.frame(),
                "thread_ids", threadIds(),
                "holders", listed(holders.values()).map(Holder::toJson).toList());
    }

    /** The longest; the others merged without their peers, as readers add up what is listed. */
    private static Stream<Holder> listed(Collection<Holder> holders) {
        Comparator<Holder> longestFirst =
                Comparator.comparingLong(Holder::explainedNs).reversed();
        List<Holder> sorted = holders.stream().sorted(longestFirst).toList();
        Set<Holder.Key> folded = new HashSet<>();
        int whole = sorted.size();
        while (whole > 0 && whole + folded.size() > MAX_LISTED_HOLDERS) {
            folded.add(sorted.get(--whole).key.withoutPeer());
        }
        Map<Holder.Key, Holder> listed = new LinkedHashMap<>();
        for (Holder holder : sorted) {
            Holder.Key key = listed.size() < whole ? holder.key : holder.key.withoutPeer();
            listed.computeIfAbsent(key, Holder::new).add(holder);
        }
        return listed.values().stream().sorted(longestFirst).limit(MAX_LISTED_HOLDERS);
    }
}
