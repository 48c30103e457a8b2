// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tls13kit.digest.ThreadDump.Dumped;

/**
 * What do thread dumps of a JVM without Flight Recorder say, taken again and again, in the words
 * of a recording?
 *
 * <p>A sample stands for the time until the next one, so short waits are seen by chance and long
 * ones to within the distance of two samples. A wait for a peer lasts at least from the first
 * sample to the last that show it. Owners are exact here, of a ReentrantLock too.
 */
final class Samples {
    private static final String MARK = "# sampled at ";
    private static final Pattern MARKS = Pattern.compile("^" + MARK + "(\\d+)$", Pattern.MULTILINE);
    private static final Pattern FILE = Pattern.compile("samples-(\\d+)\\.txt");
    private static final Pattern NETWORK = Pattern.compile(
            "Socket(?:\\w*putStream|Impl|ChannelImpl)\\.\\w*?([rR]ead|[wW]rite)");
    /** No dump tells them. */
    private static final Activity.Io ANY_PEER = new Activity.Io(null, 0, 0, 0);

    /** One dump and the time that it stands for. */
    private record Sample(long atNs, long untilNs, ThreadDump dump) {}

    /** What a thread was seen in by samples in a row; {@code what} tells one such from another. */
    private record Spell(Object what, Dumped thread, long fromNs, long lastNs) {}

    private final List<Sample> samples = new ArrayList<>();
    private final Entry entry;
    private final Map<BlockedGroup.Key, BlockedGroup> groups = new LinkedHashMap<>();

    /** Throws IOException with one line if there is no whole dump; one cut short is left out. */
    private Samples(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        Map<Long, ThreadDump> dumps = new LinkedHashMap<>();
        String[] parts = MARKS.split(text, -1);
        Matcher marks = MARKS.matcher(text);
        for (int i = 1; marks.find(); i++) {
            long atNs = Long.parseLong(marks.group(1)) * 1_000_000;
            ThreadDump.parseAll(parts[i]).stream().findFirst()
                    .ifPresent(dump -> dumps.put(atNs, dump));
        }
        if (dumps.isEmpty()) {
            throw new IOException("has no thread dump");
        }
        List<Long> timesNs = new ArrayList<>(dumps.keySet());
        long spanNs = timesNs.get(timesNs.size() - 1) - timesNs.get(0);
        // The last one stands for the mean of the others.
        timesNs.add(timesNs.get(0) + spanNs + spanNs / Math.max(1, timesNs.size() - 1));
        dumps.forEach((atNs, dump) ->
                samples.add(new Sample(atNs, timesNs.get(samples.size() + 1), dump)));
        entry = new Entry(file, timesNs.get(0), timesNs.get(timesNs.size() - 1));
    }

    /** Does the file begin as such samples do? */
    static boolean areIn(Path file) throws IOException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] head = in.readNBytes(MARK.length());
            return new String(head, StandardCharsets.US_ASCII).equals(MARK);
        }
    }

    static Map<String, Object> read(Path file) throws IOException {
        Samples all = new Samples(file);
        Matcher named = FILE.matcher(file.getFileName().toString());
        all.entry.jvm.setPid(named.matches() ? Long.valueOf(named.group(1)) : null);
        all.read();
        return all.entry.toJson("sampled", true, Map.of(), all.groups.values(), List.of());
    }

    private void read() {
        Map<Long, Spell> spells = new HashMap<>();
        for (Sample sample : samples) {
            entry.threads.accept(sample.dump);
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
                    still.put(thread.thread(), new Spell(what, thread,
                            same ? before.fromNs : sample.atNs, sample.atNs));
                }
                Dumped owner = sample.dump.ownerOf(thread.wants());
                if (owner != null) {
                    group(thread.place()).explain(owners.computeIfAbsent(owner,
                            one -> activity(one, sample.atNs, sample.untilNs)),
                            false, sample.untilNs - sample.atNs);
                }
            }
            spells.values().forEach(spell -> end(spell, sample.atNs));
            spells = still;
        }
        spells.values().forEach(spell -> end(spell, entry.endNs));
    }

    private void end(Spell spell, long untilNs) {
        if (spell.what instanceof BlockedGroup.Key place) {
            group(place).add(spell.thread.thread(), untilNs - spell.fromNs);
            entry.timeline.add(spell.fromNs, untilNs);
        } else {
            entry.slow.accept(activity(spell.thread, spell.fromNs, spell.lastNs));
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

    /** What a recording would have called it. */
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
