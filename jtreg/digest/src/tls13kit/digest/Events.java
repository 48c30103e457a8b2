// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;

/** Which events are waits for a lock, and which are something that a holder may have sat in? */
final class Events {
    private static final long NS_PER_S = 1_000_000_000L;

    private final Stacks stacks = new Stacks();
    private final Map<BlockedGroup.Key, BlockedGroup> groups = new HashMap<>();
    private final List<Wait> waits = new ArrayList<>();
    private final List<Activity> activities = new ArrayList<>();

    void accept(RecordedEvent event) {
        switch (event.getEventType().getName()) {
            case "jdk.JavaMonitorEnter" -> {
                Wait.Lock lock = lock(event, "monitorClass");
                long owner = thread(event.getThread("previousOwner"));
                wait(event, "monitor", lock, owner, true);
                activity(event, Activity.Kind.MONITOR_ENTER, lock);
            }
            case "jdk.ThreadPark" -> {
                Wait.Lock lock = lock(event, "parkedClass");
                if (LockClasses.isLock(lock.lockClass())) {
                    wait(event, "lock", lock, Wait.NOBODY, !isTimed(event));
                    activity(event, Activity.Kind.PARK, lock);
                }
            }
            case "jdk.SocketRead" -> activity(event, Activity.Kind.SOCKET_READ, null);
            case "jdk.SocketWrite" -> activity(event, Activity.Kind.SOCKET_WRITE, null);
            case "jdk.ThreadSleep" -> activity(event, Activity.Kind.SLEEP, null);
            case "jdk.JavaMonitorWait" -> activity(event, Activity.Kind.MONITOR_WAIT,
                    lock(event, "monitorClass"));
            default -> { }
        }
    }

    List<Wait> waits() {
        return waits;
    }

    List<Activity> activities() {
        return activities;
    }

    Collection<BlockedGroup> groups() {
        return groups.values();
    }

    private void wait(RecordedEvent event, String kind, Wait.Lock lock, long previousOwner,
            boolean releases) {
        List<String> stack = stacks.of(event.getStackTrace());
        BlockedGroup group = groups.computeIfAbsent(
                new BlockedGroup.Key(
                        kind, lock.lockClass(), Frames.waiter(stack), Frames.entry(stack)),
                BlockedGroup::new);
        Wait wait = new Wait(group, lock, thread(event.getThread()), ns(event.getStartTime()),
                ns(event.getEndTime()), previousOwner, releases);
        group.add(wait.thread(), wait.endNs() - wait.startNs());
        waits.add(wait);
    }

    private void activity(RecordedEvent event, Activity.Kind kind, Wait.Lock lock) {
        List<String> stack = stacks.of(event.getStackTrace());
        if (stack.isEmpty() || event.getThread() == null) {
            return;
        }
        String host = event.hasField("host") ? event.getString("host") : null;
        if (event.hasField("address") && (host == null || host.isEmpty()) && lock == null) {
            host = event.getString("address");
        }
        boolean socket = event.hasField("port");
        boolean read = kind == Activity.Kind.SOCKET_READ;
        long bytes = socket ? event.getLong(read ? "bytesRead" : "bytesWritten") : 0;
        long timeoutMs = read ? event.getDuration("timeout").toMillis() : 0;
        String name = event.getThread().getJavaName();
        activities.add(new Activity(kind, thread(event.getThread()),
                name == null ? Frames.UNKNOWN : name, ns(event.getStartTime()),
                ns(event.getEndTime()), stack, lock, host, socket ? event.getInt("port") : 0,
                Math.max(0, bytes), timeoutMs));
    }

    /** A park with a time limit: its end does not show that the lock was let go. */
    private static boolean isTimed(RecordedEvent event) {
        return event.hasField("timeout") && event.getLong("timeout") > 0
                || event.hasField("until") && event.getLong("until") > 0;
    }

    private static Wait.Lock lock(RecordedEvent event, String field) {
        RecordedClass lockClass = event.getClass(field);
        return new Wait.Lock(lockClass == null ? Frames.UNKNOWN : lockClass.getName(),
                event.hasField("address") ? event.getLong("address") : 0);
    }

    private static long thread(RecordedThread thread) {
        return thread == null ? Wait.NOBODY : thread.getId();
    }

    private static long ns(Instant time) {
        return time.getEpochSecond() * NS_PER_S + time.getNano();
    }
}
