// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** Chunked replies, sound, odd and cut. */
final class ReplyChunks extends ReplyRows {
    /** Sizes of a chunk of 2 bytes: an id, and what stands before its line end. */
    private static final String[][] SIZES = {
        {"zero-first", "02"},
        {"zeros-7-first", "00000002"},
        {"zeros-16-first", "00000000000000002"},
        {"blank-after", "2 "},
        {"blanks-after", "2    "},
        {"tab-after", "2\t"},
        {"blank-first", " 2"},
        {"plus", "+2"},
        {"minus", "-2"},
        {"hex-prefix", "0x2"},
        {"hex-suffix", "2h"},
        {"extension", "2;a=b"},
        {"extension-name", "2;a"},
        {"extension-empty", "2;"},
        {"extension-quoted", "2;a=\"b;c\""},
        {"extension-quote-open", "2;a=\"b"},
        {"extension-after-blank", "2 ;a=b"},
        {"extension-with-lf", "2;a=\nb"},
        {"extension-with-cr", "2;a=\rb"},
        {"extension-with-nul", "2;a=\0b"},
        {"extension-of-digits", "2;9"},
        {"comma", "2,2"},
        {"inner-blank", "2 2"},
        {"letter", "g"},
        {"digit-and-letter", "2g"},
        {"empty", ""},
        {"fraction", "2.0"},
    };

    ReplyChunks(HttpUser user) {
        super("reply-chunk", user);
    }

    @Override
    void table() {
        for (String[] size : SIZES) {
            reply("size-" + size[0], "a chunk of 2 bytes with the size '" + visible(size[1]) + "'",
                CHUNKED + size[1] + "\r\nok\r\n0\r\n\r\n");
        }
        hexadecimal();
        ends();
        cuts();
        trailers();
    }

    /** A size that another base than 16 makes something else of. */
    private void hexadecimal() {
        for (String size : new String[] {"8", "9", "a", "A", "f", "F", "10", "010", "0010", "011",
            "17", "1f", "20", "40", "100", "0100", "3e8", "1000", "2000", "4000", "10000"}) {
            int bytes = Integer.parseInt(size, 16);
            String id = Character.isUpperCase(size.charAt(0)) ? "capital-" + size : size;
            reply("hex-" + HttpUser.word(id), bytes + " bytes in a chunk with the size '" + size
                + "'", CHUNKED + size + "\r\n" + times(bytes, "x") + "\r\n0\r\n\r\n");
        }
        reply("many", "1,000 chunks of a byte",
            CHUNKED + times(1000, "1\r\nx\r\n") + "0\r\n\r\n");
        reply("two", "two chunks", CHUNKED + "1\r\no\r\n1\r\nk\r\n0\r\n\r\n");
    }

    private void ends() {
        reply("lf-after-size", "LF ends the line of the size", CHUNKED + "2\nok\r\n0\r\n\r\n");
        reply("lf-after-data", "LF ends the data", CHUNKED + "2\r\nok\n0\r\n\r\n");
        reply("lf-everywhere", "LF ends each line", CHUNKED + "2\nok\n0\n\n");
        reply("cr-after-size", "CR ends the line of the size", CHUNKED + "2\rok\r\n0\r\n\r\n");
        reply("nothing-after-data", "nothing ends the data", CHUNKED + "2\r\nok0\r\n\r\n");
        reply("more-data", "a byte more than the size says", CHUNKED + "2\r\nokk\r\n0\r\n\r\n");
        reply("less-data", "a byte less than the size says", CHUNKED + "3\r\nok\r\n0\r\n\r\n");
        reply("crlf-twice-after-data", "two line ends after the data",
            CHUNKED + "2\r\nok\r\n\r\n0\r\n\r\n");
        reply("last-00", "the last chunk has the size 00", CHUNKED + "2\r\nok\r\n00\r\n\r\n");
        reply("last-0000000000", "the last chunk has ten zeros",
            CHUNKED + "2\r\nok\r\n0000000000\r\n\r\n");
        reply("last-extension", "the last chunk has an extension",
            CHUNKED + "2\r\nok\r\n0;a=b\r\n\r\n");
        reply("last-blank", "a blank after the last size", CHUNKED + "2\r\nok\r\n0 \r\n\r\n");
        reply("last-lf", "LF ends the last line", CHUNKED + "2\r\nok\r\n0\r\n\n");
        reply("last-minus", "the last chunk has the size -0", CHUNKED + "2\r\nok\r\n-0\r\n\r\n");
        reply("last-only", "nothing but the last chunk", CHUNKED + "0\r\n\r\n");
        reply("text-after", "text after the last chunk", CHUNKED + "2\r\nok\r\n0\r\n\r\nhello");
    }

