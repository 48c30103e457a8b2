// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * How many bytes does a call allocate? By the JVM's own count for the thread, which no busy machine
 * changes. The least of many calls: what is made once, or by a compiler's choice, does not count.
 */
final class AllocatedBytes {
    private static final int CALLS = 60;

    // Small ones, as those that are looked for: a counter that counts in large steps won't do.
    private static final int KNOWN_ARRAYS = 64;
    private static final int KNOWN_ARRAY_BYTES = 1024;
    private static final int KNOWN_BYTES = KNOWN_ARRAYS * KNOWN_ARRAY_BYTES;

    /** For the kit's own tests: a JVM that does not count must make no test pass. */
    private static final boolean DISARMED =
        "off".equals(System.getProperty("allocation.counted"));

    // Else a compiler might find that nobody wants the arrays.
    private static volatile byte[] known;

    private AllocatedBytes() { }

    /**
     * Ends the case as inconclusive where the JVM does not count, as not applicable where the image
     * lacks the module jdk.management.
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

    /** While counting is off, each answer is -1, and each difference 0: a fixed build's figure. */
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
