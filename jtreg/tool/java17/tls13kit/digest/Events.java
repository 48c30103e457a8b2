// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;

/** Which events are waits for a lock, and which are something that a holder may have been doing? */
final class Events {
    /** The time that a sample stands for: the period of the settings shipped with the JDK. */
    private static final long SAMPLE_NS = 20_000_000;
    private static final int MAX_HOSTS = 1000;
    private static final int MAX_LOCKS = 1000;
    private static final int MAX_CLASSES = 1000;

    private final Stacks stacks = new Stacks();
    private final Map<BlockedGroup.Key, BlockedGroup> groups = new HashMap<>();
    private final Map<String, String> hosts = new HashMap<>();
    private final Map<Wait.Lock, Wait.Lock> locks = new HashMap<>();
    /** The reader has one object for each class and chunk, and builds its name on each call. */
    private final Map<RecordedClass, String> classNames = new IdentityHashMap<>();
    private final Entry entry;
    private final LostPlaces lost;
    private final Batch batch;

    Events(Entry entry, OpenWaits dumps, Batch batch) {
        this.entry = entry;
        this.lost = new LostPlaces(dumps);
        this.batch = batch;
    }

    /** Takes an event whose use is ACTIVITY, with its shape, its end and its thread. */
    void accept(RecordedEvent event, EventShape shape, long endNs, Threads.Known thread) {
        Activity.Kind kind = shape.kind();
        CallStack stack = stacks.of(event.getStackTrace());
        long startNs = Times.ns(event.getStartTime());
        switch (kind) {
            case MONITOR_ENTER -> {
                Wait.Lock lock = lock(event, shape, "monitorClass");
                long owner = entry.threads.of(event.getThread("previousOwner")).id();
                BlockedGroup group = ofMonitor(stack, lock, thread.id(), startNs, endNs);
                wait(new Wait(
                        kind, thread, startNs, endNs, stack, lock, group, owner, true));
            }
            case PARK -> {
                Wait.Lock lock = lock(event, shape, "parkedClass");
                if (LockClasses.isLock(lock.lockClass())) {
                    wait(new Wait(kind, thread, startNs, endNs, stack, lock,
                            group(stack, false, lock), Wait.NOBODY, !isTimed(event, shape)));
                }
            }
            case MONITOR_WAIT -> activity(kind, thread, startNs, endNs, stack,
                    lock(event, shape, "monitorClass"), null);
            case SAMPLE -> {
                Threads.Known running = entry.threads.of(event.getThread("sampledThread"));
                entry.selfTime.accept(stack);
                entry.busyTime.accept(running, stack);
                activity(kind, running, endNs - SAMPLE_NS, endNs, stack, null, null);
            }
            case SOCKET_READ -> activity(kind, thread, startNs, endNs, stack, null,
                    io(event, "bytesRead", event.getDuration("timeout").toMillis()));
            case SOCKET_WRITE -> activity(kind, thread, startNs, endNs, stack, null,
                    io(event, "bytesWritten", 0));
            default -> activity(kind, thread, startNs, endNs, stack, null, null);
        }
    }

    Collection<BlockedGroup> groups() {
        return groups.values();
    }

    private BlockedGroup ofMonitor(
            CallStack stack, Wait.Lock lock, long thread, long startNs, long endNs) {
        if (!stack.frames.isEmpty()) {
            BlockedGroup group = group(stack, true, lock);
            lost.add(group.key);
            return group;
        }
        return lost.placeOf(thread, lock.lockClass(), startNs, endNs)
                .map(this::group).orElseGet(() -> group(stack, true, lock));
    }

    private BlockedGroup group(CallStack stack, boolean monitor, Wait.Lock lock) {
        BlockedGroup last = stack.lastGroup;
        // CallStack.NONE is the same in all recordings, so its last group may be of another one.
        if (last == null || stack == CallStack.NONE || stack.lastIsMonitor != monitor
                || !last.key.lockClass().equals(lock.lockClass())) {
            stack.lastIsMonitor = monitor;
            stack.lastGroup = group(new BlockedGroup.Key(
                    LockClasses.kind(monitor, lock.lockClass(), stack.waiter),
                    lock.lockClass(), stack.waiter, stack.entry()));
        }
        return stack.lastGroup;
    }

    private BlockedGroup group(BlockedGroup.Key key) {
        return groups.computeIfAbsent(key, BlockedGroup::new);
    }

    private void wait(Wait wait) {
        wait.group.add(wait.thread, wait.endNs - wait.startNs);
        entry.timeline.add(wait.startNs, wait.endNs);
        batch.add(wait);
    }

    private void activity(Activity.Kind kind, Threads.Known thread, long startNs, long endNs,
            CallStack stack, Wait.Lock lock, Activity.Io io) {
        Activity activity = new Activity(kind, thread.id(), thread.name(), startNs, endNs, stack,
                lock, io);
        if (activity.hasPlace()) {
            batch.add(activity);
            entry.slow.accept(activity);
        }
    }

    private Activity.Io io(RecordedEvent event, String bytes, long timeoutMs) {
        String host = event.getString("host");
        if (host == null || host.isEmpty()) {
            host = event.getString("address");
        }
        String known = host == null ? null : known(host, hosts, MAX_HOSTS);
        return new Activity.Io(known, event.getInt("port"),
                Math.max(0, event.getLong(bytes)), timeoutMs);
    }

    /** Returns one object for equal ones, as one for each event would fill the heap. */
    private static <T> T known(T one, Map<T, T> known, int most) {
        if (known.size() >= most) {
            known.clear();
        }
        T first = known.putIfAbsent(one, one);
        return first == null ? one : first;
    }

    /** Has the park a time limit? Its end then does not show that the lock was released. */
    private static boolean isTimed(RecordedEvent event, EventShape shape) {
        return shape.hasTimeout() && event.getLong("timeout") > 0
                || shape.hasUntil() && event.getLong("until") > 0;
    }

    private Wait.Lock lock(RecordedEvent event, EventShape shape, String field) {
        RecordedClass lockClass = event.getClass(field);
        if (classNames.size() >= MAX_CLASSES) {
            classNames.clear();
        }
        return known(new Wait.Lock(lockClass == null ? Frames.UNKNOWN
                : classNames.computeIfAbsent(lockClass, one -> one.getName().intern()),
                shape.hasAddress() ? event.getLong("address") : 0), locks, MAX_LOCKS);
    }
}
