// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** Answers over HTTP/2 with odd fields: pseudo-fields, lengths, field blocks, 1xx, trailers. */
final class OddFrameFields extends FrameRows {
    private static final int S = Frames.STREAM;
    private static final byte[] DATA = Frames.data("ok");
    private static final String[] STATUSES = {"101", "200", "201", "204",
        "205", "206", "299", "301", "302", "304", "307", "399", "400", "401", "404", "407", "408",
        "421", "429", "500", "503", "599", "600", "999", "1000", "2000", "20", "099", "0", "+200",
        "-200", "0200", "200.0", "0x200", "abc", "2 00", " 200", "200 ", ""};
    private static final String[][] LENGTHS = {{"2", "2"}, {"0", "0"}, {"1", "1"}, {"3", "3"},
        {"letters", "x"}, {"empty", ""}, {"plus", "+2"}, {"minus", "-2"}, {"minus-1", "-1"},
        {"list", "2, 2"}, {"list-unequal", "2, 1"}, {"hex", "0x2"}, {"blanks", " 2 "},
        {"zeros", "002"}, {"fraction", "2.0"}, {"2-31", "2147483648"},
        {"2-63", "9223372036854775808"}, {"2-64-plus-2", "18446744073709551618"}};
    private static final String[][] FIELDS = {
        {"capital", "X-A", "b"}, {"blank-in-name", "x a", "b"}, {"empty-name", "", "b"},
        {"colon-in-name", "x:a", "b"}, {"high-byte-in-name", "x\u00e4", "b"},
        {"nul-in-name", "x\0a", "b"}, {"bracket-in-name", "x(a)", "b"},
        {"underscore-in-name", "x_a", "b"}, {"lf-in-name", "x\na", "b"},
        {"empty", "x-a", ""}, {"blank-first", "x-a", " b"}, {"blank-last", "x-a", "b "},
        {"nul", "x-a", "a\0b"}, {"cr", "x-a", "a\rb"}, {"lf", "x-a", "a\nb"},
        {"tab", "x-a", "a\tb"}, {"control", "x-a", "a\u0001b"}, {"high-byte", "x-a", "\u00e4"},
        {"delete", "x-a", "a\u007fb"}, {"connection", "connection", "close"},
        {"keep-alive", "keep-alive", "timeout=1"},
        {"proxy-connection", "proxy-connection", "close"},
        {"transfer-encoding", "transfer-encoding", "chunked"}, {"te", "te", "trailers"},
        {"te-gzip", "te", "gzip"}, {"upgrade", "upgrade", "h2c"}, {"host", "host", "a"},
        {"trailer", "trailer", "x-t"}, {"set-cookie", "set-cookie", "a=b"},
        {"location", "location", "/b"}, {"alt-svc", "alt-svc", "h3=\":1\""},
        {"unknown-pseudo", ":unknown", "b"}, {"request-pseudo", ":path", "/b"},
        {"empty-pseudo", ":", "b"}, {"status-again", ":status", "200"},
        {"status-again-other", ":status", "404"}};
    private static final Object[][] BLOCKS = {
        {"index-0", Frames.bytes(0x88, 0x80)},
        {"index-61", Frames.bytes(0x88, 0x80 + 61)},
        {"index-62", Frames.bytes(0x88, 0x80 + 62)},
        {"index-huge", Frames.bytes(0x88, 0xff, 0xff, 0xff, 0xff, 0x7f)},
        {"index-cut", Frames.bytes(0x88, 0xff)},
        {"index-overflow", Frames.bytes(0x88, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
            0x7f)},
        {"name-index-62", Frames.bytes(0x88, 0x40 + 62, 1, 'b')},
        {"length-cut", Frames.bytes(0x88, 0, 5, 'x')},
        {"length-missing", Frames.bytes(0x88, 0)},
        {"length-overflow", Frames.bytes(0x88, 0, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)},
        {"huffman-sound", Frames.bytes(0x88, 0, 0x81, 0xf3, 0x81, 0x8f)},
        {"huffman-long-padding", Frames.bytes(0x88, 0, 0x82, 0xf3, 0xff, 0x81, 0x8f)},
        {"huffman-zero-padding", Frames.bytes(0x88, 0, 0x81, 0xf2, 0x81, 0x80)},
        {"huffman-end-symbol", Frames.bytes(0x88, 0, 0x84, 0xff, 0xff, 0xff, 0xff, 1, 'b')},
        {"table-0", Frames.bytes(0x20, 0x88)},
        {"table-4096", Frames.bytes(0x3f, 0xe1, 0x1f, 0x88)},
        {"table-16384", Frames.bytes(0x3f, 0xe1, 0x7f, 0x88)},
        {"table-16385", Frames.bytes(0x3f, 0xe2, 0x7f, 0x88)},
        {"table-1-mb", Frames.bytes(0x3f, 0xe1, 0xff, 0x3f, 0x88)},
        {"table-twice", Frames.bytes(0x20, 0x3f, 0xe1, 0x1f, 0x88)},
        {"table-thrice", Frames.bytes(0x20, 0x20, 0x20, 0x88)},
        {"table-late", Frames.bytes(0x88, 0x20)},
        {"empty", Frames.bytes()},
        {"never-indexed", Frames.bytes(0x88, 0x10, 1, 'x', 1, 'b')},
        {"indexed-and-used", Frames.bytes(0x88, 0x40, 1, 'x', 1, 'b', 0xbe)},
        {"table-0-and-used", Frames.bytes(0x20, 0x88, 0x40, 1, 'x', 1, 'b', 0xbe)},
        {"table-40-and-used", Frames.bytes(0x3f, 9, 0x88, 0x40, 1, 'x', 1, 'b', 0x40, 1, 'y', 1, 'b', 0xbf)},
    };

