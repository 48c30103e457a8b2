// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.nio.charset.StandardCharsets;

/** What becomes of a body that waits for 100, by the answer to its head? */
final class Expects implements Topic {
    private static final int SHORT_MS = 2_500;
    private static final String END = "Content-Length: 0\r\n\r\n";
    private static final String[][] ANSWERS = {
        {"100", "HTTP/1.1 100 Continue\r\n\r\n"},
        {"100-twice", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"},
        {"100-without-reason", "HTTP/1.1 100\r\n\r\n"},
        {"100-with-field", "HTTP/1.1 100 Continue\r\nX-A: b\r\n\r\n"},
        {"100-in-1-0", "HTTP/1.0 100 Continue\r\n\r\n"},
        {"103-100", "HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"},
        {"102-100", "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"},
        {"200", "HTTP/1.1 200 OK\r\n" + END},
        {"201-close", "HTTP/1.1 201 Made\r\nConnection: close\r\n" + END},
        {"204", "HTTP/1.1 204 No\r\n\r\n"},
        {"302", "HTTP/1.1 302 Go\r\nLocation: /b\r\n" + END},
        {"307", "HTTP/1.1 307 Go\r\nLocation: /b\r\n" + END},
        {"400", "HTTP/1.1 400 No\r\n" + END},
        {"401", "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=a\r\n" + END},
        {"403", "HTTP/1.1 403 No\r\n" + END},
        {"404", "HTTP/1.1 404 No\r\n" + END},
        {"413", "HTTP/1.1 413 No\r\n" + END},
        {"417", "HTTP/1.1 417 No\r\n" + END},
        {"417-close", "HTTP/1.1 417 No\r\nConnection: close\r\n" + END},
        {"500", "HTTP/1.1 500 No\r\n" + END},
        {"503", "HTTP/1.1 503 No\r\n" + END},
        {"garbage", "hello\r\n\r\n"},
        {"nothing", ""},
    };

    private final HttpUser user;

    Expects(HttpUser user) {
        this.user = user;
    }

    @Override
    public String name() {
        return "expect";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String[] answer : ANSWERS) {
            String[] methods = answer[0].startsWith("10") ? new String[] {"POST"}
                : new String[] {"POST", "PUT"};
            for (String method : methods) {
                rows.row("expect." + user.name() + "." + HttpUser.word(method) + "-" + answer[0],
                    user + ": " + method + " waits for 100, and is answered by " + answer[0],
                    () -> expected(method, answer[1]))
                    .within(answer[0].startsWith("10") ? SHORT_MS : TopicRow.DEADLINE_MS);
            }
        }
    }

    private String expected(String method, String answer) throws Exception {
        StringBuffer bodies = new StringBuffer();
        try (WirePeer peer = new WirePeer(request -> {
            if (request.ordinal > 1 || !request.body.equals("(awaited)")) {
                return Redirected.OK + WirePeer.CLOSE;
            }
            request.socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            if (answer.contains(" 100")) {
                bodies.append(request.awaited());
                return Redirected.OK + WirePeer.CLOSE;
            }
            return WirePeer.CLOSE;
        })) {
            String seen = user.see(Ask.any(method, peer.url("/x")).kind(Ask.BodyKind.STREAMED)
                .expectingContinue());
            int count = peer.requests().size();
            return seen + "; " + method + (count == 1 ? " sent once" : " sent " + count + " times")
                + ", body after the answer: " + (bodies.length() == 0 ? "none" : bodies)
                + ", asked: " + peer.requests().get(0).field("Expect");
        }
    }
}
