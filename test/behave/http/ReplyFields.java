// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** Fields of replies, sound and odd. */
final class ReplyFields extends ReplyRows {
    private static final String[][] FIELDS = {
        {"folded", "X-A: 1\r\n 2"},
        {"folded-by-tab", "X-A: 1\r\n\t2"},
        {"folded-empty", "X-A: 1\r\n "},
        {"folded-at-once", " X-A: 1"},
        {"blank-before-colon", "X-A : 1"},
        {"tab-before-colon", "X-A\t: 1"},
        {"no-colon", "X-A"},
        {"colon-only", ":"},
        {"no-name", ": 1"},
        {"no-content", "X-A:"},
        {"no-blank", "X-A:1"},
        {"many-blanks", "X-A:   1   "},
        {"tab-around", "X-A:\t1\t"},
        {"name-with-blank", "X A: 1"},
        {"name-with-bracket", "X(A): 1"},
        {"name-with-quote", "X\"A: 1"},
        {"name-with-slash", "X/A: 1"},
        {"name-with-at", "X@A: 1"},
        {"name-with-high-byte", "X\u00e4: 1"},
        {"name-with-nul", "X\0A: 1"},
        {"name-with-underscore", "X_A: 1"},
        {"name-with-dot", "X.A: 1"},
        {"pseudo-name", ":status: 200"},
        {"utf-8", "X-A: \u00c3\u00a4"},
        {"high-byte", "X-A: \u00e4"},
        {"nul", "X-A: a\0b"},
        {"control", "X-A: a\u0001b"},
        {"delete", "X-A: a\u007fb"},
        {"bare-cr", "X-A: a\rb"},
        {"twice", "X-A: 1\r\nX-A: 2"},
        {"twice-other-case", "X-A: 1\r\nx-a: 2"},
        {"comma", "X-A: 1, 2"},
        {"colon", "X-A: 1: 2"},
        {"capitals", "CONNECTION: CLOSE"},
        {"connection-odd", "Connection: ,,"},
        {"keep-alive-odd", "Keep-Alive: timeout=-1, max=abc"},
        {"keep-alive-huge", "Keep-Alive: timeout=99999999999999999999"},
        {"content-type-odd", "Content-Type: ;;"},
        {"charset-unknown", "Content-Type: text/plain; charset=no-such"},
        {"content-encoding", "Content-Encoding: gzip"},
        {"date-odd", "Date: yesterday"},
        {"trailer", "Trailer: X-T"},
        {"upgrade", "Upgrade: h2c\r\nConnection: Upgrade"},
        {"alt-svc", "Alt-Svc: h2=\":1\""},
        {"location", "Location: /elsewhere"},
        {"set-cookie-odd", "Set-Cookie: ="},
        {"challenge-empty", "WWW-Authenticate:"},
    };

    ReplyFields(HttpUser user) {
        super("reply-field", user);
    }

    @Override
    void table() {
        for (String[] field : FIELDS) {
            reply(field[0], "a reply with the field '" + visible(field[1]) + "'",
                OK + LENGTH_2 + field[1] + "\r\n\r\nok");
        }
        for (String[] field : FIELDS) {
            if (field[0].contains("folded") || field[0].contains("colon")) {
                reply(field[0] + "-first", "the same, before all other fields: '"
                    + visible(field[1]) + "'", OK + field[1] + "\r\n" + LENGTH_2 + "\r\nok");
            }
        }
    }

    /** The fields too, as the application sees them. */
    @Override
    String see(Ask ask) throws Exception {
        HttpAnswer answer = user.send(ask);
        return answer.text() + " " + answer.fields();
    }

    private static String visible(String field) {
        return field.replace("\r", "CR").replace("\n", "LF").replace("\0", "NUL");
    }
}
