// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;

/** What has a JVM spent, so far or in an interval? CPU time, allocation, collections. */
final class Costs {
    private static final Allocations ALLOCATIONS = new Allocations();

    /** Without the JIT compiler's CPU time. */
    final long cpuNanos;
    final long jitNanos;
    final long allocatedBytes;
    final long collections;
    final long collectionMs;

    private Costs(long cpuNanos, long jitNanos, long allocatedBytes, long collections,
            long collectionMs) {
        this.cpuNanos = cpuNanos;
        this.jitNanos = jitNanos;
        this.allocatedBytes = allocatedBytes;
        this.collections = collections;
        this.collectionMs = collectionMs;
    }

    /** The sum of what the services report as spent. */
    static Costs of(List<HostReading> services) {
        return new Costs(sum(services, "cost.cpu_ns"), sum(services, "cost.jit_ns"),
            sum(services, "cost.allocated_bytes"), sum(services, "cost.gc_count"),
            sum(services, "cost.gc_ms"));
    }

    private static long sum(List<HostReading> services, String counter) {
        return services.stream().mapToLong(service -> service.get(counter)).sum();
    }

    /** @param processes those whose CPU time counts, including this JVM */
    static Costs now(Collection<CpuTime> processes) {
        long collections = 0;
        long collectionMs = 0;
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections += bean.getCollectionCount();
            collectionMs += bean.getCollectionTime();
        }
        processes.forEach(CpuTime::look);
        return new Costs(processes.stream().mapToLong(CpuTime::workNanos).sum(),
            processes.stream().mapToLong(CpuTime::jitNanos).sum(),
            ALLOCATIONS.totalBytes(), collections, collectionMs);
    }

    /** Whether what was allocated in a short time can be read. */
    static boolean countsAllocationAtOnce() {
        return ALLOCATIONS.countsAtOnce();
    }

    /** What {@link #now} tells of allocation, alone. */
    static long allocatedBytesNow() {
        return ALLOCATIONS.totalBytes();
    }

    Costs since(Costs earlier) {
        return new Costs(cpuNanos - earlier.cpuNanos, jitNanos - earlier.jitNanos,
            allocatedBytes - earlier.allocatedBytes, collections - earlier.collections,
            collectionMs - earlier.collectionMs);
    }

    Costs plus(Costs other) {
        return new Costs(cpuNanos + other.cpuNanos, jitNanos + other.jitNanos,
            allocatedBytes + other.allocatedBytes, collections + other.collections,
            collectionMs + other.collectionMs);
    }
}
