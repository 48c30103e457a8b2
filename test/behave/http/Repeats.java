// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** How often is a request sent, if its first answer is odd or none? */
final class Repeats implements Topic {
    /** Stands for RST in place of an answer. */
    private static final String RESET = "reset";

    private static final String[] METHODS = {"GET", "POST", "PUT", "DELETE"};
    private static final String LENGTH_5 = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
    private static final String NOTHING = "Content-Length: 0\r\n\r\n";
    private static final String[][] EVENTS = {
        {"closed", "the server closes without a byte", ""},
        {"reset", "the server resets the connection without a byte", RESET},
        {"cut-in-status-line", "the server closes within the status line", "HTTP/1.1 2"},
        {"cut-after-5-bytes", "the server closes after five bytes", "HTTP/"},
        {"cut-after-status-line", "the server closes after the status line", "HTTP/1.1 200 OK\r\n"},
        {"cut-in-head", "the server closes within the head", "HTTP/1.1 200 OK\r\nContent-Le"},
        {"cut-after-head", "the server closes after the head", LENGTH_5},
        {"cut-in-body", "the server closes within the body", LENGTH_5 + "hel"},
        {"cut-after-100", "the server closes after a 100", "HTTP/1.1 100 Continue\r\n\r\n"},
        {"garbage", "the server sends text, and closes", "hello, this is no HTTP at all\r\n\r\n"},
        {"empty-line", "the server sends an empty line, and closes", "\r\n"},
        {"large-head", "a head above the limit of 384 KiB", "HTTP/1.1 200 OK\r\nX-A: "
            + ReplyRows.times(400_000, "a") + "\r\n" + NOTHING},
        {"large-interim", "a 103 above the limit of 384 KiB", "HTTP/1.1 103 Hints\r\nX-A: "
            + ReplyRows.times(400_000, "a") + "\r\n\r\n"},
        {"status-negative", "the status -1", "HTTP/1.1 -1 No\r\n" + NOTHING},
        {"length-odd", "a length that is no number",
            "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"},
        {"chunk-odd", "a chunk size that is no number",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n"},
        {"trailer", "a chunked reply with a trailer",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-T: 1\r\n\r\n"},
        {"204-with-length", "a 204 with a length", "HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\n"},
        {"401", "a 401", "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=a\r\n" + NOTHING},
        {"407", "a 407", "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=a\r\n" + NOTHING},
        {"408", "a 408, and the server closes",
            "HTTP/1.1 408 No\r\nConnection: close\r\n" + NOTHING},
        {"413", "a 413", "HTTP/1.1 413 No\r\n" + NOTHING},
        {"421", "a 421", "HTTP/1.1 421 No\r\n" + NOTHING},
        {"425", "a 425", "HTTP/1.1 425 No\r\n" + NOTHING},
        {"429", "a 429 with Retry-After: 0", "HTTP/1.1 429 No\r\nRetry-After: 0\r\n" + NOTHING},
        {"500", "a 500", "HTTP/1.1 500 No\r\n" + NOTHING},
        {"503", "a 503 with Retry-After: 0", "HTTP/1.1 503 No\r\nRetry-After: 0\r\n" + NOTHING},
        {"505", "a 505", "HTTP/1.1 505 No\r\n" + NOTHING},
    };

    private final HttpUser user;

    Repeats(HttpUser user) {
        this.user = user;
    }

    @Override
    public String name() {
        return "repeat";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String[] event : EVENTS) {
            for (String method : METHODS) {
                for (int kept : new int[] {0, 1}) {
                    rows.row("repeat." + user.name() + "." + event[0] + "."
                        + HttpUser.word(method) + (kept == 0 ? "" : "-on-kept"),
                        user + ": " + method + (kept == 0 ? "" : " on a connection kept alive")
                        + ", answered by: " + event[1] + "; all later ones by 200",
                        () -> repeated(method, event[2], kept));
                }
            }
        }
        for (Ask.BodyKind kind : Ask.BodyKind.values()) {
            for (String[] event : new String[][] {EVENTS[0], EVENTS[2], EVENTS[11]}) {
                rows.row("repeat." + user.name() + "." + event[0] + ".each-time-post-"
                    + HttpUser.word(kind.name()), user + ": a POST, its body "
                    + kind.name().toLowerCase() + ", answered each time by: " + event[1],
                    () -> eachTime(kind, event[2]));
            }
        }
    }

    /** @param kept how many requests go over the connection first */
    private String repeated(String method, String event, int kept) throws Exception {
        try (WirePeer peer = new WirePeer(request -> answer(request, event, kept + 1))) {
            for (int i = 0; i < kept; i++) {
                user.send(Ask.get(peer.url("/first")));
            }
            String seen = user.see(Ask.any(method, peer.url("/x")));
            return seen + "; " + method + count(peer.requests().size() - kept);
        }
    }

    private String eachTime(Ask.BodyKind kind, String event) throws Exception {
        try (WirePeer peer = WirePeer.answering(event + WirePeer.CLOSE)) {
            String seen = user.see(Ask.post(peer.url("/x")).kind(kind));
            return seen + "; POST" + count(peer.requests().size());
        }
    }

    private static String count(int count) {
        return count == 1 ? " sent once" : " sent " + count + " times";
    }

    private static String answer(WireRequest request, String event, int ordinal)
            throws java.io.IOException {
        if (request.ordinal != ordinal) {
            return Redirected.OK;
        }
        if (event.equals(RESET)) {
            request.socket.setSoLinger(true, 0);
            return WirePeer.CLOSE;
        }
        return event.contains("Content-Length: 0") && !event.contains("close") ? event
            : event + WirePeer.CLOSE;
    }
}
