// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** Status lines and line ends of replies, sound and odd. */
final class ReplyStatusLines extends ReplyRows {
    private static final String[][] LINES = {
        {"no-reason", "HTTP/1.1 200 "},
        {"no-reason-no-blank", "HTTP/1.1 200"},
        {"http-1-0", "HTTP/1.0 200 OK"},
        {"http-1-2", "HTTP/1.2 200 OK"},
        {"http-2-0", "HTTP/2.0 200 OK"},
        {"http-2", "HTTP/2 200 OK"},
        {"http-0-9", "HTTP/0.9 200 OK"},
        {"http-11", "HTTP/11 200 OK"},
        {"http-1", "HTTP/1 200 OK"},
        {"http-1-1-1", "HTTP/1.1.1 200 OK"},
        {"small-letters", "http/1.1 200 OK"},
        {"no-version", "HTTP 200 OK"},
        {"two-blanks", "HTTP/1.1  200 OK"},
        {"tab", "HTTP/1.1\t200 OK"},
        {"blank-first", " HTTP/1.1 200 OK"},
        {"icy", "ICY 200 OK"},
        {"https", "HTTPS/1.1 200 OK"},
        {"status-0", "HTTP/1.1 0 OK"},
        {"status-20", "HTTP/1.1 20 OK"},
        {"status-99", "HTTP/1.1 99 OK"},
        {"status-299", "HTTP/1.1 299 OK"},
        {"status-399", "HTTP/1.1 399 OK"},
        {"status-400", "HTTP/1.1 400 No"},
        {"status-401", "HTTP/1.1 401 No"},
        {"status-404", "HTTP/1.1 404 No"},
        {"status-407", "HTTP/1.1 407 No"},
        {"status-408", "HTTP/1.1 408 No"},
        {"status-410", "HTTP/1.1 410 No"},
        {"status-421", "HTTP/1.1 421 No"},
        {"status-426", "HTTP/1.1 426 No"},
        {"status-429", "HTTP/1.1 429 No"},
        {"status-499", "HTTP/1.1 499 No"},
        {"status-500", "HTTP/1.1 500 No"},
        {"status-503", "HTTP/1.1 503 No"},
        {"status-599", "HTTP/1.1 599 No"},
        {"status-600", "HTTP/1.1 600 No"},
        {"status-999", "HTTP/1.1 999 No"},
        {"status-1000", "HTTP/1.1 1000 No"},
        {"status-2000", "HTTP/1.1 2000 OK"},
        {"status-negative", "HTTP/1.1 -200 OK"},
        {"status-plus", "HTTP/1.1 +200 OK"},
        {"status-letters", "HTTP/1.1 abc OK"},
        {"status-hex", "HTTP/1.1 0x200 OK"},
        {"status-leading-zero", "HTTP/1.1 0200 OK"},
        {"status-missing", "HTTP/1.1 OK"},
        {"status-glued", "HTTP/1.1 200OK"},
        {"reason-utf-8", "HTTP/1.1 200 \u00c3\u00a4"},
        {"reason-nul", "HTTP/1.1 200 a\0b"},
        {"reason-cr", "HTTP/1.1 200 a\rb"},
    };

    ReplyStatusLines(HttpUser user) {
        super("status-line", user);
    }

    @Override
    void table() {
        for (String[] line : LINES) {
            reply(line[0], "a reply with the status line '" + line[1].replace('\0', '0') + "'",
                line[1] + "\r\n" + LENGTH_2 + "\r\nok");
        }
        String sound = OK + LENGTH_2 + "\r\nok";
        reply("nothing", "the server closes without a reply", "");
        reply("body-only", "a body without a head", "<html>ok</html>");
        reply("line-only", "a status line, and then the end", "HTTP/1.1 200 OK\r\n");
        reply("line-cut", "half a status line, and then the end", "HTTP/1.1 20");
        reply("head-cut", "a head without its empty line, and then the end", OK + LENGTH_2);
        reply("head-cut-in-field", "a head that ends in the name of a field", OK + "Content-Le");
        reply("crlf-first", "an empty line before the status line", "\r\n" + sound);
        reply("crlf-twice-first", "two empty lines before the status line", "\r\n\r\n" + sound);
        reply("lf-first", "a bare LF before the status line", "\n" + sound);
        reply("text-first", "a line of text before the status line", "hello\r\n" + sound);
        reply("nul-first", "a NUL before the status line", "\0" + sound);
        reply("bare-lf", "LF in place of each CRLF", sound.replace("\r\n", "\n"));
        reply("bare-cr", "CR in place of each CRLF", sound.replace("\r\n", "\r"));
        reply("lf-in-line", "LF ends the status line, CRLF the rest",
            sound.replace("OK\r\n", "OK\n"));
        reply("cr-cr-lf", "CR CR LF ends the status line", sound.replace("OK\r\n", "OK\r\r\n"));
        reply("lf-ends-head", "LF in place of the empty line", OK + LENGTH_2 + "\nok");
        for (String method : new String[] {"HEAD", "POST", "PUT", "DELETE", "OPTIONS"}) {
            reply(method, "sound-" + HttpUser.word(method), "a sound reply to " + method,
                OK + LENGTH_2 + "\r\n" + ("HEAD".equals(method) ? "" : "ok"));
        }
    }
}
