// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
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
    private boolean collects;

    ProcessCosts() {
        processes.add(SELF);
    }

    /** A process whose costs are the service's too: what ends TLS in front of it. */
    synchronized void add(long pid) {
        processes.add(Long.toString(pid));
    }

    /** Whether to tell what all processes occupy without garbage; each look is a collection then. */
    synchronized void collects(boolean told) {
        collects = told;
    }

    /**
     * By name: {@code cost.cpu_ns}, {@code cost.allocated_bytes}, {@code cost.gc_count},
     * {@code cost.gc_ms}; {@code cost.resident_bytes} is what all processes occupy now. {@code
     * cost.occupied_bytes} has the live objects in the place of the heap, all of which must be
     * resident from the start: -Xms, -XX:+AlwaysPreTouch.
     */
    synchronized Map<String, Long> values() {
        long liveBytes = 0;
        if (collects) {
            System.gc();
            MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
            liveBytes = heap.getUsed() - heap.getCommitted();
        }
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
        if (collects) {
            values.put("cost.occupied_bytes", residentBytes + liveBytes);
        }
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