    OddFrameFields() {
        super("h2-field");
    }

    @Override
    void table() {
        for (String status : STATUSES) {
            String word = status.isEmpty() ? "empty" : status.startsWith("+") ? "plus-200"
                : status.startsWith("-") ? "minus-200" : status.startsWith(" ") ? "blank-200"
                : status.endsWith(" ") ? "200-blank" : HttpUser.word(status);
            row("status-" + word, "the status '" + status + "'",
                Frames.headers(Frames.block(":status", status), false), DATA);
        }
        for (String status : new String[] {"100", "103", "200", "204", "205", "304", "404"}) {
            row("end-with-" + status, "a head of " + status + " that ends the stream",
                Frames.headers(Frames.block(":status", status), true));
        }
        row("status-missing", "a head without a status",
            Frames.headers(Frames.block("x-a", "b"), false), DATA);
        row("status-last", "a status after a field",
            Frames.headers(Frames.block("x-a", "b", ":status", "200"), false), DATA);
        for (String[] length : LENGTHS) {
            row("length-" + length[0], "content-length '" + length[1] + "' and 2 bytes",
                Frames.head200("content-length", length[1]), DATA);
        }
        row("length-twice", "two equal lengths",
            Frames.head200("content-length", "2", "content-length", "2"), DATA);
        row("length-twice-unequal", "two unequal lengths",
            Frames.head200("content-length", "2", "content-length", "1"), DATA);
        for (String[] field : FIELDS) {
            row("field-" + field[0],
                "a field '" + (field[1] + ": " + field[2]).replaceAll("\\p{Cntrl}", "?")
                + "'", Frames.head200(field[1], field[2]), DATA);
        }
        for (Object[] block : BLOCKS) {
            row("block-" + block[0], "a field block: " + block[0],
                Frames.headers((byte[]) block[1], false), DATA);
        }
        interim();
        trailers();
        limits();
        bodiless();
    }

