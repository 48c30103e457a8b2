// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * How many bytes have this JVM's threads allocated? All but the one that asks, whose reading of
 * counters is no part of a load. By JDK 21's total of the JVM where there is one; else by threads,
 * of which one that has ended counts what it was last seen to have allocated.
 */
final class Allocations {
    private static final int KNOWN_ARRAYS = 64;
    private static final int KNOWN_ARRAY_BYTES = 256;
    private static final int KNOWN_BYTES = KNOWN_ARRAYS * KNOWN_ARRAY_BYTES;
    private static final int TRIES = 3;
    private static volatile byte[] known;

    private final com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Map<Long, Long> bytesByThread = new HashMap<>();
    private Boolean atOnce;

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

    /**
     * Whether what a thread has just allocated counts at once. JDK 8 counts it some 400 kB later,
     * which is more than what a handshake allocates.
     */
    synchronized boolean countsAtOnce() {
        if (atOnce == null) {
            atOnce = hasKnown();
        }
        return atOnce;
    }

    /** By another thread that allocates a known amount, and lives on. */
    private boolean hasKnown() {
        ExecutorService allocating = Executors.newSingleThreadExecutor();
        try {
            for (int i = 0; i < TRIES; i++) {
                allocating.submit(Allocations::allocateKnown).get();
                long begin = totalBytes();
                allocating.submit(Allocations::allocateKnown).get();
                long bytes = totalBytes() - begin;
                if (bytes >= KNOWN_BYTES && bytes < 2 * KNOWN_BYTES) {
                    return true;
                }
            }
            return false;
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            allocating.shutdown();
        }
    }

    private static void allocateKnown() {
        for (int i = 0; i < KNOWN_ARRAYS; i++) {
            known = new byte[KNOWN_ARRAY_BYTES];
        }
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
