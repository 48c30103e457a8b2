// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** After which replies is the connection used again? */
final class Reuse implements Topic {
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String BODY = "Content-Length: 2\r\n\r\nok";
    private static final String CHUNKED = "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n";
    private static final String EMPTY = "Content-Length: 0\r\n\r\n";
    private static final String[][] REPLIES = {
        {"200", OK + BODY},
        {"200-empty", OK + EMPTY},
        {"200-chunked", OK + CHUNKED},
        {"200-chunked-empty", OK + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
        {"200-chunk-extension", OK + CHUNKED.replace("\r\n2\r\n", "\r\n2;a=b\r\n")},
        {"200-last-extension", OK + CHUNKED.replace("0\r\n", "0;a=b\r\n")},
        {"200-trailer", OK + CHUNKED.replace("0\r\n\r\n", "0\r\nX-T: 1\r\n\r\n")},
        {"201", "HTTP/1.1 201 Made\r\n" + BODY},
        {"202", "HTTP/1.1 202 Later\r\n" + EMPTY},
        {"204", "HTTP/1.1 204 No\r\n\r\n"},
        {"204-length-0", "HTTP/1.1 204 No\r\n" + EMPTY},
        {"205", "HTTP/1.1 205 No\r\n" + EMPTY},
        {"206", "HTTP/1.1 206 Part\r\n" + BODY},
        {"301", "HTTP/1.1 301 Go\r\nLocation: /b\r\n" + EMPTY},
        {"302-body", "HTTP/1.1 302 Go\r\nLocation: /b\r\n" + BODY},
        {"304", "HTTP/1.1 304 No\r\n\r\n"},
        {"304-length", "HTTP/1.1 304 No\r\nContent-Length: 2\r\n\r\n"},
        {"400", "HTTP/1.1 400 No\r\n" + BODY},
        {"401", "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=a\r\n" + BODY},
        {"401-bearer", "HTTP/1.1 401 No\r\nWWW-Authenticate: Bearer\r\n" + BODY},
        {"403", "HTTP/1.1 403 No\r\n" + BODY},
        {"404", "HTTP/1.1 404 No\r\n" + BODY},
        {"404-empty", "HTTP/1.1 404 No\r\n" + EMPTY},
        {"404-chunked", "HTTP/1.1 404 No\r\n" + CHUNKED},
        {"410", "HTTP/1.1 410 No\r\n" + BODY},
        {"413", "HTTP/1.1 413 No\r\n" + BODY},
        {"500", "HTTP/1.1 500 No\r\n" + BODY},
        {"500-chunked", "HTTP/1.1 500 No\r\n" + CHUNKED},
        {"503", "HTTP/1.1 503 No\r\n" + BODY},
        {"1-0", "HTTP/1.0 200 OK\r\n" + BODY},
        {"1-0-keep-alive", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n" + BODY},
        {"1-0-chunked", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n" + CHUNKED},
        {"close", OK + "Connection: close\r\n" + BODY},
        {"close-capital", OK + "Connection: Close\r\n" + BODY},
        {"close-capitals", OK + "CONNECTION: CLOSE\r\n" + BODY},
        {"close-in-list", OK + "Connection: x, close\r\n" + BODY},
        {"close-second", OK + "Connection: keep-alive\r\nConnection: close\r\n" + BODY},
        {"close-chunked", OK + "Connection: close\r\n" + CHUNKED},
        {"proxy-close", OK + "Proxy-Connection: close\r\n" + BODY},
        {"keep-alive", OK + "Connection: keep-alive\r\n" + BODY},
        {"keep-alive-max-0", OK + "Keep-Alive: max=0\r\nConnection: keep-alive\r\n" + BODY},
        {"keep-alive-max-1", OK + "Keep-Alive: max=1\r\nConnection: keep-alive\r\n" + BODY},
        {"keep-alive-max-2", OK + "Keep-Alive: max=2\r\nConnection: keep-alive\r\n" + BODY},
        {"keep-alive-timeout-0", OK + "Keep-Alive: timeout=0\r\nConnection: keep-alive\r\n" + BODY},
        {"keep-alive-timeout-60",
            OK + "Keep-Alive: timeout=60\r\nConnection: keep-alive\r\n" + BODY},
        {"keep-alive-timeout-odd",
            OK + "Keep-Alive: timeout=x\r\nConnection: keep-alive\r\n" + BODY},
        {"upgrade", OK + "Connection: Upgrade\r\nUpgrade: h2c\r\n" + BODY},
        {"more-bytes", OK + BODY + "more"},
        {"100-first", "HTTP/1.1 100 Continue\r\n\r\n" + OK + BODY},
        {"bare-lf", (OK + BODY).replace("\r\n", "\n")},
        {"10-kb", OK + "Content-Length: 10000\r\n\r\n" + ReplyRows.times(10_000, "a")},
        {"100-kb", OK + "Content-Length: 100000\r\n\r\n" + ReplyRows.times(100_000, "a")},
        {"gzip", OK + "Content-Encoding: gzip\r\n" + BODY},
    };

    private final HttpUser user;
    private TopicRows rows;

    Reuse(HttpUser user) {
        this.user = user;
    }

    @Override
    public String name() {
        return "reuse";
    }

    @Override
    public void declare(TopicRows declared) {
        rows = declared;
        for (String[] reply : REPLIES) {
            row("GET", reply[0], reply[1]);
        }
        for (String method : new String[] {"POST", "PUT", "DELETE", "OPTIONS"}) {
            row(method, "200", OK + BODY);
            row(method, "204", "HTTP/1.1 204 No\r\n\r\n");
            row(method, "404", "HTTP/1.1 404 No\r\n" + BODY);
            row(method, "500", "HTTP/1.1 500 No\r\n" + BODY);
        }
        row("HEAD", "200", OK + "Content-Length: 2\r\n\r\n");
        row("HEAD", "200-chunked", OK + "Transfer-Encoding: chunked\r\n\r\n");
        row("HEAD", "200-without-length", OK + "\r\n");
        row("HEAD", "204", "HTTP/1.1 204 No\r\n\r\n");
        row("HEAD", "404", "HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\n");
        for (int count : new int[] {2, 3, 5, 6, 10, 20}) {
            rows.row("reuse." + user.name() + ".get-" + count + "-times", user + ": " + count
                + " requests one after the other", () -> times(count));
        }
    }

    private void row(String method, String id, String reply) {
        rows.row("reuse." + user.name() + "." + HttpUser.word(method) + "-" + id, user + ": "
            + method + " is answered by " + reply.split("\r?\n\r?\n", 2)[0].replace("\r\n", " | ")
            + "; is the next request on the same connection?", () -> again(method, reply));
    }

    private String again(String method, String reply) throws Exception {
        try (WirePeer peer = new WirePeer(request -> request.target().equals("/x") ? reply
                : Redirected.OK)) {
            String first = user.see(Ask.any(method, peer.url("/x")));
            String second = user.see(Ask.get(peer.url("/y")));
            return first + "; " + second + "; "
                + (peer.connections() == 1 ? "the same connection" : "a new connection");
        }
    }

    private String times(int count) throws Exception {
        try (WirePeer peer = WirePeer.answering(Redirected.OK)) {
            for (int i = 0; i < count; i++) {
                user.send(Ask.get(peer.url("/" + i)));
            }
            return "connections " + peer.connections();
        }
    }
}
