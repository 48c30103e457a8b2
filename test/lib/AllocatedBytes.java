// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * How many bytes does a call allocate? By the JVM's own count for the thread, which a busy machine
 * does not change. The least of many calls: allocations made only once, or only by a choice of the
 * compiler, do not count.
 */
final class AllocatedBytes {
    private static final int CALLS = 60;

    // Small, like the allocations that the tests look for: a counter with large steps won't do.
    private static final int KNOWN_ARRAYS = 64;
    private static final int KNOWN_ARRAY_BYTES = 1024;
    private static final int KNOWN_BYTES = KNOWN_ARRAYS * KNOWN_ARRAY_BYTES;

    /** For the kit's own tests: if the JVM does not count, no test may pass. */
    private static final boolean DISARMED =
        "off".equals(System.getProperty("allocation.counted"));

    // Otherwise a compiler might find that the arrays are unused.
    private static volatile byte[] known;

    private AllocatedBytes() { }

    /**
     * The bytes that the call allocates. Ends the case as inconclusive if the JVM does not count
     * them, as not applicable if the runtime image lacks the module jdk.management.
     */
    static long of(TimedCall.Call call, Findings findings) throws Exception {
        try {
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            if (DISARMED) {
                threads.setThreadAllocatedMemoryEnabled(false);
            }
            checkCounts(threads, findings);
            return least(threads, call);
        } catch (NoClassDefFoundError e) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE, "This runtime has no module jdk.management,"
                + " so what a thread allocates cannot be counted.");
        }
    }

    /** With counting off each reading is -1, so each difference is 0: a fixed build's figure. */
    private static void checkCounts(ThreadMXBean threads, Findings findings) throws Exception {
        long counted = least(threads, () -> {
            for (int i = 0; i < KNOWN_ARRAYS; i++) {
                known = new byte[KNOWN_ARRAY_BYTES];
            }
        });
        findings.require(counted >= KNOWN_BYTES && counted < 2 * KNOWN_BYTES, "The JVM counted "
            + counted + " bytes where " + KNOWN_BYTES + " and little more were allocated.");
    }

    private static long least(ThreadMXBean threads, TimedCall.Call call) throws Exception {
        long thread = Thread.currentThread().getId();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < CALLS; i++) {
            long before = threads.getThreadAllocatedBytes(thread);
            call.run();
            least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
        }
        return least;
    }
}
