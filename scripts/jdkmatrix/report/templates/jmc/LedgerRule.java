// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.jmc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.openjdk.jmc.common.IMCFrame;
import org.openjdk.jmc.common.IMCStackTrace;
import org.openjdk.jmc.common.IMCThread;
import org.openjdk.jmc.common.item.IItem;
import org.openjdk.jmc.common.item.IItemCollection;
import org.openjdk.jmc.common.item.IItemIterable;
import org.openjdk.jmc.common.item.IMemberAccessor;
import org.openjdk.jmc.common.item.ItemFilters;
import org.openjdk.jmc.common.unit.IQuantity;
import org.openjdk.jmc.common.unit.UnitLookup;
import org.openjdk.jmc.common.util.IPreferenceValueProvider;
import org.openjdk.jmc.flightrecorder.JfrAttributes;
import org.openjdk.jmc.flightrecorder.jdk.JdkAttributes;
import org.openjdk.jmc.flightrecorder.rules.AbstractRule;
import org.openjdk.jmc.flightrecorder.rules.IResult;
import org.openjdk.jmc.flightrecorder.rules.IResultValueProvider;
import org.openjdk.jmc.flightrecorder.rules.ResultBuilder;
import org.openjdk.jmc.flightrecorder.rules.Severity;
import org.openjdk.jmc.flightrecorder.rules.TypedResult;
import org.openjdk.jmc.flightrecorder.rules.util.RulesToolkit.EventAvailability;

/**
 * A known bug of the JDK as a rule of JDK Mission Control: threads wait for a lock in certain
 * methods while another thread sits in others, or one thread waits in certain methods at a time.
 * What it looks for is in its subclasses, which are written from the ledger.
 */
public abstract class LedgerRule extends AbstractRule {
    private static final long NS_PER_MS = 1_000_000;
    /** As much of the waiting has to be explained by whoever sits in the other methods. */
    private static final double LEAST_SHARE = 0.5;
    private static final String TOPIC = "known_jdk_bugs";
    private static final String[] LOCK_WAITS = {"jdk.JavaMonitorEnter", "jdk.ThreadPark"};
    private static final String[] STAYS = {
        "jdk.SocketRead", "jdk.SocketWrite", "jdk.ThreadPark", "jdk.JavaMonitorEnter",
        "jdk.JavaMonitorWait", "jdk.ThreadSleep", "jdk.VirtualThreadPinned"
    };
    /** Where a thread parks for a lock; the frame below has it. */
    private static final List<String> OF_LOCKS =
            List.of("java.util.concurrent.locks.", "jdk.internal.misc.", "sun.misc.Unsafe.");

    private final String title;
    private final String remedy;
    private final Set<String> blockedIn;
    private final Set<String> heldIn;
    private final long minBlockedMs;
    private final Set<String> slowIn;
    private final String[] slowOver;
    private final long minSlowMs;

    protected LedgerRule(
            String id, String title, String remedy, String[] blockedIn, String[] heldIn,
            long minBlockedMs, String[] slowIn, String[] slowOver, long minSlowMs) {
        super(id, id, TOPIC, List.of(), List.of(TypedResult.SCORE), events(slowOver));
        this.title = title;
        this.remedy = remedy;
        this.blockedIn = Set.of(blockedIn);
        this.heldIn = Set.of(heldIn);
        this.minBlockedMs = minBlockedMs;
        this.slowIn = Set.of(slowIn);
        this.slowOver = slowOver;
        this.minSlowMs = minSlowMs;
    }

    /** A recording may lack any of them: what is missing only hides. */
    private static Map<String, EventAvailability> events(String[] slowOver) {
        Map<String, EventAvailability> events = new LinkedHashMap<>();
        for (String event : slowOver) {
            events.put(event, EventAvailability.ENABLED);
        }
        return events;
    }

    /** Of a wait for a lock, which one it is, and, of a monitor, who had it last; else null. */
    private static final class Stay {
        private final IMCThread thread;
        private final long startNs;
        private final long endNs;
        private final IQuantity monitor;
        private final IMCThread owner;
        private final IMCStackTrace stack;

