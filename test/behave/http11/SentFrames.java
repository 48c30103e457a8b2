// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.CookieManager;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;

/** Which frames and fields does java.net.http send over HTTP/2? */
final class SentFrames implements Topic {
    private static final int FRAME_BYTES = 16_000;
    private static final int BODY_FRAMES = 750;
    private static final byte[] REPLY = Frames.join(Frames.head200(), Frames.data("ok"));
    private static final String[][] FIELDS = {
        {"authorization", "Authorization", "Bearer x"}, {"cookie", "Cookie", "a=b; c=d"},
        {"accept", "Accept", "text/plain"}, {"te", "TE", "trailers"}, {"own", "X-A", "b"},
        {"own-empty", "X-A", ""}, {"own-long", "X-A", ReplyRows.times(300, "b")},
        {"keep-alive", "Keep-Alive", "300"}, {"proxy-connection", "Proxy-Connection", "close"},
        {"transfer-encoding", "Transfer-Encoding", "chunked"},
        {"http2-settings", "HTTP2-Settings", "AAAA"},
        {"proxy-authorization", "Proxy-Authorization", "Basic x"},
        {"referer", "Referer", "http://a/"},
        {"content-type", "Content-Type", "text/plain"}, {"trailer", "Trailer", "X-T"},
    };

    private static final int PING_WITHIN_MS = 3_000;

    private final NetUser user = new NetUser() {
        @Override
        HttpClient.Builder builder() throws GeneralSecurityException {
            return super.builder().version(HttpClient.Version.HTTP_2);
        }
    };
    private TopicRows rows;

    @Override
    public String name() {
        return "h2-sent";
    }

    @Override
    public void declare(TopicRows declared) {
        rows = declared;
        for (String method : new String[] {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS",
            "PATCH", "PROPFIND"}) {
            row("upgrade-" + HttpUser.word(method), "the upgrade request of " + method,
                peer -> upgrade(peer, method));
            row("fields-" + HttpUser.word(method), "the fields of " + method,
                peer -> fields(peer, Ask.any(method, peer.url("/x?y"))));
        }
        rows.row("h2-sent.windows", "java.net.http, HTTP/2: a body of 12 MB comes; is the window of its"
            + " stream raised?", this::windows);
        rows.row("h2-sent.reply-long-field", "java.net.http, HTTP/2: a reply has a field of 300 bytes",
            this::longField);
        row("ping", "is PING answered?", peer -> {
            user.send(Ask.get(peer.url("/first")));
            user.send(Ask.get(peer.url("/x")));
            return peer.settle(PING_WITHIN_MS) ? "answered" : "not answered";
        });
        row("frames-first", "the first frames of a connection", peer -> frames(peer, "GET"));
        row("frames-post", "the frames of a POST", peer -> frames(peer, "POST"));
        row("frames-post-40-kb", "the frames of a POST of 40 kB", peer -> {
            user.send(Ask.get(peer.url("/first")));
            user.send(Ask.post(peer.url("/x")).body(ReplyRows.times(40_000, "b")));
            List<String> frames = peer.frames();
            frames.removeIf(frame -> !frame.startsWith("DATA"));
            return frames.toString();
        });
        for (String[] field : FIELDS) {
            row("field-" + field[0], "GET with " + field[1], peer -> fields(peer,
                Ask.get(peer.url("/x")).field(field[1], field[2])));
        }
        kept("cookie", "a reply sets a cookie", Frames.join(
            Frames.head200("set-cookie", "a=b"), Frames.data("ok")));
        kept("basic", "a reply 401 asks for a password", Frames.headers(Frames.block(
            ":status", "401", "www-authenticate", "Basic realm=\"r\""), true));
        kept("redirect", "a reply 303 leads to /b", Frames.headers(Frames.block(
            ":status", "303", "location", "/b"), true));
        for (Ask.BodyKind kind : Ask.BodyKind.values()) {
            row("body-" + HttpUser.word(kind.name()), "POST, " + kind.name().toLowerCase(),
                peer -> fields(peer, Ask.post(peer.url("/x")).kind(kind)));
        }
    }

