// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tls13kit.digest.ThreadDump.Dumped;

/**
 * What do repeated thread dumps of a JVM without Flight Recorder say, in the terms of a recording?
 *
 * <p>A sample that the kit takes stands for the time until the next one, so short waits are seen by
 * chance, and long ones to within the distance of two samples. Other dumps may be far apart: a wait
 * that they show, as any for a peer, lasts at least from the first of them to the last. Owners are
 * exact here, and so are those of a ReentrantLock if the dumps were taken with {@code -l}, as the
 * kit does.
 */
final class Samples {
    private static final Pattern FILE = Pattern.compile("samples-(\\d+)\\.txt");
    private static final Pattern NETWORK = Pattern.compile(
            "Socket(?:\\w*putStream|Impl|ChannelImpl)\\.\\w*?([rR]ead|[wW]rite)");
    /** A dump does not name the peer. */
    private static final Activity.Io ANY_PEER = new Activity.Io(null, 0, 0, 0);

    /** Twice the period of the kit's sampler (sampler.py), which may be delayed. */
    private static final long LONGEST_NS = 1_000_000_000;

    /** One dump and the time that it stands for. */
    private record Sample(long atNs, long untilNs, ThreadDump dump) {}

    /** What a thread was seen in by consecutive samples; {@code what} identifies it. */
    private record Spell(Object what, Dumped thread, long fromNs, Sample last, Held held) {}

    /** Who had the lock that a thread waited for. */
    private record Held(Activity owner, boolean inferred) {}

    private final List<Sample> samples = new ArrayList<>();
    private final Entry entry;
    private final StackGroups stacks = new StackGroups();
    private final Map<BlockedGroup.Key, BlockedGroup> groups = new LinkedHashMap<>();

    /** Takes the dumps of one JVM; its entry is named after {@code file}, the first of theirs. */
    private Samples(Path file, List<DumpFile.Timed> dumps, boolean sampled) {
        List<DumpFile.Timed> inOrder = dumps.stream()
                .sorted(Comparator.comparingLong(DumpFile.Timed::atNs)).toList();
        boolean isTimed = inOrder.get(0).atNs() != DumpFile.UNKNOWN_NS;
        List<Long> timesNs = new ArrayList<>();
        inOrder.forEach(one -> timesNs.add(isTimed ? one.atNs() : 0));
        long spanNs = timesNs.get(timesNs.size() - 1) - timesNs.get(0);
        // The last one stands for as long as the others do on average.
        timesNs.add(timesNs.get(0) + spanNs + spanNs / Math.max(1, timesNs.size() - 1));
        for (DumpFile.Timed one : inOrder) {
            long atNs = timesNs.get(samples.size());
            long nextNs = timesNs.get(samples.size() + 1);
            samples.add(new Sample(
                    atNs, sampled ? Math.min(nextNs, atNs + LONGEST_NS) : atNs, one.dump()));
        }
        entry = new Entry(file, timesNs.get(0), samples.get(samples.size() - 1).untilNs);
    }

    /**
     * The entry of files with dumps of one JVM; a sample cut short before its dump is left out.
     * Throws IOException with a one-line message if there is no dump.
     */
    static Map<String, Object> read(List<DumpFile> files) throws IOException {
        Path first = files.get(0).file();
        List<DumpFile.Timed> dumps = new ArrayList<>();
        files.forEach(one -> dumps.addAll(one.dumps()));
        if (dumps.isEmpty()) {
            throw new IOException("has no thread dump");
        }
        boolean sampled = files.get(0).sampled();
        Samples all = new Samples(first, dumps, sampled);
        Matcher named = FILE.matcher(first.getFileName().toString());
        all.entry.jvm.setPid(named.matches() ? Long.valueOf(named.group(1)) : null);
        all.samples.forEach(sample -> all.entry.jvm.setVersion(sample.dump.version()));
        files.forEach(one -> all.entry.add(one.shapes(), one.unread()));
        all.read();
        List<ThreadDump> inOrder = all.samples.stream().map(Sample::dump).toList();
        Map<String, Object> json = all.entry.toJson(
                "sampled", true, Map.of(), all.groups.values(), List.of());
        json.put("hang", sampled ? null : Hang.of(inOrder));
        json.put("stacks", sampled ? List.of() : all.stacks.toJson());
        return json;
    }