        Stay(
                IMCThread thread, long startNs, long endNs, IQuantity monitor, IMCThread owner,
                IMCStackTrace stack) {
            this.thread = thread;
            this.startNs = startNs;
            this.endNs = endNs;
            this.monitor = monitor;
            this.owner = owner;
            this.stack = stack;
        }

        /** Whether it was called, however deep, from a class that has one of the methods. */
        boolean isWithin(Set<String> methods) {
            return stack.getFrames().stream()
                    .filter(frame -> frame.getMethod() != null)
                    .map(frame -> frame.getMethod().getType().getFullName() + ".")
                    .anyMatch(type -> methods.stream().anyMatch(method ->
                            method.substring(0, method.lastIndexOf('.') + 1).equals(type)));
        }

        long lengthNs() {
            return endNs - startNs;
        }
    }

    @Override
    protected IResult getResult(
            IItemCollection items, IPreferenceValueProvider preferences,
            IResultValueProvider results) {
        String sentence = blockedIn.isEmpty() ? slowSentence(items) : blockedSentence(items);
        ResultBuilder builder = ResultBuilder.createFor(this, preferences);
        if (sentence == null) {
            return builder.setSeverity(Severity.OK).setSummary("Does not show: " + title)
                    .addResult(TypedResult.SCORE, UnitLookup.NUMBER_UNITY.quantity(0)).build();
        }
        return builder.setSeverity(Severity.WARNING).setSummary(title).setExplanation(sentence)
                .setSolution(remedy)
                .addResult(TypedResult.SCORE, UnitLookup.NUMBER_UNITY.quantity(100)).build();
    }

    private String blockedSentence(IItemCollection items) {
        List<Stay> waits = stays(items, LOCK_WAITS, blockedIn, true);
        long waitedMs = waits.stream().mapToLong(Stay::lengthNs).sum() / NS_PER_MS;
        long explainedMs = waitedMs;
        if (!heldIn.isEmpty()) {
            explainedMs = explainedNs(waits, stays(items, STAYS, heldIn, false)) / NS_PER_MS;
        }
        // A fixed build may wait, too, as while classes are loaded; what it is held for is little.
        if (waits.isEmpty() || explainedMs < minBlockedMs || explainedMs < LEAST_SHARE * waitedMs) {
            return null;
        }
        long threads = waits.stream().map(wait -> wait.thread).distinct().count();
        String place = String.join(", ", blockedIn);
        String held = heldIn.isEmpty() ? "" : " while a thread sat in " + String.join(", ", heldIn);
        return threads + " threads waited " + waitedMs + " ms in " + place + held + ".";
    }

    private String slowSentence(IItemCollection items) {
        String[] events = slowOver.length == 0 ? STAYS : slowOver;
        long longestMs = stays(items, events, slowIn, false).stream()
                .mapToLong(stay -> stay.lengthNs() / NS_PER_MS).max().orElse(-1);
        if (longestMs < minSlowMs) {
            return null;
        }
        return "A thread waited " + longestMs + " ms in " + String.join(", ", slowIn) + ".";
    }

    /** For how long the waits were while a holder of their lock stayed in the other methods. */
    private long explainedNs(List<Stay> waits, List<Stay> holders) {
        Map<IQuantity, List<Stay>> byMonitor = new HashMap<>();
        long explainedNs = 0;
        NavigableMap<Long, Long> anyHeld = merged(holders.stream()
                .filter(holder -> holder.isWithin(blockedIn))
                .collect(Collectors.toCollection(ArrayList::new)));
        for (Stay wait : waits) {
            if (wait.owner == null) { // of java.util.concurrent: nobody says who held the lock
                explainedNs += sharedNs(wait, anyHeld);
            } else {
                byMonitor.computeIfAbsent(wait.monitor, monitor -> new ArrayList<>()).add(wait);
            }
        }
        for (List<Stay> ofMonitor : byMonitor.values()) {
            NavigableMap<Long, Long> held = merged(whileOwned(ofMonitor, holders));
            explainedNs += ofMonitor.stream().mapToLong(wait -> sharedNs(wait, held)).sum();
        }
        return explainedNs;
    }

