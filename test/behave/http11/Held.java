// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.lang.ref.WeakReference;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;

/** Is what an application gave to java.net.http let go when the request is over? */
final class Held implements Topic {
    private static final int WITHIN_MS = 15_000;
    private static final int FREED_WITHIN_MS = 2_000;
    private static final int TIMEOUT_S = 3_600;
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    @Override
    public String name() {
        return "held";
    }

    @Override
    public void declare(TopicRows rows) {
        // HTTP_3 of 26 needs a peer of QUIC.
        for (HttpClient.Version version : Arrays.asList(HttpClient.Version.HTTP_1_1, HttpClient.Version.HTTP_2)) {
            rows.row("held.net.timeout." + HttpUser.word(version.name()), "java.net.http, " + version
                + ": a request with a time-out of an hour is answered; is it let go?",
                () -> held(version)).within(WITHIN_MS);
        }
    }

    private static String held(HttpClient.Version version) throws Exception {
        NetUser user = new NetUser() {
            @Override
            HttpClient.Builder builder() throws GeneralSecurityException {
                return super.builder().version(version);
            }
        };
        HttpClient client = user.builder().build();
        byte[] reply = Frames.join(Frames.head200(), Frames.data("ok"));
        WeakReference<HttpRequest> request;
        if (version == HttpClient.Version.HTTP_2) {
            try (FramePeer peer = new FramePeer(FrameRows.NO_SETTINGS, reply, false)) {
                client.send(HttpRequest.newBuilder(peer.url("/first").toURI()).build(),
                    BodyHandlers.discarding());
                request = send(client, peer.url("/x"));
                // The connection remembers its last streams: more come after it.
                send(client, peer.url("/next"));
                return isFreed(request);
            }
        }
        try (WirePeer peer = WirePeer.answering(OK)) {
            request = send(client, peer.url("/x"));
            send(client, peer.url("/next"));
            return isFreed(request);
        }
    }

    /** In a frame of its own, which holds nothing afterwards. */
    private static WeakReference<HttpRequest> send(HttpClient client, java.net.URL url)
            throws Exception {
        HttpRequest request = HttpRequest.newBuilder(url.toURI())
            .timeout(Duration.ofSeconds(TIMEOUT_S)).build();
        client.send(request, BodyHandlers.discarding());
        return new WeakReference<>(request);
    }

    private static String isFreed(WeakReference<?> reference) throws InterruptedException {
        Patience patience = new Patience(FREED_WITHIN_MS);
        do {
            System.gc();
            if (reference.get() == null) {
                return "let go";
            }
            Thread.sleep(20);
        } while (patience.left());
        return "held";
    }
}
