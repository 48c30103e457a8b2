// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What does java.net.http make of one answer in frames, on the second stream of a connection? What
 * the application sees, which streams the client resets by which code, and
 * whether the next request is on the same connection.
 */
abstract class FrameRows implements Topic {
    static final byte[] NO_SETTINGS = {};

    /** Two texts of the client for the same: which of them comes is a race. */
    private static final Pattern RESET =
        Pattern.compile("Received RST_STREAM: [^<;]*[^<; ]|RST_STREAM received");

    /** Of a row that is known to hang on some builds. */
    static final int SHORT_MS = 2_000;

    private static final int SETTLING_MS = 1_500;

    private final NetUser user = new NetUser() {
        @Override
        HttpClient.Builder builder() throws GeneralSecurityException {
            return super.builder().version(HttpClient.Version.HTTP_2);
        }
    };
    private final String area;
    private TopicRows rows;

    FrameRows(String area) {
        this.area = area;
    }

    @Override
    public final String name() {
        return area;
    }

    @Override
    public final void declare(TopicRows declared) {
        rows = declared;
        table();
    }

    /** Calls {@link #row} for each row. */
    abstract void table();

    /** GET, answered by these frames. */
    final TopicRow row(String id, String does, byte[]... frames) {
        return row("GET", id, does, NO_SETTINGS, Frames.join(frames), false);
    }

    /** GET, answered by these frames, after which the peer closes the connection. */
    final void cut(String id, String does, byte[]... frames) {
        row("GET", id, does, NO_SETTINGS, Frames.join(frames), true);
    }

    final TopicRow row(String method, String id, String does, byte[] settings, byte[] frames,
            boolean closes) {
        return rows.row(area + "." + id,
            "java.net.http, HTTP/2: " + method + " is answered by " + does,
            () -> {
                try (FramePeer peer = new FramePeer(settings, frames, closes)) {
                    return seen(peer, method);
                }
            });
    }

    private String seen(FramePeer peer, String method) throws Exception {
        user.send(Ask.get(peer.url("/first")));
        String seen = RESET.matcher(user.see(Ask.any(method, peer.url("/x"))))
            .replaceAll("RST_STREAM received");
        peer.settle(SETTLING_MS);
        int requests = peer.requests();
        String resets = resets(peer);
        String next = user.see(Ask.get(peer.url("/next")));
        boolean isSame = peer.connections() == 1;
        // Whether a GOAWAY still gets out before the client closes is a race; a reset is not one.
        return seen + "; " + (isSame ? resets : "")
            + (requests == 1 ? "" : repeats(seen, method, requests)) + "next: " + next
            + (isSame ? " on the same connection" : " on a new connection");
    }

    /** What a server has refused may be sent again (RFC 9113 8.7): it ends in a reply. */
    private static String repeats(String seen, String method, int requests) {
        return method + (seen.startsWith("200") ? " tried " : " sent ") + requests + " times; ";
    }

    private static String resets(FramePeer peer) {
        List<String> resets = new ArrayList<>();
        for (String frame : peer.frames()) {
            // Whether what it gives up is also cancelled is a race.
            if (frame.startsWith("RST_STREAM") && !frame.contains("CANCEL")) {
                resets.add(frame);
            }
        }
        return resets.isEmpty() ? "" : "the client sends " + resets + "; ";
    }
}
