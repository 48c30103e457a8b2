// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tls13kit.digest.ThreadDump.Dumped;

/**
 * What stood still in a JVM that hung? Whatever did not move from the first of its thread dumps to
 * the last.
 */
final class Hang {
    /** A dump that the kit took. All other files are logs, in which JVMs printed their dumps. */
    private static final Pattern FILE = Pattern.compile("hang-(\\d+)-threads-\\d+\\.txt");
    /** The thread that runs main(): in a jtreg test, then in any other program. */
    private static final List<String> MAIN_THREADS = List.of("MainThread", "main");

    private final ThreadDump last;
    /** The threads of the last dump that have stood still so far. */
    private final Set<Dumped> stuck;

    /** A JVM, by the folder of its dumps and its process id, which is null for a log. */
    private record Jvm(Path folder, Long pid) {}

    private Hang(List<ThreadDump> dumps) {
        last = dumps.get(dumps.size() - 1);
        stuck = new LinkedHashSet<>(last.threads());
        for (ThreadDump dump : dumps) {
            Set<Object> there = new HashSet<>();
            dump.threads().forEach(thread -> there.add(identity(thread)));
            stuck.removeIf(thread -> thread.wants() == null || !there.contains(identity(thread)));
        }
    }

    /** Without the address of the lock, which may be moved between dumps. */
    private static Object identity(Dumped thread) {
        return thread.wants() == null ? thread
                : List.of(thread.name(), thread.wants().className(), thread.stack().waiter);
    }

    /** What stood still in the dumps of one JVM, as JSON; its process id is unknown. */
    static Map<String, Object> of(List<ThreadDump> dumps) {
        return new Hang(dumps).toJson(null, dumps.size());
    }

    /** One entry for each JVM; a file without a dump, or that no longer exists, has none. */
    static List<Object> digest(List<Path> files) {
        Map<Jvm, List<ThreadDump>> byJvm = new LinkedHashMap<>();
        for (Path file : files) {
            Matcher named = FILE.matcher(file.getFileName().toString());
            Jvm jvm = new Jvm(file.toAbsolutePath().getParent(),
                    named.matches() ? Long.valueOf(named.group(1)) : null);
            try {
                byte[] text = Files.readAllBytes(file);
                byJvm.computeIfAbsent(jvm, same -> new ArrayList<>())
                        .addAll(ThreadDump.parseAll(new String(text, StandardCharsets.UTF_8)));
            } catch (IOException e) {
                continue;
            }
        }
        List<Object> json = new ArrayList<>();
        byJvm.values().removeIf(List::isEmpty);
        byJvm.forEach((jvm, dumps) -> json.add(Json.object("folder", jvm.folder.toString(),
                "hang", new Hang(dumps).toJson(jvm.pid, dumps.size()))));
        return json;
    }

    private Map<String, Object> toJson(Long pid, int dumps) {
        List<Set<Dumped>> cycles = cycles();
        cycles.forEach(stuck::removeAll);
        Map<Object, List<Dumped>> queues = new LinkedHashMap<>();
        stuck.forEach(thread -> queues.computeIfAbsent(
                List.of(thread.wants(), thread.stack().waiter), lock -> new ArrayList<>())
                .add(thread));
        return Json.object("pid", pid, "dumps", dumps,
                "deadlocks", cycles.stream()
                        .map(cycle -> cycle.stream().map(this::stuck).toList()).toList(),
                "queues", queues.values().stream()
                        .sorted(Comparator.comparingInt((List<Dumped> queue) -> -queue.size()))
                        .map(this::queue).toList(),
                "main_in", mainIn());
    }

    /** Deadlocks: each thread waits for a lock of the next one, the last for one of the first. */
    private List<Set<Dumped>> cycles() {
        List<Set<Dumped>> cycles = new ArrayList<>();
        for (Dumped start : stuck) {
            Set<Dumped> chain = new LinkedHashSet<>();
            Dumped thread = start;
            while (stuck.contains(thread) && chain.add(thread)) {
                thread = last.ownerOf(thread.wants());
            }
            if (thread == start && cycles.stream().noneMatch(cycle -> cycle.contains(start))) {
                cycles.add(chain);
            }
        }
        return cycles;
    }

    private Map<String, Object> stuck(Dumped thread) {
        Dumped owner = last.ownerOf(thread.wants());
        return Json.object("thread", thread.name(), "kind", kind(thread),
                "lock_class", thread.wants().className(), "waits_in", thread.stack().waiter,
                "owner", owner == null ? null : owner.name());
    }

    private Map<String, Object> queue(List<Dumped> threads) {
        Dumped first = threads.get(0);
        Dumped owner = last.ownerOf(first.wants());
        return Json.object("kind", kind(first), "lock_class", first.wants().className(),
                "waits_in", first.stack().waiter,
                "threads", threads.stream().map(Dumped::name).toList(),
                "owner", owner == null ? null : owner.name(),
                "owner_in", owner == null ? null : Frames.waitsIn(owner.stack().frames,
                        owner.heldAt(first.wants(), first.place())));
    }

    private static String kind(Dumped thread) {
        return thread.wants().monitor() ? "monitor" : "lock";
    }

    /** What the main thread waits in, and the frame of the program's own that called it. */
    private List<String> mainIn() {
        Set<String> told = new LinkedHashSet<>();
        last.threads().stream().filter(one -> !one.stack().frames.isEmpty())
                .filter(one -> MAIN_THREADS.contains(one.name()))
                .min(Comparator.comparing(one -> MAIN_THREADS.indexOf(one.name())))
                .map(Dumped::stack).ifPresent(stack -> {
                    told.add(Frames.waitsIn(stack.frames, stack.entryIndex + 1));
                    stack.frames.stream().filter(frame -> !Frames.isOfJdk(frame)).findFirst()
                            .ifPresent(told::add);
                });
        return List.copyOf(told);
    }
}
