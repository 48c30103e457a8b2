// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;

/** Which events are waits for a lock, and which are something that a holder may have sat in? */
final class Events {
    /** What a sample stands for: the period of the settings shipped with the JDK. */
    private static final long SAMPLE_NS = 20_000_000;

    private final Stacks stacks = new Stacks();
    private final Map<BlockedGroup.Key, BlockedGroup> groups = new HashMap<>();
    private final Map<EventType, Optional<Activity.Kind>> kinds = new IdentityHashMap<>();
    private final Batch batch;
    private final BlockedTimeline timeline;
    private final SlowIo slow;

    Events(Batch batch, BlockedTimeline timeline, SlowIo slow) {
        this.batch = batch;
        this.timeline = timeline;
        this.slow = slow;
    }

    /** Takes any event, with its end and its thread. */
    void accept(RecordedEvent event, long endNs, RecordedThread thread) {
        Activity.Kind kind = kinds.computeIfAbsent(event.getEventType(), Events::kind).orElse(null);
        if (kind == null) {
            return;
        }
        switch (kind) {
            case MONITOR_ENTER -> {
                Wait.Lock lock = lock(event, "monitorClass");
                wait(event, endNs, thread, true, lock, id(event.getThread("previousOwner")), true);
                activity(event, endNs, thread, kind, lock);
            }
            case PARK -> {
                Wait.Lock lock = lock(event, "parkedClass");
                if (LockClasses.isLock(lock.lockClass())) {
                    wait(event, endNs, thread, false, lock, Wait.NOBODY, !isTimed(event));
                    activity(event, endNs, thread, kind, lock);
                }
            }
            case MONITOR_WAIT ->
                    activity(event, endNs, thread, kind, lock(event, "monitorClass"));
            case SAMPLE -> activity(event, endNs, event.getThread("sampledThread"), kind, null);
            default -> activity(event, endNs, thread, kind, null);
        }
    }

    private static Optional<Activity.Kind> kind(EventType type) {
        return Arrays.stream(Activity.Kind.values())
                .filter(kind -> kind.event.equals(type.getName())).findFirst();
    }

    Collection<BlockedGroup> groups() {
        return groups.values();
    }

    private void wait(RecordedEvent event, long endNs, RecordedThread thread, boolean monitor,
            Wait.Lock lock, long previousOwner, boolean releases) {
        CallStack stack = stacks.of(event.getStackTrace());
        BlockedGroup group = groups.computeIfAbsent(
                new BlockedGroup.Key(LockClasses.kind(monitor, lock.lockClass(), stack.waiter),
                        lock.lockClass(), stack.waiter, stack.entry()),
                BlockedGroup::new);
        long startNs = Times.ns(event.getStartTime());
        Wait wait = new Wait(group, lock, id(thread), startNs, endNs,
                previousOwner, releases);
        group.add(wait.thread(), endNs - startNs);
        timeline.add(startNs, endNs);
        batch.add(wait);
    }

    private void activity(RecordedEvent event, long endNs, RecordedThread thread,
            Activity.Kind kind, Wait.Lock lock) {
        CallStack stack = stacks.of(event.getStackTrace());
        if (stack.frames.isEmpty() || thread == null) {
            return;
        }
        String name = thread.getJavaName();
        long startNs = kind == Activity.Kind.SAMPLE
                ? endNs - SAMPLE_NS : Times.ns(event.getStartTime());
        Activity activity = new Activity(kind, id(thread), name == null ? Frames.UNKNOWN : name,
                startNs, endNs, stack, lock, io(event, kind));
        batch.add(activity);
        slow.accept(activity);
    }

    private static Activity.Io io(RecordedEvent event, Activity.Kind kind) {
        boolean read = kind == Activity.Kind.SOCKET_READ;
        if (!read && kind != Activity.Kind.SOCKET_WRITE) {
            return null;
        }
        String host = event.getString("host");
        if (host == null || host.isEmpty()) {
            host = event.getString("address");
        }
        return new Activity.Io(host, event.getInt("port"),
                Math.max(0, event.getLong(read ? "bytesRead" : "bytesWritten")),
                read ? event.getDuration("timeout").toMillis() : 0);
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

    /** The id that a thread dump shows too; below zero for a thread that is not Java's. */
    static long id(RecordedThread thread) {
        if (thread == null) {
            return Wait.NOBODY;
        }
        long id = thread.getJavaThreadId();
        return id > 0 ? id : -1 - thread.getId();
    }
}
