// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where did threads wait long for a peer, whether or not others waited for them? Say, a close that
 * delays only its caller; or virtual threads that kept their carriers, for which the others wait
 * without an event. Summed by place in the code.
 */
final class SlowIo {
    private static final long LEAST_NS = 10_000_000;
    private static final int MAX_LISTED = 50;
    private static final Activity.Io NONE = new Activity.Io(null, 0, 0, 0);

    private final Map<CallStack, Map<Activity.Kind, Row>> rows = new LinkedHashMap<>();

    void accept(Activity activity) {
        boolean counts = activity.io != null || activity.kind == Activity.Kind.PINNED;
        if (counts && activity.durationNs() >= LEAST_NS) {
            rows.computeIfAbsent(activity.stack, stack -> new EnumMap<>(Activity.Kind.class))
                    .computeIfAbsent(activity.kind, kind -> new Row(activity))
                    .add(activity);
        }
    }

    /** The longest sums; stacks that differ only in the program's own frames are one row. */
    List<Object> toJson() {
        Map<List<Object>, Row> byPath = new LinkedHashMap<>();
        rows.values().forEach(kinds -> kinds.values().forEach(row ->
                byPath.merge(List.of(row.kind, row.path()), row, Row::plus)));
        List<Object> json = new ArrayList<>();
        byPath.values().stream()
                .sorted(Comparator.comparingLong(Row::totalNs).reversed())
                .limit(MAX_LISTED)
                .forEach(row -> json.add(row.toJson()));
        return json;
    }

    private static final class Row extends WaitTotal {
        private final Activity.Kind kind;
        private final CallStack stack;
        private Activity longest;
        private long bytes;

        Row(Activity first) {
            kind = first.kind;
            stack = first.stack;
            longest = first;
        }

        void add(Activity activity) {
            add(activity.thread, activity.durationNs());
            bytes += io(activity).bytes();
            if (activity.durationNs() > longest.durationNs()) {
                longest = activity;
            }
        }

        Row plus(Row other) {
            addAll(other);
            bytes += other.bytes;
            longest = other.longest.durationNs() > longest.durationNs() ? other.longest : longest;
            return this;
        }

        List<String> path() {
            return stack.frames.subList(0, stack.entryIndex + 1);
        }

        Map<String, Object> toJson() {
            Activity.Io peer = io(longest);
            return toJson("kind", kind.event, "lock_class", null,
                    "frame", Frames.waitsIn(stack.frames, stack.entryIndex), "path", path(),
                    "longest", Json.object("thread", longest.threadName, "host", peer.host(),
                            "port", peer.port(), "bytes", bytes, "timeout_ms", peer.timeoutMs()));
        }

        private static Activity.Io io(Activity activity) {
            return activity.io == null ? NONE : activity.io;
        }
    }
}