    /**
     * The stays of owners while they had the monitor: from when they got it, if they waited for it
     * themselves, to when the next one did.
     */
    private static List<Stay> whileOwned(List<Stay> waits, List<Stay> holders) {
        List<Stay> owned = new ArrayList<>();
        for (Stay wait : waits) {
            long gotNs = waits.stream()
                    .filter(other -> other.thread.equals(wait.owner) && other.endNs < wait.endNs)
                    .mapToLong(other -> other.endNs).max().orElse(Long.MIN_VALUE);
            for (Stay holder : holders) {
                long startNs = Math.max(holder.startNs, gotNs);
                long endNs = Math.min(holder.endNs, wait.endNs);
                if (holder.thread.equals(wait.owner) && startNs < endNs) {
                    owned.add(new Stay(holder.thread, startNs, endNs, null, null, holder.stack));
                }
            }
        }
        return owned;
    }

    /** The times, from start to end, in which at least one of them is. */
    private static NavigableMap<Long, Long> merged(List<Stay> stays) {
        NavigableMap<Long, Long> times = new TreeMap<>();
        stays.sort(Comparator.comparingLong(stay -> stay.startNs));
        for (Stay stay : stays) {
            Map.Entry<Long, Long> last = times.lastEntry();
            if (last != null && stay.startNs <= last.getValue()) {
                times.put(last.getKey(), Math.max(last.getValue(), stay.endNs));
            } else {
                times.put(stay.startNs, stay.endNs);
            }
        }
        return times;
    }

    private static long sharedNs(Stay wait, NavigableMap<Long, Long> times) {
        Long first = times.floorKey(wait.startNs);
        return times.subMap(first == null ? wait.startNs : first, true, wait.endNs, true)
                .entrySet().stream()
                .mapToLong(time -> Math.min(wait.endNs, time.getValue())
                        - Math.max(wait.startNs, time.getKey()))
                .filter(ns -> ns > 0).sum();
    }

    /** The events of threads in one of the methods: in the innermost frame, or in any. */
    private static List<Stay> stays(
            IItemCollection items, String[] events, Set<String> methods, boolean isInnermost) {
        List<Stay> stays = new ArrayList<>();
        for (IItemIterable ofType : items.apply(ItemFilters.type(events))) {
            var stack = JfrAttributes.EVENT_STACKTRACE.getAccessor(ofType.getType());
            var thread = JfrAttributes.EVENT_THREAD.getAccessor(ofType.getType());
            IMemberAccessor<IQuantity, IItem> start =
                    JfrAttributes.START_TIME.getAccessor(ofType.getType());
            IMemberAccessor<IQuantity, IItem> end =
                    JfrAttributes.END_TIME.getAccessor(ofType.getType());
            var monitor = JdkAttributes.MONITOR_ADDRESS.getAccessor(ofType.getType());
            var owner = JdkAttributes.MONITOR_PREVIOUS_OWNER.getAccessor(ofType.getType());
            if (stack == null || thread == null || start == null || end == null) {
                continue;
            }
            for (IItem event : ofType) {
                IMCThread eventThread = thread.getMember(event);
                if (eventThread != null && isIn(stack.getMember(event), methods, isInnermost)) {
                    stays.add(new Stay(
                            eventThread,
                            start.getMember(event).clampedLongValueIn(UnitLookup.EPOCH_NS),
                            end.getMember(event).clampedLongValueIn(UnitLookup.EPOCH_NS),
                            monitor == null ? null : monitor.getMember(event),
                            owner == null ? null : owner.getMember(event),
                            stack.getMember(event)));
                }
            }
        }
        return stays;
    }

    private static boolean isIn(IMCStackTrace stack, Set<String> methods, boolean isInnermost) {
        if (stack == null) {
            return false;
        }
        for (IMCFrame frame : stack.getFrames()) {
            if (frame.getMethod() == null) {
                continue;
            }
            String method = frame.getMethod().getType().getFullName() + "."
                    + frame.getMethod().getMethodName();
            if (methods.contains(method)) {
                return true;
            }
            if (isInnermost && OF_LOCKS.stream().noneMatch(method::startsWith)) {
                return false;
            }
        }
        return false;
    }
}
