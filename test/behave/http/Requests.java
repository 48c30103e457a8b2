// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.URL;

/** What does the server see of a request: odd targets, methods, fields, bodies. */
final class Requests implements Topic {
    private static final String[][] TARGETS = {
        {"none", ""},
        {"slash", "/"},
        {"query-only", "?q=1"},
        {"query", "/a?b=c&d"},
        {"query-empty", "/a?"},
        {"fragment", "/a#f"},
        {"fragment-of-query", "/a?b#f"},
        {"fragment-only", "#f"},
        {"two-slashes", "//a"},
        {"dot-dot", "/a/../b"},
        {"semicolon", "/a;b=c"},
        {"percent-20", "/a%20b"},
        {"percent-2f", "/a%2Fb"},
        {"percent-odd", "/a%zz"},
        {"percent-0d0a", "/a%0d%0ab"},
        {"blank", "/a b"},
        {"plus", "/a+b?c+d"},
        {"high-byte", "/\u00e4"},
        {"query-high-byte", "/a?\u00e4"},
        {"brackets", "/a[b]"},
        {"query-brackets", "/a?b[]=c"},
        {"pipe", "/a|b"},
        {"quote", "/a\"b"},
        {"backslash", "/a\\b"},
        {"at", "/a@b"},
        {"colon", "/a:b"},
        {"lf", "/a\nb"},
        {"long", "/" + ReplyRows.times(1000, "a")},
    };
    private static final String[][] FIELDS = {
        {"accept", "Accept", "text/plain"},
        {"accept-encoding", "Accept-Encoding", "gzip"},
        {"accept-language", "Accept-Language", "en"},
        {"access-control", "Access-Control-Request-Headers", "x"},
        {"authorization", "Authorization", "Bearer x"},
        {"connection-close", "Connection", "close"},
        {"connection-keep-alive", "Connection", "keep-alive"},
        {"connection-upgrade", "Connection", "Upgrade"},
        {"content-length", "Content-Length", "7"},
        {"content-type", "Content-Type", "text/plain"},
        {"content-encoding", "Content-Encoding", "identity"},
        {"cookie", "Cookie", "a=b"},
        {"cookie2", "Cookie2", "$Version=1"},
        {"date", "Date", "x"},
        {"expect-other", "Expect", "x"},
        {"from", "From", "a@b.example"},
        {"host", "Host", "other.example"},
        {"http2-settings", "HTTP2-Settings", "AAAA"},
        {"keep-alive", "Keep-Alive", "300"},
        {"origin", "Origin", "http://other.example"},
        {"pragma", "Pragma", "x"},
        {"proxy-authorization", "Proxy-Authorization", "Basic x"},
        {"proxy-connection", "Proxy-Connection", "close"},
        {"referer", "Referer", "http://other.example/"},
        {"sec-fetch", "Sec-Fetch-Mode", "cors"},
        {"te", "TE", "trailers"},
        {"trailer", "Trailer", "X-T"},
        {"upgrade", "Upgrade", "h2c"},
        {"user-agent", "User-Agent", "own"},
        {"user-agent-small", "user-agent", "own"},
        {"user-agent-empty", "User-Agent", ""},
        {"via", "Via", "1.1 a"},
        {"warning", "Warning", "199 a b"},
        {"own", "X-A", "b"},
        {"own-small", "x-a", "b"},
        {"own-empty", "X-A", ""},
        {"own-blanks", "X-A", "  b  "},
        {"own-tab", "X-A", "a\tb"},
        {"own-lf", "X-A", "a\nb"},
        {"own-crlf-blank", "X-A", "a\r\n b"},
        {"own-nul", "X-A", "a\0b"},
        {"own-high-byte", "X-A", "\u00e4"},
        {"own-beyond-latin-1", "X-A", "\u20ac"},
        {"own-long", "X-A", ReplyRows.times(1500, "b")},
        {"name-empty", "", "b"},
        {"name-blank", "X A", "b"},
        {"name-colon", "X:A", "b"},
        {"name-high-byte", "X\u00e4", "b"},
        {"name-underscore", "X_A", "b"},
        {"name-pseudo", ":path", "b"},
    };
    private static final String[] METHODS = {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS",
        "TRACE", "PATCH", "CONNECT", "PROPFIND", "get", "G T", "G\u00e4"};
    private static final int[] SIZES = {0, 1, 15, 16, 17, 40};

