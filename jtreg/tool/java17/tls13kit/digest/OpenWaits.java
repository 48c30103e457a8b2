// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which waits were still open when the recording ended? They leave no event, but thread dumps show
 * them, and a thread that did nothing after the last dump still waits.
 */
final class OpenWaits {
    /** A dump is stamped when it is written, some milliseconds after it was taken. */
    private static final long STAMP_NS = 5_000_000;

    private final Threads threads;
    private final BusyTime busyTime;
    private final List<Long> dumpsNs = new ArrayList<>();
    /** By thread of the last dump: what it waits for, and since which of the dumps in a row. */
    private Map<Long, Run> runs = Map.of();
    /** The last wait of each thread, whether or not it is over. */
    private final Map<Long, Run> latest = new HashMap<>();
    private ThreadDump last;
    private String version;

    /** Beyond this number all are forgotten: some programs have a thread for each request. */
    private static final int MAX_LATEST = 1 << 14;

    private record Run(
            BlockedGroup.Key key, ThreadDump.Target wants, long firstNs, long lastNs) {}

    OpenWaits(Threads threads, BusyTime busyTime) {
        this.threads = threads;
        this.busyTime = busyTime;
    }

    /** Of the JDK, as the last dump that has it says; null if none does. */
    String version() {
        return version;
    }

    void accept(long atNs, String text) {
        if (text == null) {
            return;
        }
        ThreadDump dump = ThreadDump.parse(text);
        version = dump.version() == null ? version : dump.version();
        busyTime.accept(atNs, dump);
        if (!dumpsNs.isEmpty() && atNs <= dumpsNs.get(dumpsNs.size() - 1)) {
            return;
        }
        dumpsNs.add(atNs);
        last = dump;
        threads.accept(last);
        Map<Long, Run> now = new HashMap<>();
        for (ThreadDump.Dumped thread : last.threads()) {
            if (thread.wants() != null) {
                BlockedGroup.Key key = thread.place();
                Run before = runs.get(thread.thread());
                boolean same = before != null && before.key.equals(key);
                now.put(thread.thread(),
                        new Run(key, thread.wants(), same ? before.firstNs : atNs, atNs));
            }
        }
        runs = now;
        if (latest.size() > MAX_LATEST) {
            latest.clear();
        }
        latest.putAll(now);
    }

    /**
     * Where was the thread in this wait for a monitor, if a dump read so far shows it? Up to 17 the
     * event of a wait that lasted into another chunk has no stack.
     */
    Optional<BlockedGroup.Key> placeOf(long thread, String lockClass, long startNs, long endNs) {
        return Optional.ofNullable(latest.get(thread))
                .filter(run -> run.wants.monitor() && isOf(run.wants.className(), lockClass)
                        && run.lastNs >= startNs && run.firstNs <= endNs)
                .map(run -> new BlockedGroup.Key(run.key.kind(), lockClass, run.key.frame(),
                        run.key.entryFrame()));
    }

    /** The monitor of a static method is {@code java.lang.Class for X} in a dump. */
    private static boolean isOf(String dumped, String lockClass) {
        return dumped.equals(lockClass)
                || lockClass.equals("java.lang.Class") && dumped.startsWith(lockClass + " for ");
    }

    /**
     * The waits still open, by place in the code; also adds them to the timeline.
     * {@code lastSeenNs} has the time at which each thread last did something.
     */
    List<Object> toJson(long endNs, LongMap lastSeenNs, BlockedTimeline timeline) {
        Map<BlockedGroup.Key, Row> rows = new LinkedHashMap<>();
        for (Map.Entry<Long, Run> entry : runs.entrySet()) {
            long lastDumpNs = dumpsNs.get(dumpsNs.size() - 1);
            long seenNs = lastSeenNs.get(entry.getKey(), 0);
            if (seenNs <= lastDumpNs - STAMP_NS) {
                long fromNs = Math.max(entry.getValue().firstNs, firstDumpAfter(seenNs));
                timeline.add(fromNs, endNs);
                rows.computeIfAbsent(entry.getValue().key, key -> new Row())
                        .add(entry.getKey(), entry.getValue(), endNs - fromNs);
            }
        }
        List<Object> json = new ArrayList<>();
        rows.entrySet().stream()
                .sorted(Comparator.comparingLong(row -> -row.getValue().totalNs()))
                .forEach(row -> json.add(toJson(row.getKey(), row.getValue())));
        return json;
    }

    private long firstDumpAfter(long atNs) {
        for (long dumpNs : dumpsNs) {
            if (dumpNs > atNs) {
                return dumpNs;
            }
        }
        return dumpsNs.get(dumpsNs.size() - 1);
    }

    private static final class Row extends WaitTotal {
        private final Map<ThreadDump.Target, Integer> wanted = new HashMap<>();

        void add(long thread, Run run, long ns) {
            add(thread, Math.max(0, ns));
            wanted.merge(run.wants, 1, Integer::sum);
        }

        ThreadDump.Target mostWanted() {
            return wanted.entrySet().stream().max(Map.Entry.comparingByValue())
                    .map(Map.Entry::getKey).orElseThrow();
        }
    }

    private Map<String, Object> toJson(BlockedGroup.Key key, Row row) {
        return row.toJson("kind", key.kind(), "lock_class", key.lockClass(), "frame", key.frame(),
                "is_open", true, "thread_ids", row.threadIds(),
                "holders", holders(key, row.mostWanted(), row.totalNs()));
    }

    /** The holder, if any. The dump names a monitor's; another lock's may be found by frame. */
    private List<Object> holders(BlockedGroup.Key key, ThreadDump.Target wanted, long waitedNs) {
        ThreadDump.Dumped owner = last.ownerOf(wanted);
        if (owner != null) {
            return List.of(holder(owner, owner.heldAt(wanted, key), waitedNs, false));
        }
        ThreadDump.Dumped likely = wanted.monitor() ? null : last.likelyOwnerOf(wanted, key);
        return likely == null ? List.of()
                : List.of(holder(likely, likely.isIn(key), waitedNs, true));
    }

    private static Map<String, Object> holder(
            ThreadDump.Dumped thread, int held, long waitedNs, boolean inferred) {
        List<String> frames = thread.stack().frames;
        return Json.object(
                "thread", thread.name(), "threads", 1, "frame", frames.get(held),
                "waits_in", Frames.waitsIn(frames, held), "path", frames.subList(0, held + 1),
                "explained_ms", waitedNs / Times.NS_PER_MS, "inferred", inferred);
    }
}
