// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;

/** What has this JVM spent so far, or in some time? CPU, allocation, collections. */
final class Costs {
    /** USER_HZ is 100 on every architecture of Linux that JDKs are built for. */
    private static final long TICK_NANOS = 10_000_000;

    final long cpuNanos;
    final long allocatedBytes;
    final long collections;
    final long collectionMs;

    private Costs(long cpuNanos, long allocatedBytes, long collections, long collectionMs) {
        this.cpuNanos = cpuNanos;
        this.allocatedBytes = allocatedBytes;
        this.collections = collections;
        this.collectionMs = collectionMs;
    }

    /** What services say that they have spent. */
    static Costs of(List<HostReading> services) {
        return new Costs(sum(services, "cost.cpu_ns"), sum(services, "cost.allocated_bytes"),
            sum(services, "cost.gc_count"), sum(services, "cost.gc_ms"));
    }

    private static long sum(List<HostReading> services, String counter) {
        return services.stream().mapToLong(service -> service.get(counter)).sum();
    }

    static Costs now() {
        long collections = 0;
        long collectionMs = 0;
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections += bean.getCollectionCount();
            collectionMs += bean.getCollectionTime();
        }
        return new Costs(cpu(), allocated(), collections, collectionMs);
    }

    Costs since(Costs earlier) {
        return new Costs(cpuNanos - earlier.cpuNanos, allocatedBytes - earlier.allocatedBytes,
            collections - earlier.collections, collectionMs - earlier.collectionMs);
    }

    Costs plus(Costs other) {
        return new Costs(cpuNanos + other.cpuNanos, allocatedBytes + other.allocatedBytes,
            collections + other.collections, collectionMs + other.collectionMs);
    }

    /** Of this JVM, and of the programs that it started and that have ended. */
    private static long cpu() {
        return reapedNanos() + ((com.sun.management.OperatingSystemMXBean)
            ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /** cutime and cstime of proc(5), in ticks of 10 ms; 0 where there is no /proc. */
    private static long reapedNanos() {
        try {
            String stat = new String(Files.readAllBytes(new File("/proc/self/stat").toPath()),
                StandardCharsets.US_ASCII);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return TICK_NANOS * (Long.parseLong(fields[13]) + Long.parseLong(fields[14]));
        } catch (IOException elsewhere) {
            return 0;
        }
    }

    /** Of the threads that live: those of the load live from before to after the window. */
    private static long allocated() {
        com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            sum += Math.max(0, bytes);
        }
        return sum;
    }
}
