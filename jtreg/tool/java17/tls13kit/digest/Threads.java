// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.IdentityHashMap;
import java.util.Map;
import jdk.jfr.consumer.RecordedThread;

/** Which thread is it? Asked once for each object of the reader: one for each thread and chunk. */
final class Threads {
    /** Beyond this number they are forgotten: some programs have a thread for each request. */
    private static final int MAX_KNOWN = 1 << 14;
    private static final Known NOBODY = new Known(Wait.NOBODY, Frames.UNKNOWN);

    private final Map<RecordedThread, Known> known = new IdentityHashMap<>();
    private final LongMap virtual = new LongMap();
    private boolean virtualUsed;

    /**
     * One thread.
     *
     * @param id as in a thread dump; negative for a thread that is not a Java thread, and
     *     {@link Wait#NOBODY} if the event has none
     * @param name its Java name, or {@link Frames#UNKNOWN}
     */
    record Known(long id, String name) {}

    Known of(RecordedThread thread) {
        if (thread == null) {
            return NOBODY;
        }
        Known one = known.get(thread);
        if (one == null) {
            if (known.size() >= MAX_KNOWN) {
                known.clear();
            }
            one = read(thread);
            known.put(thread, one);
        }
        return one;
    }

    /** What is known of virtual threads; a JDK before 21 has none. */
    Map<String, Object> virtualToJson() {
        return Json.object("used", virtualUsed || virtual.size() > 0, "shown", virtual.size());
    }

    /** Takes what a thread dump shows of virtual threads. */
    void accept(ThreadDump dump) {
        dump.carried().forEach(virtual::add);
        virtualUsed |= dump.usesVirtualThreads();
    }

    private Known read(RecordedThread thread) {
        long id = thread.getJavaThreadId();
        String name = thread.getJavaName();
        if (thread.hasField("virtual") && thread.getBoolean("virtual")) {
            virtual.add(id);
        }
        return new Known(id > 0 ? id : -1 - thread.getId(), name == null ? Frames.UNKNOWN : name);
    }
}
