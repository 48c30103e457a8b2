// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.http.HttpClient;
import java.security.GeneralSecurityException;

/**
 * Does a request wait for anything but its reply, which is there at once? The least of many counts:
 * other work on the machine cannot make all of them longer.
 */
final class Delays implements Topic {
    private static final int TIMES = 20;
    private static final int NS_PER_MS = 1_000_000;
    private static final int MOST_MS = 15;

    private final NetUser overHttp2 = new NetUser() {
        @Override
        HttpClient.Builder builder() throws GeneralSecurityException {
            return super.builder().version(HttpClient.Version.HTTP_2);
        }
    };

    @Override
    public String name() {
        return "delay";
    }

    @Override
    public void declare(TopicRows rows) {
        rows.row("delay.net.http2", "java.net.http: how long takes a request over HTTP/2? The least"
            + " of " + TIMES, () -> {
                byte[] reply = Frames.join(Frames.head200(), Frames.data("ok"));
                try (FramePeer peer = new FramePeer(FrameRows.NO_SETTINGS, reply, false)) {
                    return least(overHttp2, peer.url("/x"));
                }
            }).within(10_000);
        rows.row("delay.net.http1", "java.net.http: how long takes a request over HTTP/1.1? The least"
            + " of " + TIMES, () -> ofHttp1(new NetUser())).within(10_000);
        rows.row("delay.url.http1", "HttpURLConnection: how long takes a request? The least of "
            + TIMES, () -> ofHttp1(new UrlUser())).within(10_000);
    }

    private static String ofHttp1(HttpUser user) throws Exception {
        try (WirePeer peer = WirePeer.answering(Redirected.OK)) {
            return least(user, peer.url("/x"));
        }
    }

    private static String least(HttpUser user, java.net.URL url) throws Exception {
        long leastNs = Long.MAX_VALUE;
        for (int i = 0; i < TIMES; i++) {
            long beginNs = System.nanoTime();
            user.send(Ask.get(url));
            leastNs = Math.min(leastNs, System.nanoTime() - beginNs);
        }
        return leastNs / NS_PER_MS < MOST_MS ? "less than " + MOST_MS + " ms"
            : MOST_MS + " ms or more";
    }
}