    private void interim() {
        byte[] early = Frames.headers(Frames.block(":status", "103"), false);
        byte[] reply = Frames.join(Frames.head200(), DATA);
        for (String status : new String[] {"100", "101", "102", "103", "199"}) {
            for (String method : new String[] {"GET", "POST", "HEAD"}) {
                row(method, "interim-" + status + "-" + HttpUser.word(method),
                    status + ", then 200", NO_SETTINGS, Frames.join(Frames.headers(
                        Frames.block(":status", status), false), "HEAD".equals(method)
                        ? Frames.headers(Frames.bytes(0x88), true) : reply), false);
            }
        }
        for (int count : new int[] {2, 5, 8, 9, 20}) {
            row("interim-103-x-" + count, count + " times 103, then 200",
                Frames.times(count, early), reply);
        }
        row("interim-with-fields", "103 with fields, then 200", Frames.headers(Frames.block(
            ":status", "103", "link", "</a>", "content-length", "5"), false), reply);
        row("interim-then-404", "103, then 404", early, Frames.headers(
            Frames.block(":status", "404"), false), DATA);
        row("interim-then-reset", "103, then RST_STREAM", early,
            Frames.frame(Frames.RST_STREAM, 0, S, Frames.number(2)));
        row("interim-then-data", "103, then data", early, DATA).within(SHORT_MS);
        row("interim-late", "200, then 103, then data", Frames.head200(), early, DATA);
    }

    private void trailers() {
        byte[] data = Frames.frame(Frames.DATA, 0, S, Frames.text("ok"));
        row("trailer", "a reply with a trailer", Frames.head200(), data,
            Frames.headers(Frames.block("x-t", "1"), true));
        row("trailer-without-end", "a trailer that does not end the stream, then the end",
            Frames.head200(), data, Frames.headers(Frames.block("x-t", "1"), false),
            Frames.data(""));
        row("trailer-with-status", "a trailer with a status", Frames.head200(), data,
            Frames.headers(Frames.block(":status", "200"), true));
        row("trailer-empty", "an empty trailer", Frames.head200(), data,
            Frames.headers(new byte[0], true));
        row("trailer-of-grpc", "a reply of gRPC", Frames.head200("content-type",
            "application/grpc"), data, Frames.headers(Frames.block("grpc-status", "0"), true));
        row("trailer-then-data", "data after a trailer", Frames.head200(), data,
            Frames.headers(Frames.block("x-t", "1"), true), DATA);
    }

    private void limits() {
        for (int kb : new int[] {1, 10}) {
            row("long-field-" + kb + "-kb", "a field of " + kb + " kB",
                Frames.head200("x-a", ReplyRows.times(kb * 1000, "b")), DATA);
        }
        for (int kb : new int[] {20, 100, 190, 300, 375, 400}) {
            byte[] block = Frames.block("x-a", ReplyRows.times(10_000, "b"));
            row("fields-10-kb-x-" + kb / 10, kb / 10 + " fields of 10 kB",
                Frames.frame(Frames.HEADERS, 0, S, Frames.bytes(0x88)),
                Frames.times(kb / 10, Frames.frame(Frames.CONTINUATION, 0, S, block)),
                Frames.frame(Frames.CONTINUATION, Frames.END_HEADERS, S, new byte[0]), DATA);
        }
        for (int count : new int[] {100, 255, 256, 300, 500, 512, 513, 600, 1000}) {
            row("literals-" + count, count + " fields that are to be indexed",
                Frames.headers(Frames.join(Frames.bytes(0x88), Frames.times(count,
                    Frames.bytes(0x40, 1, 'x', 1, 'b'))), false), DATA);
        }
        for (int count : new int[] {100, 1000, 2500}) {
            row("many-fields-" + count, count + " fields", Frames.headers(Frames.join(
                Frames.bytes(0x88), Frames.times(count, Frames.block("x", "b"))), false), DATA);
        }
    }

    private void bodiless() {
        byte[] end = Frames.headers(Frames.block(":status", "204", "content-length", "0"), true);
        row("204-length-0", "a 204 with a length of 0", end);
        row("204-length-2", "a 204 with a length of 2",
            Frames.headers(Frames.block(":status", "204", "content-length", "2"), true));
        row("304-length-2", "a 304 with a length of 2",
            Frames.headers(Frames.block(":status", "304", "content-length", "2"), true));
        row("HEAD", "head-length-2", "a length of 2", NO_SETTINGS,
            Frames.headers(Frames.join(Frames.bytes(0x88), Frames.block("content-length", "2")),
                true), false);
        row("HEAD", "head-with-data", "a head and 2 bytes", NO_SETTINGS,
            Frames.join(Frames.head200(), DATA), false);
        row("200-length-2-no-data", "a length of 2 and no data", Frames.headers(Frames.join(
            Frames.bytes(0x88), Frames.block("content-length", "2")), true));
    }
}