    private void read() {
        Map<Long, Spell> spells = new HashMap<>();
        for (Sample sample : samples) {
            entry.threads.accept(sample.dump);
            entry.busyTime.accept(sample.dump);
            stacks.accept(sample.atNs, sample.dump);
            Map<Long, Spell> still = new HashMap<>();
            Map<Dumped, Activity> owners = new HashMap<>();
            for (Dumped thread : sample.dump.threads()) {
                entry.lastSeenNs.raise(thread.thread(), sample.atNs);
                Object what = thread.wants() != null ? thread.place()
                        : isNetwork(kind(thread)) ? thread.stack().frames : null;
                if (what != null) {
                    Spell before = spells.get(thread.thread());
                    boolean same = before != null && before.what.equals(what)
                            && spells.remove(thread.thread(), before);
                    if (same) {
                        explain(before, sample.atNs);
                    }
                    still.put(thread.thread(), new Spell(what, thread,
                            same ? before.fromNs : sample.atNs, sample,
                            held(sample, thread, owners)));
                }
            }
            spells.values().forEach(this::end);
            spells = still;
        }
        spells.values().forEach(this::end);
    }

    private static Held held(Sample sample, Dumped waiter, Map<Dumped, Activity> owners) {
        Dumped known = sample.dump.ownerOf(waiter.wants());
        Dumped owner = known != null ? known : likelyOwner(sample.dump, waiter);
        return owner == null ? null : new Held(owners.computeIfAbsent(owner,
                one -> activity(one, sample.atNs, sample.untilNs)), known == null);
    }

    /** Without {@code -l} a dump does not name the owner of a lock that is not a monitor. */
    private static Dumped likelyOwner(ThreadDump dump, Dumped waiter) {
        return waiter.wants() == null || waiter.wants().monitor() ? null
                : dump.likelyOwnerOf(waiter.wants(), waiter.place());
    }

    /** The holder in the last sample has had the lock since then. */
    private void explain(Spell spell, long untilNs) {
        if (spell.held != null) {
            group(spell.thread.place()).explain(
                    spell.held.owner, spell.held.inferred, untilNs - spell.last.atNs);
        }
    }

    private void end(Spell spell) {
        if (spell.what instanceof BlockedGroup.Key place) {
            explain(spell, spell.last.untilNs);
            group(place).add(spell.thread.thread(), spell.last.untilNs - spell.fromNs);
            entry.timeline.add(spell.fromNs, spell.last.untilNs);
        } else {
            entry.slow.accept(activity(spell.thread, spell.fromNs, spell.last.atNs));
        }
    }

    private BlockedGroup group(BlockedGroup.Key place) {
        return groups.computeIfAbsent(place, BlockedGroup::new);
    }

    private static Activity activity(Dumped thread, long fromNs, long untilNs) {
        Activity.Kind kind = kind(thread);
        return new Activity(kind, thread.thread(), thread.name(), fromNs, untilNs, thread.stack(),
                null, isNetwork(kind) ? ANY_PEER : null);
    }

    /** The kind of event that a recording would have had. */
    private static Activity.Kind kind(Dumped thread) {
        if (thread.wants() != null) {
            return thread.wants().monitor() ? Activity.Kind.MONITOR_ENTER : Activity.Kind.PARK;
        }
        for (String frame : thread.stack().frames) {
            if (!Frames.isPlumbing(frame)) {
                break;
            }
            Matcher network = NETWORK.matcher(frame);
            if (network.find()) {
                return network.group(1).equalsIgnoreCase("read")
                        ? Activity.Kind.SOCKET_READ : Activity.Kind.SOCKET_WRITE;
            }
        }
        String state = thread.state();
        return state.contains("sleeping") ? Activity.Kind.SLEEP
                : state.contains("monitor") ? Activity.Kind.MONITOR_WAIT
                : state.contains("parking") ? Activity.Kind.PARK : Activity.Kind.SAMPLE;
    }

    private static boolean isNetwork(Activity.Kind kind) {
        return kind == Activity.Kind.SOCKET_READ || kind == Activity.Kind.SOCKET_WRITE;
    }
}
