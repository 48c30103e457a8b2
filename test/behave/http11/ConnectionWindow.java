// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;

/**
 * Is what comes over HTTP/2 given back to the window of the whole connection (RFC 9113 6.9), also
 * of a body that nobody takes? If not, all streams of the connection stall once it is used up. The
 * windows are small, by the properties of java.net.http that are read for each connection.
 */
final class ConnectionWindow implements Topic {
    private static final int WITHIN_MS = 15_000;
    private static final int SETTLING_MS = 1_500;
    private static final int FRAME_BYTES = 16_000;
    private static final String WINDOW_BYTES = "65536";
    private static final String[] PROPERTIES =
        {"jdk.httpclient.windowsize", "jdk.httpclient.connectionWindowSize"};

    /** What an application does with a reply whose body is 48 kB. */
    private interface Use {
        void of(HttpClient client, HttpRequest request) throws Exception;
    }

    @Override
    public String name() {
        return "h2-window";
    }

    @Override
    public boolean isAlone() {
        return true;
    }

    @Override
    public void declare(TopicRows rows) {
        row(rows, "read", "is read",
            (client, request) -> client.send(request, BodyHandlers.ofByteArray()));
        row(rows, "discarded", "is discarded",
            (client, request) -> client.send(request, BodyHandlers.discarding()));
        row(rows, "refused", "has a subscriber that throws", (client, request) -> {
            try {
                client.send(request, BodyHandlers.ofByteArrayConsumer(part -> {
                    throw new IllegalStateException("on purpose");
                }));
            } catch (java.io.IOException e) {
                // on purpose
            }
        });
    }

    private static void row(TopicRows rows, String id, String does, Use use) {
        rows.row("h2-window." + id, "java.net.http, HTTP/2, a window of 64 kB: a body of 48 kB "
            + does + "; is the connection's window raised?", () -> {
                String[] old = new String[PROPERTIES.length];
                for (int i = 0; i < old.length; i++) {
                    old[i] = System.getProperty(PROPERTIES[i]);
                    System.setProperty(PROPERTIES[i], WINDOW_BYTES);
                }
                try {
                    return raised(use);
                } finally {
                    for (int i = 0; i < old.length; i++) {
                        if (old[i] == null) {
                            System.clearProperty(PROPERTIES[i]);
                        } else {
                            System.setProperty(PROPERTIES[i], old[i]);
                        }
                    }
                }
            }).within(WITHIN_MS);
    }

    private static String raised(Use use) throws Exception {
        NetUser user = new NetUser() {
            @Override
            HttpClient.Builder builder() throws GeneralSecurityException {
                return super.builder().version(HttpClient.Version.HTTP_2);
            }
        };
        byte[] data = Frames.frame(Frames.DATA, 0, Frames.STREAM, new byte[FRAME_BYTES]);
        byte[] reply = Frames.join(Frames.head200(), Frames.times(3, data),
            Frames.data("ok"));
        try (FramePeer peer = new FramePeer(FrameRows.NO_SETTINGS, reply, false)) {
            HttpClient client = user.builder().build();
            client.send(HttpRequest.newBuilder(peer.url("/first").toURI()).build(),
                BodyHandlers.discarding());
            use.of(client, HttpRequest.newBuilder(peer.url("/x").toURI()).build());
            peer.settle(SETTLING_MS);
            return isRaised(peer) ? "raised" : "not raised";
        }
    }

    /** The first frame that raises it comes with the connection's preface. */
    private static boolean isRaised(FramePeer peer) throws InterruptedException {
        Patience patience = new Patience(SETTLING_MS);
        do {
            int count = 0;
            for (String frame : peer.frames()) {
                count += frame.startsWith("WINDOW_UPDATE(0") ? 1 : 0;
            }
            if (count > 1) {
                return true;
            }
            Thread.sleep(10);
        } while (patience.left());
        return false;
    }
}