    private interface Look {
        String at(FramePeer peer) throws Exception;
    }

    private void row(String id, String does, Look look) {
        rows.row("h2-sent." + id, "java.net.http, HTTP/2: " + does, () -> {
            try (FramePeer peer = new FramePeer(FrameRows.NO_SETTINGS, REPLY, false)) {
                return look.at(peer);
            }
        });
    }

    /** What comes with the requests after an answer that is to be remembered, or followed. */
    private void kept(String id, String does, byte[] answer) {
        rows.row("h2-sent.kept-" + id, "java.net.http, HTTP/2: " + does
            + "; what comes with the next requests?", () -> {
                NetUser keeping = new NetUser() {
                    @Override
                    HttpClient.Builder builder() throws GeneralSecurityException {
                        return super.builder().version(HttpClient.Version.HTTP_2)
                            .cookieHandler(new CookieManager())
                            .authenticator(Challenges.password());
                    }
                };
                try (FramePeer peer = new FramePeer(FrameRows.NO_SETTINGS, answer, false)) {
                    keeping.send(Ask.get(peer.url("/first")).following());
                    StringBuilder seen = new StringBuilder(
                        keeping.see(Ask.post(peer.url("/x")).following()) + ", "
                        + keeping.see(Ask.get(peer.url("/next")).following()));
                    for (byte[] block : peer.blocks()) {
                        seen.append("; ").append(telling(new Hpack(block).fields()));
                    }
                    return seen.toString();
                }
            });
    }

    /** Method, path, cookie and password. */
    private static List<String> telling(List<String> fields) {
        List<String> telling = new ArrayList<>();
        for (String field : fields) {
            if (field.matches("(:method|:path|cookie|authorization)\\b.*")) {
                telling.add(field);
            }
        }
        return telling;
    }

    private String windows() throws Exception {
        byte[] data = Frames.frame(Frames.DATA, 0, Frames.STREAM, new byte[FRAME_BYTES]);
        byte[] reply = Frames.join(Frames.head200(), Frames.times(BODY_FRAMES, data), Frames.data("ok"));
        try (FramePeer peer = new FramePeer(FrameRows.NO_SETTINGS, reply, false)) {
            user.send(Ask.get(peer.url("/first")));
            String seen = user.see(Ask.get(peer.url("/x")));
            peer.settle(FrameRows.SHORT_MS);
            boolean isRaised = false;
            for (String frame : peer.frames()) {
                isRaised |= frame.startsWith("WINDOW_UPDATE(" + Frames.STREAM);
            }
            return seen + "; the window is " + (isRaised ? "raised" : "never raised");
        }
    }

    private String longField() throws Exception {
        byte[] reply = Frames.join(Frames.head200("x-long", ReplyRows.times(300, "b")), Frames.data("ok"));
        try (FramePeer peer = new FramePeer(FrameRows.NO_SETTINGS, reply, false)) {
            user.send(Ask.get(peer.url("/first")));
            java.util.List<String> long300 = user.send(Ask.get(peer.url("/x"))).field("x-long");
            return long300 == null ? "no such field" : long300.get(0).length() + " bytes";
        }
    }

    private String upgrade(FramePeer peer, String method) throws Exception {
        user.send(Ask.any(method, peer.url("/x")));
        return peer.heads().get(0);
    }

    private String fields(FramePeer peer, Ask ask) throws Exception {
        user.send(Ask.get(peer.url("/first")));
        String seen = user.see(ask);
        return seen + "; " + Masked.text(new Hpack(peer.blocks().get(0)).fields().toString());
    }

    private String frames(FramePeer peer, String method) throws Exception {
        user.send(Ask.get(peer.url("/first")));
        user.send(Ask.any(method, peer.url("/x")));
        List<String> sent = new ArrayList<>();
        for (String frame : peer.frames()) {
            if (!frame.startsWith("WINDOW_UPDATE(3")) {
                sent.add(frame);
            }
        }
        return sent.toString();
    }
}
