// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What have this process and those that belong to it spent, and what do they occupy? CPU time is
 * read thread by thread from {@code /proc/PID/task/TID/schedstat} (proc(5)), in ns: the ticks that
 * a JVM tells of itself are 10 ms.
 */
final class ProcessCosts {
    private static final String SELF = "self";

    private final List<String> processes = new ArrayList<>();
    /** By process and thread; of one that has ended what it was seen to have spent. */
    private final Map<String, Long> cpuNanos = new HashMap<>();

    ProcessCosts() {
        processes.add(SELF);
    }

    synchronized void add(long pid) {
        processes.add(Long.toString(pid));
    }

    /**
     * By name: {@code cost.cpu_ns}, {@code cost.allocated_bytes}, {@code cost.gc_count},
     * {@code cost.gc_ms}; {@code cost.resident_bytes} is what all processes occupy now.
     */
    synchronized Map<String, Long> values() {
        long residentBytes = 0;
        for (String process : processes) {
            residentBytes += residentBytes(process);
            for (File task : tasks(process)) {
                cpuNanos.merge(task.getPath(), first(new File(task, "schedstat")), Math::max);
            }
        }
        Costs jvm = Costs.now();
        Map<String, Long> values = new TreeMap<>();
        values.put("cost.cpu_ns", cpuNanos.values().stream().mapToLong(Long::longValue).sum());
        values.put("cost.allocated_bytes", jvm.allocatedBytes);
        values.put("cost.gc_count", jvm.collections);
        values.put("cost.gc_ms", jvm.collectionMs);
        values.put("cost.resident_bytes", residentBytes);
        return values;
    }

    private static File[] tasks(String process) {
        File[] tasks = new File("/proc/" + process + "/task").listFiles();
        return tasks == null ? new File[0] : tasks;
    }

    /** The first number of a file; 0 where its thread has ended. */
    private static long first(File file) {
        try {
            String text = new String(Files.readAllBytes(file.toPath()), StandardCharsets.US_ASCII);
            return Long.parseLong(text.trim().split(" ")[0]);
        } catch (IOException ended) {
            return 0;
        }
    }

    private static long residentBytes(String process) {
        try {
            for (String line : Files.readAllLines(new File("/proc/" + process + "/status").toPath(),
                    StandardCharsets.US_ASCII)) {
                if (line.startsWith("VmRSS:")) {
                    return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
                }
            }
        } catch (IOException ended) {
            return 0;
        }
        return 0;
    }
}
