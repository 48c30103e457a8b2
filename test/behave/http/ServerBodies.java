// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** HttpServer's raw answers to requests with bodies: lengths, chunks, trailers, Expect. */
final class ServerBodies implements Topic {
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\n";
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String[][] LENGTHS = {
        {"none", ""}, {"5", "Content-Length: 5\r\n"}, {"0", "Content-Length: 0\r\n"},
        {"4", "Content-Length: 4\r\n"}, {"plus", "Content-Length: +5\r\n"},
        {"minus", "Content-Length: -5\r\n"}, {"minus-1", "Content-Length: -1\r\n"},
        {"zeros", "Content-Length: 005\r\n"}, {"blanks", "Content-Length:   5  \r\n"},
        {"hex", "Content-Length: 0x5\r\n"}, {"letters", "Content-Length: five\r\n"},
        {"empty", "Content-Length:\r\n"}, {"list", "Content-Length: 5, 5\r\n"},
        {"twice", "Content-Length: 5\r\nContent-Length: 5\r\n"},
        {"twice-unequal", "Content-Length: 5\r\nContent-Length: 4\r\n"},
        {"fraction", "Content-Length: 5.0\r\n"},
        {"2-63", "Content-Length: 9223372036854775808\r\n"},
        {"2-64-plus-5", "Content-Length: 18446744073709551621\r\n"},
        {"blank-before-colon", "Content-Length : 5\r\n"}, {"other-case", "CONTENT-LENGTH: 5\r\n"},
        {"folded", "Content-Length:\r\n 5\r\n"},
        {"type", "Content-Length: 5\r\nContent-Type: text/plain\r\n"},
        {"encoding", "Content-Length: 5\r\nContent-Encoding: gzip\r\n"},
        {"expect", "Content-Length: 5\r\nExpect: 100-continue\r\n"},
        {"expect-capital", "Content-Length: 5\r\nExpect: 100-Continue\r\n"},
    };
    private static final String[][] CODINGS = {
        {"chunked", "Transfer-Encoding: chunked"}, {"capital", "Transfer-Encoding: Chunked"},
        {"twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"},
        {"list-twice", "Transfer-Encoding: chunked, chunked"},
        {"gzip-chunked", "Transfer-Encoding: gzip, chunked"},
        {"chunked-gzip", "Transfer-Encoding: chunked, gzip"},
        {"gzip", "Transfer-Encoding: gzip"}, {"identity", "Transfer-Encoding: identity"},
        {"unknown", "Transfer-Encoding: xchunked"}, {"empty", "Transfer-Encoding:"},
        {"quoted", "Transfer-Encoding: \"chunked\""},
        {"parameter", "Transfer-Encoding: chunked;q=1"},
        {"blank-before-colon", "Transfer-Encoding : chunked"},
        {"folded", "Transfer-Encoding:\r\n chunked"},
        {"vertical-tab", "Transfer-Encoding: \u000bchunked"},
        {"with-length", "Content-Length: 5\r\nTransfer-Encoding: chunked"},
        {"before-length", "Transfer-Encoding: chunked\r\nContent-Length: 5"},
        {"with-whole-length", "Content-Length: 15\r\nTransfer-Encoding: chunked"},
        {"expect", "Transfer-Encoding: chunked\r\nExpect: 100-continue"},
        {"trailer", "Transfer-Encoding: chunked\r\nTrailer: X-T"},
    };
    private static final String[][] CHUNKS = {
        {"zero-first", "05\r\nhello\r\n0\r\n\r\n"},
        {"zeros", "0000000000000005\r\nhello\r\n0\r\n\r\n"},
        {"zeros-20", "000000000000000000005\r\nhello\r\n0\r\n\r\n"},
        {"two", "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"}, {"empty", "0\r\n\r\n"},
        {"hex-a", "a\r\nhellohello\r\n0\r\n\r\n"},
        {"hex-10", "10\r\nhellohellohelloh\r\n0\r\n\r\n"},
        {"hex-010", "010\r\nhellohellohelloh\r\n0\r\n\r\n"},
        {"capital", "A\r\nhellohello\r\n0\r\n\r\n"}, {"plus", "+5\r\nhello\r\n0\r\n\r\n"},
        {"minus", "-5\r\nhello\r\n0\r\n\r\n"}, {"prefix", "0x5\r\nhello\r\n0\r\n\r\n"},
        {"blank-first", " 5\r\nhello\r\n0\r\n\r\n"}, {"blank-after", "5 \r\nhello\r\n0\r\n\r\n"},
        {"tab-after", "5\t\r\nhello\r\n0\r\n\r\n"}, {"extension", "5;a=b\r\nhello\r\n0\r\n\r\n"},
        {"extension-after-blank", "5 ;a=b\r\nhello\r\n0\r\n\r\n"},
        {"extension-lf", "5;a=\nhello\r\n0\r\n\r\n"}, {"letter", "g\r\nhello\r\n0\r\n\r\n"},
        {"digit-and-letter", "5g\r\nhello\r\n0\r\n\r\n"}, {"no-size", "\r\nhello\r\n0\r\n\r\n"},
        {"2-31", "80000000\r\nhello\r\n0\r\n\r\n"},
        {"2-32-plus-5", "100000005\r\nhello\r\n0\r\n\r\n"},
        {"2-64-plus-5", "10000000000000005\r\nhello\r\n0\r\n\r\n"},
        {"lf-after-size", "5\nhello\r\n0\r\n\r\n"}, {"lf-after-data", "5\r\nhello\n0\r\n\r\n"},
        {"lf-everywhere", "5\nhello\n0\n\n"}, {"cr-after-size", "5\rhello\r\n0\r\n\r\n"},
        {"nothing-after-data", "5\r\nhello0\r\n\r\n"}, {"more-data", "4\r\nhello\r\n0\r\n\r\n"},
        {"less-data", "6\r\nhello\r\n0\r\n\r\n"}, {"last-00", "5\r\nhello\r\n00\r\n\r\n"},
        {"last-extension", "5\r\nhello\r\n0;a=b\r\n\r\n"}, {"last-lf", "5\r\nhello\r\n0\r\n\n"},
        {"trailer", "5\r\nhello\r\n0\r\nX-T: 1\r\n\r\n"},
        {"trailers-2", "5\r\nhello\r\n0\r\nX-T: 1\r\nX-U: 2\r\n\r\n"},
        {"trailer-without-colon", "5\r\nhello\r\n0\r\nX-T\r\n\r\n"},
        {"trailer-own", "5\r\nhello\r\n0\r\nX-A: 1\r\n\r\n"},
        {"trailer-host", "5\r\nhello\r\n0\r\nHost: b\r\n\r\n"},
        {"trailer-lf", "5\r\nhello\r\n0\r\nX-T: 1\n\r\n"},
        {"trailer-10-kb", "5\r\nhello\r\n0\r\nX-T: " + ReplyRows.times(10_000, "a") + "\r\n\r\n"},
        {"extension-1-kb", "5;a=" + ReplyRows.times(1000, "b") + "\r\nhello\r\n0\r\n\r\n"},
        {"extension-3-kb", "5;a=" + ReplyRows.times(3000, "b") + "\r\nhello\r\n0\r\n\r\n"},
        {"extension-10-kb", "5;a=" + ReplyRows.times(10_000, "b") + "\r\nhello\r\n0\r\n\r\n"},
    };

