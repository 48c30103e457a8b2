// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** Replies of 1xx before the final one. */
final class ReplyInterim extends ReplyRows {
    private static final String FINAL = OK + LENGTH_2 + "\r\nok";
    private static final String[][] INTERIM = {
        {"100", "HTTP/1.1 100 Continue\r\n\r\n"},
        {"102", "HTTP/1.1 102 Processing\r\n\r\n"},
        {"103", "HTTP/1.1 103 Early Hints\r\n\r\n"},
        {"104", "HTTP/1.1 104 Upload\r\n\r\n"},
        {"110", "HTTP/1.1 110 Own\r\n\r\n"},
        {"199", "HTTP/1.1 199 Own\r\n\r\n"},
        {"101", "HTTP/1.1 101 Switching Protocols\r\n\r\n"},
        {"101-upgrade", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
            + "Upgrade: other\r\n\r\n"},
        {"100-without-reason", "HTTP/1.1 100\r\n\r\n"},
        {"100-in-1-0", "HTTP/1.0 100 Continue\r\n\r\n"},
        {"100-with-lf", "HTTP/1.1 100 Continue\n\n"},
        {"100-with-field", "HTTP/1.1 100 Continue\r\nX-A: 1\r\n\r\n"},
        {"100-with-length-0", "HTTP/1.1 100 Continue\r\nContent-Length: 0\r\n\r\n"},
        {"100-with-length-2", "HTTP/1.1 100 Continue\r\nContent-Length: 2\r\n\r\n"},
        {"100-with-coding", "HTTP/1.1 100 Continue\r\nTransfer-Encoding: chunked\r\n\r\n"},
        {"100-with-close", "HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\n"},
        {"103-with-link", "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"},
        {"103-with-cookie", "HTTP/1.1 103 Early Hints\r\nSet-Cookie: a=b\r\n\r\n"},
        {"103-with-location", "HTTP/1.1 103 Early Hints\r\nLocation: /y\r\n\r\n"},
        {"100-twice", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"},
        {"100-103", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n"},
        {"102-103", "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n"},
        {"100-crlf-more", "HTTP/1.1 100 Continue\r\n\r\n\r\n"},
        {"099", "HTTP/1.1 099 Own\r\n\r\n"},
    };

    ReplyInterim(HttpUser user) {
        super("interim", user);
    }

    @Override
    void table() {
        for (String[] interim : INTERIM) {
            for (String method : new String[] {"GET", "POST", "HEAD"}) {
                String body = "HEAD".equals(method) ? FINAL.substring(0, FINAL.length() - 2)
                    : FINAL;
                reply(method, HttpUser.word(method) + "-" + interim[0], method + " is answered by "
                    + interim[0] + ", then by 200", interim[1] + body);
            }
        }
        reply("cut-after-100", "a 100, and then the end", "HTTP/1.1 100 Continue\r\n\r\n");
        reply("cut-after-103", "a 103, and then the end", "HTTP/1.1 103 Early Hints\r\n\r\n");
        reply("cut-in-100", "half a 100, and then the end", "HTTP/1.1 100 Cont");
        reply("103-then-404", "a 103, then a 404", "HTTP/1.1 103 Early Hints\r\n\r\n"
            + FINAL.replace("200 OK", "404 No"));
        reply("103-then-204", "a 103, then a 204",
            "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No\r\n\r\n");
        reply("103-then-302", "a 103, then a 302", "HTTP/1.1 103 Early Hints\r\n\r\n"
            + "HTTP/1.1 302 Go\r\nLocation: /y\r\nContent-Length: 0\r\n\r\n");
        reply("103-then-chunked", "a 103, then a chunked reply",
            "HTTP/1.1 103 Early Hints\r\n\r\n" + CHUNKED + "2\r\nok\r\n0\r\n\r\n");
    }
}