    private void cuts() {
        reply("cut-at-once", "the end in place of the first size", CHUNKED);
        reply("cut-in-size", "the end within a size", CHUNKED + "2");
        reply("cut-after-size", "the end after a size", CHUNKED + "2\r\n");
        reply("cut-in-data", "the end within the data", CHUNKED + "2\r\no");
        reply("cut-after-data", "the end after the data", CHUNKED + "2\r\nok");
        reply("cut-after-chunk", "the end after a whole chunk", CHUNKED + "2\r\nok\r\n");
        reply("cut-in-last", "the end within the last size", CHUNKED + "2\r\nok\r\n0");
        reply("cut-after-last", "the end after the last size", CHUNKED + "2\r\nok\r\n0\r\n");
        reply("cut-in-end", "the end before the last LF", CHUNKED + "2\r\nok\r\n0\r\n\r");
        reply("cut-in-trailer", "the end within a trailer field",
            CHUNKED + "2\r\nok\r\n0\r\nX-T: ");
        reply("cut-after-trailer", "the end after a trailer field",
            CHUNKED + "2\r\nok\r\n0\r\nX-T: 1\r\n");
    }

    private void trailers() {
        String[][] trailers = {
            {"1", "X-T: 1\r\n"},
            {"2", "X-T: 1\r\nX-U: 2\r\n"},
            {"10", times(10, "X-T: 1\r\n")},
            {"100", times(100, "X-T: 1\r\n")},
            {"without-colon", "X-T\r\n"},
            {"without-name", ": 1\r\n"},
            {"without-content", "X-T:\r\n"},
            {"folded", "X-T: 1\r\n 2\r\n"},
            {"with-blank-before-colon", "X-T : 1\r\n"},
            {"with-lf", "X-T: 1\n"},
            {"with-high-byte", "X-T: \u00e4\r\n"},
            {"named-content-length", "Content-Length: 5\r\n"},
            {"named-transfer-encoding", "Transfer-Encoding: chunked\r\n"},
            {"of-1-letter", "A: b\r\n"},
            {"of-a-checksum", "Content-MD5: Q2hlY2sgSW50ZWdyaXR5IQ==\r\n"},
            {"of-grpc", "grpc-status: 0\r\ngrpc-message: OK\r\n"},
        };
        for (String[] trailer : trailers) {
            reply("trailer-" + trailer[0], "a chunked reply that ends with trailer fields: "
                + trailer[0], CHUNKED + "2\r\nok\r\n0\r\n" + trailer[1] + "\r\n");
        }
        reply("trailer-announced", "a chunked reply with Trailer: X-T, and X-T in its trailer",
            OK + "Trailer: X-T\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "2\r\nok\r\n0\r\nX-T: 1\r\n\r\n");
        reply("trailer-not-sent", "a chunked reply with Trailer: X-T, without a trailer",
            OK + "Trailer: X-T\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n");
        reply("POST", "trailer-to-post", "a chunked reply to POST that ends with a trailer field",
            CHUNKED + "2\r\nok\r\n0\r\nX-T: 1\r\n\r\n");
        reply("trailer-of-404", "a chunked 404 that ends with a trailer field",
            CHUNKED.replace("200 OK", "404 No") + "2\r\nok\r\n0\r\nX-T: 1\r\n\r\n");
    }

    private static String visible(String size) {
        return size.replace("\r", "CR").replace("\n", "LF").replace("\0", "NUL");
    }
}
