// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** What have this process and its helpers spent, and how much memory do they occupy? */
final class ProcessCosts {
    private final Map<String, CpuTime> processes = new LinkedHashMap<>();
    private boolean collects;

    ProcessCosts() {
        add(CpuTime.SELF);
    }

    /** Adds a process whose costs are the service's too: the one that ends TLS in front of it. */
    void add(long pid) {
        add(Long.toString(pid));
    }

    private synchronized void add(String process) {
        processes.put(process, new CpuTime(process));
    }

    /** Whether to report memory without garbage, too; each reading then runs a collection. */
    synchronized void collects(boolean told) {
        collects = told;
    }

    /**
     * By name: {@code cost.cpu_ns}, without the JIT compiler's {@code cost.jit_ns}; {@code
     * cost.allocated_bytes}, {@code cost.gc_count}, {@code cost.gc_ms}; {@code cost.resident_bytes}
     * is what all processes occupy now. {@code cost.occupied_bytes} has live objects in place of
     * the heap, all of which must be resident from the start: -Xms, -XX:+AlwaysPreTouch.
     */
    synchronized Map<String, Long> values() {
        long liveBytes = 0;
        if (collects) {
            System.gc();
            MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
            liveBytes = heap.getUsed() - heap.getCommitted();
        }
        long residentBytes =
            processes.keySet().stream().mapToLong(ProcessCosts::residentBytes).sum();
        Costs jvm = Costs.now(processes.values());
        Map<String, Long> values = new TreeMap<>();
        values.put("cost.cpu_ns", jvm.cpuNanos);
        values.put("cost.jit_ns", jvm.jitNanos);
        // 0: not known.
        values.put("cost.allocated_bytes",
            Costs.countsAllocationAtOnce() ? jvm.allocatedBytes : 0);
        values.put("cost.gc_count", jvm.collections);
        values.put("cost.gc_ms", jvm.collectionMs);
        values.put("cost.resident_bytes", residentBytes);
        if (collects) {
            values.put("cost.occupied_bytes", residentBytes + liveBytes);
        }
        return values;
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
