// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What does the document say about one file, recording or dumps? This is its entry. */
final class Entry {
    final Threads threads = new Threads();
    /** When each thread last did something, by its id. */
    final LongMap lastSeenNs = new LongMap();
    final JvmIdentity jvm = new JvmIdentity();
    final SlowIo slow = new SlowIo();
    final SelfTime selfTime = new SelfTime();
    final BusyTime busyTime = new BusyTime();
    final BlockedTimeline timeline;
    final long startNs;
    final long endNs;
    private final Path file;
    private final List<String> shapes = new ArrayList<>();
    private final List<String> unread = new ArrayList<>();
    private long gapNs;

    /** Takes the time that the file spans, in nanoseconds since 1970. */
    Entry(Path file, long startNs, long endNs) {
        this.file = file;
        this.startNs = startNs;
        this.endNs = endNs;
        this.timeline = new BlockedTimeline(startNs, endNs);
    }

    /** Takes in which shapes it came, and sentences on what is missing. */
    void add(Collection<String> moreShapes, Collection<String> moreUnread) {
        moreShapes.stream().filter(one -> !shapes.contains(one)).forEach(shapes::add);
        moreUnread.stream().filter(one -> !unread.contains(one)).forEach(unread::add);
    }

    /** Takes for how long, in how many stretches, nothing was recorded. */
    void setGaps(long ns, int count) {
        gapNs = ns;
        if (count > 0) {
            unread.add(String.format(Locale.ROOT, "Nothing was recorded in %d %s, %,.0f s in all.",
                    count, count == 1 ? "gap" : "gaps", ns / 1e9));
        }
    }

    /** Takes what only its source knows; the settings and the open waits are already JSON. */
    Map<String, Object> toJson(String source, boolean finished, Map<String, Object> settings,
            Collection<BlockedGroup> groups, List<Object> open) {
        List<Object> waits = new ArrayList<>();
        groups.stream().sorted(Comparator.comparingLong(BlockedGroup::totalNs).reversed())
                .forEach(group -> waits.add(group.toJson()));
        waits.addAll(open);
        waits.addAll(slow.toJson());
        return Json.object(
                "file", file.toString(), "source", source, "pid", jvm.pid(), "jvm", jvm.toJson(),
                "start_epoch_ms", startNs / 1_000_000,
                "duration_ms", (endNs - startNs - gapNs) / Times.NS_PER_MS,
                "finished", finished, "threads", lastSeenNs.size(),
                "virtual_threads", threads.virtualToJson(), "settings", settings,
                "waits", waits, "timeline", timeline.toJson(), "busy", busyTime.toJson(),
                "self_time", selfTime.toJson(), "flame", selfTime.flameToJson(),
                "shapes", shapes, "unread", unread, "error", null);
    }
}
