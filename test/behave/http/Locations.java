// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** Where does a redirect lead? Locations, sound and odd, and long ways. */
final class Locations implements Topic {
    private static final String[][] LOCATIONS = {
        {"empty", ""},
        {"path", "/b"},
        {"relative", "b"},
        {"dot", "./b"},
        {"dot-dot", "../b"},
        {"inner-dot-dot", "/x/../b"},
        {"dot-dot-above", "/../../b"},
        {"query", "?q=1"},
        {"fragment", "#f"},
        {"path-fragment", "/b#f"},
        {"path-query-fragment", "/b?q=1#f"},
        {"no-scheme", "//SAME/b"},
        {"no-scheme-other-port", "//PORT/b"},
        {"capital-scheme", "HTTP://SAME/b"},
        {"no-path", "http://SAME"},
        {"no-path-query", "http://SAME?q=1"},
        {"one-slash", "http:/b"},
        {"no-slash", "http:b"},
        {"three-slashes", "http:///b"},
        {"no-port-digits", "http://127.0.0.1:/b"},
        {"port-0", "http://127.0.0.1:0/b"},
        {"port-99999", "http://127.0.0.1:99999/b"},
        {"port-letters", "http://127.0.0.1:abc/b"},
        {"port-minus", "http://127.0.0.1:-1/b"},
        {"user", "http://user@SAME/b"},
        {"user-password", "http://user:secret@SAME/b"},
        {"user-of-other-port", "http://user:secret@PORT/b"},
        {"at-in-path", "http://SAME/@b"},
        {"blank-in-path", "/b c"},
        {"blank-at-ends", "   /b   "},
        {"tab-in-path", "/b\tc"},
        {"percent-20", "/b%20c"},
        {"percent-2f", "/b%2fc"},
        {"percent-2e", "/%2e%2e/b"},
        {"percent-odd", "/b%zz"},
        {"percent-cut", "/b%2"},
        {"percent-0d0a", "/b%0d%0aX-A:%201"},
        {"high-byte", "/\u00e4"},
        {"utf-8", "/\u00c3\u00a4"},
        {"backslash", "/b\\c"},
        {"backslashes-first", "\\\\SAME\\b"},
        {"pipe", "/b|c"},
        {"quote", "/b\"c"},
        {"brackets", "/b[c]"},
        {"braces", "/b{c}"},
        {"angles", "/b<c>"},
        {"caret", "/b^c"},
        {"semicolon", "/b;c=d"},
        {"comma", "/b, /c"},
        {"https", "https://127.0.0.1:1/b"},
        {"ftp", "ftp://127.0.0.1:1/b"},
        {"file", "file:///b"},
        {"jar", "jar:file:/b!/c"},
        {"mailto", "mailto:a@b.example"},
        {"data", "data:,ok"},
        {"javascript", "javascript:b"},
        {"unknown-scheme", "abc://SAME/b"},
        {"ip-of-2-parts", "http://127.1:1/b"},
        {"ip-of-1-part", "http://2130706433:1/b"},
        {"ip-in-hex", "http://0x7f.0.0.1:1/b"},
        {"ip-in-octal", "http://0177.0.0.1:1/b"},
        {"ip-with-dot", "http://127.0.0.1.:1/b"},
        {"ip-6-open", "http://[::1/b"},
        {"host-with-underscore", "http://a_b:c/b"},
        {"folded", "/b\r\n c"},
        {"twice", "/b\r\nLocation: /c"},
    };
    private static final int[] LENGTHS = {1, 2, 3, 4, 5, 6, 10, 15, 19, 20, 21};

    private final HttpUser user;
    private TopicRows rows;

    Locations(HttpUser user) {
        this.user = user;
    }

    @Override
    public String name() {
        return "location";
    }

    @Override
    public void declare(TopicRows declared) {
        rows = declared;
        for (String[] location : LOCATIONS) {
            row(location[0], "a redirect to '" + location[1].replace("\r\n", " | ") + "'",
                Redirected.to(302, location[1]));
        }
        row("none", "a redirect without Location", "HTTP/1.1 302 Go\r\nContent-Length: 0\r\n\r\n");
        for (int kb : new int[] {1, 10, 100}) {
            rows.row(id("long-" + kb + "-kb"), user + ": a redirect to a path of " + kb + " kB",
                () -> length(kb));
        }
        row("of-201", "a 201 with Location", Redirected.to(201, "/b"));
        row("of-200", "a 200 with Location", Redirected.to(200, "/b"));
        row("with-body", "a redirect with a body", "HTTP/1.1 302 Go\r\nLocation: /b\r\n"
            + "Content-Length: 5\r\n\r\nhello");
        row("with-chunks", "a redirect with a chunked body", "HTTP/1.1 302 Go\r\nLocation: /b\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
        row("with-trailer", "a redirect with a trailer", "HTTP/1.1 302 Go\r\nLocation: /b\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n0\r\nX-T: 1\r\n\r\n");
        row("with-close", "a redirect after which the server closes", "HTTP/1.1 302 Go\r\n"
            + "Location: /b\r\nConnection: close\r\n\r\n" + WirePeer.CLOSE);
        for (int length : LENGTHS) {
            rows.row(id("way-of-" + length), user + ": " + length + " redirects, each to another"
                + " path", () -> way(length));
        }
        for (String method : new String[] {"GET", "POST"}) {
            rows.row(id("circle-of-1-" + HttpUser.word(method)), user + ": " + method
                + " is redirected to itself again and again", () -> circle(method));
        }
    }

    private String id(String word) {
        return "location." + user.name() + "." + word;
    }

    private void row(String word, String does, String redirect) {
        rows.row(id(word), user + ": " + does, () -> {
            try (Redirected servers = new Redirected(redirect)) {
                return servers.follow(user, Ask.get(servers.url()).following());
            }
        });
    }

    private String length(int kb) throws Exception {
        String path = "/" + ReplyRows.times(kb, ReplyRows.times(1000, "b"));
        try (WirePeer peer = new WirePeer(request -> request.ordinal == 1
                ? Redirected.to(302, path) : Redirected.OK)) {
            String seen = user.see(Ask.get(peer.url("/a")).following());
            int count = peer.requests().size();
            return seen + "; target of " + peer.requests().get(count - 1).target().length();
        }
    }

    private String way(int length) throws Exception {
        try (WirePeer peer = new WirePeer(request -> request.ordinal <= length
                ? Redirected.to(302, "/" + request.ordinal) : Redirected.OK)) {
            return user.see(Ask.get(peer.url("/a")).following()) + "; requests "
                + peer.requests().size();
        }
    }

    private String circle(String method) throws Exception {
        try (WirePeer peer = WirePeer.answering(Redirected.to(307, "/a"))) {
            return user.see(Ask.any(method, peer.url("/a")).following()) + "; requests "
                + peer.requests().size();
        }
    }
}
