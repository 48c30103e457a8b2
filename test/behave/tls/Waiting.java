// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

/**
 * Does a handshake sleep or wait? Both sides are driven by one thread, so it has nobody to wait
 * for. Counted is how often the thread sleeps or parks, which no load of the machine changes; the
 * least of a few handshakes, as other rows may hold a lock of the JDK's.
 */
public final class Waiting implements Topic {
    private static final int TIMES = 3;

    @Override
    public String name() {
        return "waiting";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String protocol : new String[] {"TLSv1.3", "TLSv1.2"}) {
            rows.row("waiting.handshake." + protocol, "how often does a handshake of " + protocol
                + " between two engines of one thread sleep or wait?", () -> least(protocol))
                .within(15_000);
        }
    }

    private static String least(String protocol) throws Exception {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < TIMES; i++) {
            EngineTalk talk = EngineTalk.rsa(protocol);
            final long begin = waits();
            talk.run();
            least = Math.min(least, waits() - begin);
            if (!talk.client.failure.isEmpty()) {
                return talk.ends();
            }
        }
        return least == 0 ? "never" : least + " times";
    }

    private static long waits() {
        ThreadInfo thread = ManagementFactory.getThreadMXBean()
            .getThreadInfo(Thread.currentThread().getId());
        return thread.getWaitedCount();
    }
}
