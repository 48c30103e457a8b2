// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tls13kit.digest.ThreadDump.Dumped;
import tls13kit.digest.ThreadDump.Target;

/**
 * Which threads of the last dump are in equal stacks, for how long, and who has the lock that they
 * want? A thread that earlier dumps show in the same stack is assumed to have been there meanwhile.
 */
final class StackGroups {
    /** Programs with more have a pool of each kind; the smallest are left out. */
    private static final int MOST_GROUPS = 200;
    private static final int MOST_NAMES = 3;
    /** Deeper frames are those of frameworks, which say little. */
    private static final int MOST_FRAMES = 200;

    /**
     * What a thread has been in: since when in all of this stack; and how many of its innermost
     * frames are not in each of the dumps that show the thread.
     */
    private record Stay(Dumped thread, long sinceNs, int dumps, int moved) {}

    /** What makes threads a group. */
    private record Key(List<String> frames, String state, Target wants, int dumps, int moved) {}

    private final Map<Long, Stay> stays = new HashMap<>();
    private ThreadDump last;
    private long lastNs;

    /** Takes a dump; they come in the order in which they were taken. */
    void accept(long atNs, ThreadDump dump) {
        Map<Long, Stay> now = new LinkedHashMap<>();
        for (Dumped thread : dump.threads()) {
            if (!thread.stack().frames.isEmpty()) {
                now.put(thread.thread(), stay(stays.get(thread.thread()), thread, atNs));
            }
        }
        stays.clear();
        stays.putAll(now);
        last = dump;
        lastNs = atNs;
    }

    private static Stay stay(Stay earlier, Dumped thread, long atNs) {
        List<String> frames = thread.stack().frames;
        if (earlier == null || !earlier.thread.name().equals(thread.name())) {
            return new Stay(thread, atNs, 1, 0);
        }
        List<String> before = earlier.thread.stack().frames;
        int common = Math.min(before.size() - earlier.moved, commonFrames(before, frames));
        return new Stay(thread, before.equals(frames) ? earlier.sinceNs : atNs,
                earlier.dumps + 1, frames.size() - common);
    }

    /** How many frames two stacks share, from the outermost on. */
    private static int commonFrames(List<String> first, List<String> second) {
        int common = 0;
        while (common < Math.min(first.size(), second.size())
                && first.get(first.size() - 1 - common)
                        .equals(second.get(second.size() - 1 - common))) {
            common++;
        }
        return common;
    }

    /** The largest groups, each by its longest stay. */
    List<Object> toJson() {
        Map<Key, List<Stay>> groups = new LinkedHashMap<>();
        for (Dumped thread : last.threads()) {
            Stay stay = stays.get(thread.thread());
            // Where a carrier is, its virtual thread says, which is among the threads.
            if (stay != null && stay.thread == thread && thread.busyIn() == thread.stack()) {
                groups.computeIfAbsent(new Key(thread.stack().frames, thread.state(),
                        thread.wants(), stay.dumps, stay.moved), key -> new ArrayList<>())
                        .add(stay);
            }
        }
        Comparator<Map.Entry<Key, List<Stay>>> largest =
                Comparator.comparingInt(group -> -group.getValue().size());
        return groups.entrySet().stream().sorted(largest).limit(MOST_GROUPS)
                .map(group -> (Object) toJson(group.getKey(), group.getValue())).toList();
    }

    private Map<String, Object> toJson(Key key, List<Stay> stays) {
        long sinceNs = stays.stream().mapToLong(Stay::sinceNs).min().orElse(lastNs);
        Dumped first = stays.get(0).thread();
        return Json.object("threads", stays.size(),
                "names", stays.stream().limit(MOST_NAMES).map(stay -> stay.thread().name()).toList(),
                "state", key.state, "frames", bounded(key.frames),
                "stood_ms", (lastNs - sinceNs) / Times.NS_PER_MS,
                "dumps", key.dumps,
                "changed_frames", Math.min(key.moved, MOST_FRAMES),
                "cpu_share", cpuShare(first),
                "lock", key.wants == null ? null : lock(first));
    }

    private static Double cpuShare(Dumped thread) {
        return thread.cpuMs() == ThreadDump.UNKNOWN_MS || thread.elapsedMs() <= 0 ? null
                : Math.min(1, thread.cpuMs() / thread.elapsedMs());
    }

    private static List<String> bounded(List<String> frames) {
        return frames.subList(0, Math.min(frames.size(), MOST_FRAMES));
    }

    /** The lock that a thread wants, and its owner: as the dump names it, else by what it does. */
    private Map<String, Object> lock(Dumped waiter) {
        Dumped named = last.ownerOf(waiter.wants());
        // Dumps name the owners of monitors, but for those of some servers, which name none.
        boolean isNamed = waiter.wants().monitor() && !last.owners().isEmpty();
        Dumped owner = named != null || isNamed ? named
                : last.likelyOwnerOf(waiter.wants(), waiter.place());
        return Json.object("kind", waiter.place().kind(),
                "lock_class", waiter.wants().className(), "frame", waiter.place().frame(),
                "owner", owner == null || owner == waiter ? null : Json.object(
                        "thread", owner.name(), "inferred", named == null,
                        "frames", bounded(owner.stack().frames)));
    }
}
