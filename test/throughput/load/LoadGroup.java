// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.MalformedURLException;
import java.net.URL;
import java.util.Map;

/** What do the threads of one group do, over and over? */
final class LoadGroup {
    private static final int MOST_THREADS = 16_384;
    private static final int LONGEST_MS = 600_000;

    final String name;
    final LoadHost host;
    final int threads;
    final long thinkMs;
    final long replyBytes;
    final boolean measured;
    final LoadTarget target;

    /** @throws IllegalArgumentException if a property is missing or not accepted */
    LoadGroup(String name, Values values, Map<String, LoadHost> hosts)
            throws MalformedURLException {
        this.name = name;
        host = hosts.get(values.text("host"));
        if (host == null) {
            throw new IllegalArgumentException("group." + name + ".host=" + values.text("host")
                + ": give one of " + hosts.keySet());
        }
        threads = (int) values.number("threads", 1, MOST_THREADS);
        thinkMs = values.number("think_ms", 0, LONGEST_MS, 0);
        int requestBytes = (int) values.number("request_body_bytes", 0, Integer.MAX_VALUE, 0);
        boolean echo = values.flag("echo", false);
        replyBytes = echo ? requestBytes
            : values.number("response_body_bytes", 0, Integer.MAX_VALUE, 0);
        measured = values.flag("measured", true);
        target = new LoadTarget(
            new URL(host.url + (echo ? "/echo" : "/body?bytes=" + replyBytes)),
            (int) values.number("read_timeout_ms", 0, LONGEST_MS, 0),
            requestBytes,
            values.flag("close_after", false));
    }
}
