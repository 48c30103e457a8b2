// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SSLContext;

/** What is left in memory of a connection that is over? In a JVM of its own, row by row. */
public final class Retained implements Topic {
    private static final int WARM_UP = 30;
    private static final int TIMES = 30;
    private static final int ROUNDS = 3;
    private static final int KB = 1024;

    @Override
    public String name() {
        return "retained";
    }

    @Override
    public List<String> options() {
        return Collections.singletonList("-Xmx128m");
    }

    @Override
    public boolean isAlone() {
        return true;
    }

    @Override
    public void declare(TopicRows rows) {
        for (String protocol : new String[] {"TLSv1.3", "TLSv1.2"}) {
            rows.row("retained.session." + protocol, "connections of " + protocol
                + " between two engines, no session kept: how much memory stays with each?",
                () -> retained(protocol)).within(30_000);
        }
    }

    private static String retained(String protocol) throws Exception {
        SSLContext client = RowsIdentity.clientContext();
        SSLContext server = RowsIdentity.serverContext();
        for (SSLContext context : new SSLContext[] {client, server}) {
            context.getClientSessionContext().setSessionCacheSize(1);
            context.getServerSessionContext().setSessionCacheSize(1);
        }
        connect(WARM_UP, client, server, protocol);
        long[] growths = new long[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            long begin = usedBytes();
            connect(TIMES, client, server, protocol);
            growths[i] = usedBytes() - begin;
        }
        Arrays.sort(growths);
        long each = growths[ROUNDS / 2] / TIMES;
        return each < KB ? "less than 1 kB" : "about " + Math.round((double) each / KB) + " kB";
    }

    private static void connect(int times, SSLContext client, SSLContext server, String protocol) {
        for (int i = 0; i < times; i++) {
            // Another host each time, or its session is resumed.
            EngineTalk talk = new EngineTalk(client, server, "host-" + i + ".example", 443)
                .protocol(protocol).run();
            if (!talk.client.failure.isEmpty()) {
                throw new IllegalStateException(talk.ends());
            }
            talk.client.engine.getSession().invalidate();
            talk.server.engine.getSession().invalidate();
        }
    }

    private static long usedBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
