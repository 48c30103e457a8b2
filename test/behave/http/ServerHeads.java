// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** HttpServer's raw answers to the heads of requests: lines, targets, methods, fields. */
final class ServerHeads implements Topic {
    private static final String HOST = "Host: a\r\n";
    private static final String END = " HTTP/1.1\r\n" + HOST + "\r\n";
    private static final String[][] LINES = {
        {"sound", "GET / HTTP/1.1"}, {"1-0", "GET / HTTP/1.0"}, {"1-2", "GET / HTTP/1.2"},
        {"2-0", "GET / HTTP/2.0"}, {"0-9", "GET / HTTP/0.9"}, {"9-9", "GET / HTTP/9.9"},
        {"version-missing", "GET /"}, {"version-blank", "GET / "},
        {"version-odd", "GET / HTTP/1.1x"},
        {"version-11", "GET / HTTP/11"}, {"version-other", "GET / FTP/1.1"},
        {"version-small", "GET / http/1.1"}, {"two-blanks", "GET  / HTTP/1.1"},
        {"two-blanks-late", "GET /  HTTP/1.1"}, {"tab", "GET\t/\tHTTP/1.1"},
        {"blank-first", " GET / HTTP/1.1"}, {"blank-last", "GET / HTTP/1.1 "},
        {"method-only", "GET"}, {"word", "hello"}, {"small-method", "get / HTTP/1.1"},
        {"method-own", "FOO / HTTP/1.1"}, {"method-bracket", "G(T / HTTP/1.1"},
        {"method-empty", " / HTTP/1.1"}, {"method-nul", "G\0T / HTTP/1.1"},
        {"head", "HEAD / HTTP/1.1"}, {"options", "OPTIONS / HTTP/1.1"},
        {"options-star", "OPTIONS * HTTP/1.1"}, {"trace", "TRACE / HTTP/1.1"},
        {"patch", "PATCH / HTTP/1.1"}, {"delete", "DELETE / HTTP/1.1"},
        {"connect", "CONNECT a:1 HTTP/1.1"}, {"connect-path", "CONNECT / HTTP/1.1"},
        {"pri", "PRI * HTTP/2.0"}, {"get-star", "GET * HTTP/1.1"},
        {"absolute", "GET http://a/x HTTP/1.1"}, {"absolute-other", "GET http://b/x HTTP/1.1"},
        {"absolute-https", "GET https://a/x HTTP/1.1"}, {"absolute-odd", "GET http:///x HTTP/1.1"},
        {"no-slash", "GET x HTTP/1.1"}, {"two-slashes", "GET //x HTTP/1.1"},
        {"dot-dot", "GET /../x HTTP/1.1"}, {"query", "GET /x?a=b&c HTTP/1.1"},
        {"query-only", "GET ?a HTTP/1.1"}, {"fragment", "GET /x#f HTTP/1.1"},
        {"blank-in-target", "GET /a b HTTP/1.1"}, {"percent-20", "GET /a%20b HTTP/1.1"},
        {"percent-odd", "GET /a%zz HTTP/1.1"}, {"percent-00", "GET /a%00 HTTP/1.1"},
        {"percent-2f", "GET /a%2fb HTTP/1.1"}, {"high-byte", "GET /\u00e4 HTTP/1.1"},
        {"pipe", "GET /a|b HTTP/1.1"}, {"quote", "GET /a\"b HTTP/1.1"},
        {"backslash", "GET /a\\b HTTP/1.1"}, {"brackets", "GET /a[b] HTTP/1.1"},
        {"nul", "GET /a\0b HTTP/1.1"}, {"cr", "GET /a\rb HTTP/1.1"},
    };
    private static final String[][] FIELDS = {
        {"host-none", ""}, {"host-two", HOST + "Host: b\r\n"}, {"host-two-same", HOST + HOST},
        {"host-empty", "Host:\r\n"}, {"host-blank", "Host: \r\n"}, {"host-port", "Host: a:80\r\n"},
        {"host-port-odd", "Host: a:x\r\n"}, {"host-list", "Host: a, b\r\n"},
        {"host-user", "Host: u@a\r\n"}, {"host-path", "Host: a/b\r\n"},
        {"host-ip-6", "Host: [::1]\r\n"}, {"host-underscore", "Host: a_b\r\n"},
        {"host-small", "host: a\r\n"}, {"host-capitals", "HOST: a\r\n"},
        {"host-blank-before-colon", "Host : a\r\n"}, {"host-folded", "Host:\r\n a\r\n"},
        {"own", HOST + "X-A: b\r\n"}, {"twice", HOST + "X-A: b\r\nX-A: c\r\n"},
        {"twice-other-case", HOST + "X-A: b\r\nx-a: c\r\n"}, {"empty", HOST + "X-A:\r\n"},
        {"no-blank", HOST + "X-A:b\r\n"}, {"blanks", HOST + "X-A:   b   \r\n"},
        {"tabs", HOST + "X-A:\tb\t\r\n"}, {"no-colon", HOST + "X-A\r\n"},
        {"no-name", HOST + ": b\r\n"}, {"blank-before-colon", HOST + "X-A : b\r\n"},
        {"name-with-blank", HOST + "X A: b\r\n"}, {"name-with-bracket", HOST + "X(A): b\r\n"},
        {"name-with-high-byte", HOST + "X\u00e4: b\r\n"}, {"name-with-nul", HOST + "X\0A: b\r\n"},
        {"folded", HOST + "X-A: b\r\n c\r\n"}, {"folded-by-tab", HOST + "X-A: b\r\n\tc\r\n"},
        {"folded-first", " X-A: b\r\n" + HOST}, {"nul", HOST + "X-A: a\0b\r\n"},
        {"control", HOST + "X-A: a\u0001b\r\n"}, {"cr", HOST + "X-A: a\rb\r\n"},
        {"lf", HOST + "X-A: a\nb\r\n"}, {"high-byte", HOST + "X-A: \u00e4\r\n"},
        {"utf-8", HOST + "X-A: \u00c3\u00a4\r\n"}, {"colon", HOST + "X-A: b: c\r\n"},
        {"close", HOST + "Connection: close\r\n"},
        {"close-capital", HOST + "Connection: Close\r\n"},
        {"close-in-list", HOST + "Connection: x, close\r\n"},
        {"keep-alive", HOST + "Connection: keep-alive\r\n"},
        {"expect-odd", HOST + "Expect: x\r\n"}, {"upgrade-h2c", HOST + "Connection: Upgrade, "
            + "HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAAA\r\n"},
        {"upgrade-websocket", HOST + "Connection: Upgrade\r\nUpgrade: websocket\r\n"},
        {"te", HOST + "TE: trailers\r\n"}, {"range", HOST + "Range: bytes=0-1\r\n"},
        {"authorization", HOST + "Authorization: Basic !\r\n"},
    };

