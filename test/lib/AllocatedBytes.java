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

    private AllocatedBytes() { }

    /** @throws CaseEnd as not applicable where the image lacks the module jdk.management */
    static long of(TimedCall.Call call) throws Exception {
        try {
            return least((ThreadMXBean) ManagementFactory.getThreadMXBean(), call);
        } catch (NoClassDefFoundError e) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE, "This runtime has no module jdk.management,"
                + " so what a thread allocates cannot be counted.");
        }
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
