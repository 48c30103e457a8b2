// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * How many bytes have this JVM's threads allocated? All but the one that asks, whose reading of
 * counters is no part of a load. By JDK 21's total of the JVM where there is one; else by threads,
 * of which one that has ended counts what it was last seen to have allocated.
 */
final class Allocations {
    private final com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Map<Long, Long> bytesByThread = new HashMap<>();

    /** @return what was allocated since the JVM began; 0 if it does not count */
    synchronized long totalBytes() {
        if (!threads.isThreadAllocatedMemorySupported()
                || !threads.isThreadAllocatedMemoryEnabled()) {
            return 0;
        }
        long own = Thread.currentThread().getId();
        long total = ofJvm();
        if (total >= 0) {
            return total - threads.getThreadAllocatedBytes(own);
        }
        long[] ids = threads.getAllThreadIds();
        long[] bytes = threads.getThreadAllocatedBytes(ids);
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] != own) {
                bytesByThread.merge(ids[i], bytes[i], Math::max);  // -1: it has just ended
            }
        }
        return bytesByThread.values().stream().mapToLong(each -> Math.max(0, each)).sum();
    }

    /** By reflection, as this is compiled for 8. */
    private long ofJvm() {
        try {
            return (long) com.sun.management.ThreadMXBean.class
                .getMethod("getTotalThreadAllocatedBytes").invoke(threads);
        } catch (ReflectiveOperationException notBefore21) {
            return -1;
        }
    }
}