    private TopicRows rows;

    @Override
    public String name() {
        return "server-body";
    }

    @Override
    public void declare(TopicRows declared) {
        rows = declared;
        for (String[] length : LENGTHS) {
            row("length-" + length[0], "POST of 5 bytes with '" + visible(length[1]) + "'",
                POST + length[1] + "\r\nhello");
        }
        for (String[] coding : CODINGS) {
            row("coding-" + coding[0], "POST of a chunk of 5 bytes with '" + visible(coding[1])
                + "'", POST + coding[1] + "\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
        }
        row("coding-1-0", "a chunked POST of HTTP/1.0",
            CHUNKED.replace("1.1", "1.0") + "5\r\nhello\r\n0\r\n\r\n");
        for (String[] chunk : CHUNKS) {
            row("chunk-" + chunk[0], "POST, chunked: " + chunk[0], CHUNKED + chunk[1]);
        }
        for (String method : new String[] {"GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"}) {
            row("of-" + HttpUser.word(method), method + " with a body of 5 bytes",
                POST.replace("POST", method) + "Content-Length: 5\r\n\r\nhello");
        }
        cuts();
        unread();
    }

    private void row(String id, String does, String raw) {
        rows.row("server-body." + id, "HttpServer is sent " + does,
            () -> ServedRaw.answer(ServedRaw::echo, raw));
    }

    private void cuts() {
        String[][] cuts = {
            {"length", POST + "Content-Length: 5\r\n\r\nhel"},
            {"head", POST}, {"line", "GET / HT"}, {"nothing", ""},
            {"chunk", CHUNKED + "5\r\nhel"}, {"chunk-size", CHUNKED + "5"},
            {"chunk-end", CHUNKED + "5\r\nhello\r\n"},
            {"last-chunk", CHUNKED + "5\r\nhello\r\n0\r\n"},
            {"expect", POST + "Content-Length: 5\r\nExpect: 100-continue\r\n\r\n"},
        };
        for (String[] cut : cuts) {
            rows.row("server-body.cut-" + cut[0], "HttpServer is sent a request that ends too soon:"
                + " " + cut[0], () -> {
                    com.sun.net.httpserver.HttpServer server =
                        ServedRaw.start("/", ServedRaw::echo);
                    try {
                        return ServedRaw.exchange(server, cut[1])
                            .replace(ServedRaw.NO_ANSWER, "no answer");
                    } finally {
                        ServedRaw.stop(server);
                    }
                });
        }
    }

    /** The handler answers without reading the body: is the next request answered? */
    private void unread() {
        for (int kb : new int[] {1, 10, 40, 60, 70, 100, 300}) {
            rows.row("server-body.unread-" + kb + "-kb", "HttpServer is sent " + kb
                + " kB that its handler does not read", () -> ServedRaw.answer(
                    exchange -> ServedRaw.reply(exchange, "unread"), POST + "Content-Length: "
                    + kb * 1000 + "\r\n\r\n" + ReplyRows.times(kb * 1000, "a")));
        }
    }

    private static String visible(String fields) {
        return fields.replace("\r\n", " | ").replaceAll("\\p{Cntrl}", "?");
    }
}