    private TopicRows rows;

    @Override
    public String name() {
        return "server-head";
    }

    @Override
    public void declare(TopicRows declared) {
        rows = declared;
        for (String[] line : LINES) {
            row("line-" + line[0], "the request line '" + line[1].replaceAll("\\p{Cntrl}", "?")
                + "'", line[1] + "\r\n" + HOST + "\r\n");
        }
        for (String[] field : FIELDS) {
            row("field-" + field[0], "GET with the fields '" + field[1].replace("\r\n", " | ")
                .replaceAll("\\p{Cntrl}", "?") + "'", "GET / HTTP/1.1\r\n" + field[1] + "\r\n");
        }
        row("1-0-without-host", "GET of HTTP/1.0 without fields", "GET / HTTP/1.0\r\n\r\n");
        row("1-0-keep-alive", "GET of HTTP/1.0 that asks for keep-alive",
            "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        row("1-0-two-hosts", "GET of HTTP/1.0 with two Host fields",
            "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n");
        ends();
        limits();
    }

    private void row(String id, String does, String raw) {
        rows.row("server-head." + id, "HttpServer is sent " + does,
            () -> ServedRaw.answer(ServedRaw::echo, raw));
    }

    private void ends() {
        String sound = "GET /" + END;
        row("crlf-first", "an empty line first", "\r\n" + sound);
        row("crlf-twice-first", "two empty lines first", "\r\n\r\n" + sound);
        row("lf-first", "a bare LF first", "\n" + sound);
        row("bare-lf", "LF in place of each CRLF", sound.replace("\r\n", "\n"));
        row("bare-cr", "CR in place of each CRLF", sound.replace("\r\n", "\r"));
        row("lf-after-line", "LF after the request line", sound.replace("1.1\r\n", "1.1\n"));
        row("lf-after-field", "LF after a field", sound.replace("Host: a\r\n", "Host: a\n"));
        row("lf-ends-head", "LF in place of the empty line", "GET / HTTP/1.1\r\n" + HOST + "\n");
        row("cr-cr-lf", "CR CR LF after the request line", sound.replace("1.1\r\n", "1.1\r\r\n"));
        row("nul-first", "a NUL first", "\0" + sound);
        row("twice", "two requests at once", sound + sound);
        row("tls", "a ClientHello", "\u0016\u0003\u0001\0\u0005\u0001\0\0\1\0\r\n\r\n");
        row("preface", "the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    }

    private void limits() {
        for (int kb : new int[] {1, 10, 100, 190, 350, 400}) {
            row("target-" + kb + "-kb", "a target of " + kb + " kB",
                "HEAD /" + ReplyRows.times(kb * 1000, "a") + END);
            row("field-of-" + kb + "-kb", "a field of " + kb + " kB", "HEAD / HTTP/1.1\r\n" + HOST
                + "X-B: " + ReplyRows.times(kb * 1000, "a") + "\r\n\r\n");
        }
        for (int count : new int[] {50, 99, 100, 150, 198, 199, 200, 201, 300, 1000}) {
            row("fields-" + count, count + " fields beside Host", "HEAD / HTTP/1.1\r\n" + HOST
                + ReplyRows.times(count, "X-B: a\r\n") + "\r\n");
        }
        row("method-1-kb", "a method of 1 kB", ReplyRows.times(1000, "A") + " /" + END);
    }
}
