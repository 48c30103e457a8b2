// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** How long is the body? Lengths in replies, sound, odd and contradictory. */
final class ReplyLengths extends ReplyRows {
    private static final String[][] LENGTHS = {
        {"none", ""},
        {"0", "Content-Length: 0"},
        {"1", "Content-Length: 1"},
        {"3", "Content-Length: 3"},
        {"twice", "Content-Length: 2\r\nContent-Length: 2"},
        {"twice-unequal", "Content-Length: 2\r\nContent-Length: 1"},
        {"twice-unequal-greater-last", "Content-Length: 1\r\nContent-Length: 2"},
        {"list", "Content-Length: 2, 2"},
        {"list-unequal", "Content-Length: 2, 1"},
        {"plus", "Content-Length: +2"},
        {"minus", "Content-Length: -2"},
        {"minus-1", "Content-Length: -1"},
        {"hex", "Content-Length: 0x2"},
        {"leading-zeros", "Content-Length: 0002"},
        {"blanks", "Content-Length:   2   "},
        {"inner-blank", "Content-Length: 2 0"},
        {"semicolon", "Content-Length: 2;"},
        {"letters", "Content-Length: two"},
        {"empty", "Content-Length:"},
        {"fraction", "Content-Length: 2.0"},
        {"2-31", "Content-Length: 2147483648"},
        {"2-32-plus-2", "Content-Length: 4294967298"},
        {"2-63", "Content-Length: 9223372036854775808"},
        {"2-64-plus-2", "Content-Length: 18446744073709551618"},
        {"arabic-digits", "Content-Length: \u00d9\u00a2"},
    };
    private static final String[][] CODINGS = {
        {"chunked", "Transfer-Encoding: chunked"},
        {"capital", "Transfer-Encoding: Chunked"},
        {"capitals", "TRANSFER-ENCODING: CHUNKED"},
        {"blanks", "Transfer-Encoding:   chunked  "},
        {"twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"},
        {"list-twice", "Transfer-Encoding: chunked, chunked"},
        {"gzip-chunked", "Transfer-Encoding: gzip, chunked"},
        {"chunked-gzip", "Transfer-Encoding: chunked, gzip"},
        {"identity", "Transfer-Encoding: identity"},
        {"identity-chunked", "Transfer-Encoding: identity, chunked"},
        {"identity-then-chunked", "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked"},
        {"unknown", "Transfer-Encoding: xchunked"},
        {"parameter", "Transfer-Encoding: chunked;q=1"},
        {"quoted", "Transfer-Encoding: \"chunked\""},
        {"comma-first", "Transfer-Encoding: ,chunked"},
        {"folded", "Transfer-Encoding:\r\n chunked"},
        {"empty", "Transfer-Encoding:"},
        {"after-length", "Content-Length: 2\r\nTransfer-Encoding: chunked"},
        {"before-length", "Transfer-Encoding: chunked\r\nContent-Length: 2"},
        {"with-whole-length", "Content-Length: 12\r\nTransfer-Encoding: chunked"},
        {"with-odd-length", "Content-Length: abc\r\nTransfer-Encoding: chunked"},
    };

    ReplyLengths(HttpUser user) {
        super("reply-length", user);
    }

    @Override
    void table() {
        for (String[] length : LENGTHS) {
            reply(length[0], "2 bytes of body, announced by '" + visible(length[1]) + "'",
                OK + (length[1].isEmpty() ? "" : length[1] + "\r\n") + "\r\nok");
        }
        for (String[] coding : CODINGS) {
            reply("coding-" + coding[0], "one chunk of 2 bytes, announced by '"
                + visible(coding[1]) + "'", OK + coding[1] + "\r\n\r\n2\r\nok\r\n0\r\n\r\n");
        }
        reply("coding-in-1-0", "a chunked reply of HTTP/1.0",
            CHUNKED.replace("1.1", "1.0") + "2\r\nok\r\n0\r\n\r\n");
        for (String status : new String[] {"204", "205", "304"}) {
            String line = "HTTP/1.1 " + status + " No\r\n";
            reply("status-" + status, "a " + status + " without lengths", line + "\r\n");
            reply("status-" + status + "-length-0", "a " + status + " with Content-Length: 0",
                line + "Content-Length: 0\r\n\r\n");
            reply("status-" + status + "-length-2", "a " + status + " with Content-Length: 2",
                line + LENGTH_2 + "\r\n");
            reply("status-" + status + "-body", "a " + status + " with a body of 2 bytes",
                line + LENGTH_2 + "\r\nok");
            reply("status-" + status + "-chunked", "a " + status + " that is chunked",
                line + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        }
        reply("HEAD", "head-length", "a reply to HEAD with Content-Length: 2",
            OK + LENGTH_2 + "\r\n");
        reply("HEAD", "head-body", "a reply to HEAD with a body", OK + LENGTH_2 + "\r\nok");
        reply("HEAD", "head-chunked", "a reply to HEAD that is chunked", CHUNKED);
        reply("HEAD", "head-chunked-body", "a reply to HEAD with chunks",
            CHUNKED + "2\r\nok\r\n0\r\n\r\n");
        reply("HEAD", "head-404-length", "a 404 to HEAD with Content-Length: 2",
            "HTTP/1.1 404 No\r\n" + LENGTH_2 + "\r\n");
    }

    private static String visible(String field) {
        return field.replace("\r\n", " | ");
    }
}