    private final HttpUser user;
    private TopicRows rows;

    Requests(HttpUser user) {
        this.user = user;
    }

    @Override
    public String name() {
        return "request";
    }

    @Override
    public void declare(TopicRows declared) {
        rows = declared;
        for (String[] target : TARGETS) {
            row("target-" + target[0], "GET of '" + target[1].replace("\n", "LF") + "'", peer ->
                Ask.get(new URL("http://127.0.0.1:" + peer.port() + target[1])));
        }
        row("target-user", "GET of an address with user and password", peer ->
            Ask.get(new URL("http://user:secret@127.0.0.1:" + peer.port() + "/a")));
        row("target-capital-host", "GET of LOCALHOST", peer ->
            Ask.get(new URL("http://LOCALHOST:" + peer.port() + "/a")));
        for (String[] field : FIELDS) {
            String shown = field[1] + ": " + field[2].replaceAll("\\p{Cntrl}", "?");
            row("field-" + field[0], "GET with the field '" + shown + "'", peer ->
                Ask.get(peer.url("/a")).field(field[1], field[2]));
        }
        row("fields-same-name", "GET with two fields of the same name", peer ->
            Ask.get(peer.url("/a")).field("X-A", "1").field("X-A", "2"));
        row("fields-same-name-other-case", "GET with X-A and x-a", peer ->
            Ask.get(peer.url("/a")).field("X-A", "1").field("x-a", "2"));
        row("fields-order", "GET with three fields", peer ->
            Ask.get(peer.url("/a")).field("X-C", "1").field("X-A", "2").field("X-B", "3"));
        for (String method : METHODS) {
            String word = method.equals("get") ? "small-get" : HttpUser.word(method);
            row("method-" + word, method + " without a body", peer ->
                Ask.get(peer.url("/a")).method(method));
            row("method-" + word + "-body", method + " with a body", peer ->
                Ask.get(peer.url("/a")).method(method).body("hello"));
        }
        bodies();
    }

    private void bodies() {
        for (Ask.BodyKind kind : Ask.BodyKind.values()) {
            for (int size : SIZES) {
                row("body-" + HttpUser.word(kind.name()) + "-" + size, "POST of " + size
                    + " bytes, " + kind.name().toLowerCase(), peer ->
                    Ask.post(peer.url("/a")).body(ReplyRows.times(size, "b")).kind(kind));
            }
            for (String[] field : FIELDS) {
                if (field[0].matches("content-.*|expect-other|trailer")) {
                    row("body-" + HttpUser.word(kind.name()) + "-" + field[0], "POST, "
                        + kind.name().toLowerCase() + ", with " + field[1] + ": " + field[2],
                        peer -> Ask.post(peer.url("/a")).kind(kind).body("7 bytes")
                            .field(field[1], field[2]));
                }
            }
        }
    }

    private interface Asking {
        Ask of(WirePeer peer) throws Exception;
    }

    private void row(String id, String does, Asking asking) {
        rows.row("request." + user.name() + "." + id, user + ": " + does, () -> {
            try (WirePeer peer = new WirePeer(request -> "HTTP/1.1 200 OK\r\n"
                    + "Content-Length: 0\r\n\r\n" + WirePeer.CLOSE)) {
                user.send(asking.of(peer));
                return peer.seen();
            } catch (IllegalArgumentException e) {
                return "refused: " + Masked.text(e.getMessage());   // as the API says it does
            }
        });
    }
}
