// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** How large may the parts of a reply be? */
final class ReplyLimits extends ReplyRows {
    private static final int[] HEAD_KB = {1, 10, 50, 100, 190, 250, 300, 375, 390, 400, 800};
    private static final int[] FIELD_COUNTS = {50, 100, 150, 200, 250, 1000, 5000};
    private static final int[] EXTENSION_BYTES = {100, 500, 1000, 1500, 2000, 2040, 2100, 3000,
        5000};
    private static final int KB = 1000;

    ReplyLimits(HttpUser user) {
        super("reply-limit", user);
    }

    @Override
    void table() {
        String rest = LENGTH_2 + "\r\nok";
        for (int kb : HEAD_KB) {
            reply("field-" + kb + "-kb", "a field of " + kb + " kB",
                OK + "X-A: " + times(kb * KB, "a") + "\r\n" + rest);
        }
        for (int kb : new int[] {100, 190, 375, 400}) {
            reply("fields-1-kb-x-" + kb, kb + " fields of 1 kB",
                OK + times(kb, "X-A: " + times(KB, "a") + "\r\n") + rest);
        }
        for (int kb : new int[] {1, 10, 100, 190, 400}) {
            reply("reason-" + kb + "-kb", "a reason of " + kb + " kB",
                "HTTP/1.1 200 " + times(kb * KB, "a") + "\r\n" + rest);
            reply("name-" + kb + "-kb", "a field name of " + kb + " kB",
                OK + times(kb * KB, "a") + ": b\r\n" + rest);
        }
        for (int count : FIELD_COUNTS) {
            reply("fields-" + count, count + " fields of other names", OK + fields(count) + rest);
        }
        for (int count : new int[] {100, 1000, 8000}) {
            reply("same-field-" + count, count + " fields of the same name",
                OK + times(count, "X-A: b\r\n") + rest);
        }
        chunks();
        interim();
    }

    private void chunks() {
        for (int bytes : EXTENSION_BYTES) {
            reply("extension-" + bytes, "a chunk extension of " + bytes + " bytes",
                CHUNKED + "2;a=" + times(bytes, "b") + "\r\nok\r\n0\r\n\r\n");
        }
        for (int count : new int[] {20, 100, 1000, 3000}) {
            reply("size-zeros-" + count, "a chunk size with " + count + " zeros first",
                CHUNKED + times(count, "0") + "2\r\nok\r\n0\r\n\r\n");
        }
        for (int count : new int[] {10, 100, 1000}) {
            reply("extensions-" + count, count + " chunks, each with an extension of 100 bytes",
                CHUNKED + times(count, "1;a=" + times(100, "b") + "\r\nx\r\n") + "0\r\n\r\n");
        }
        // Larger ones take HttpURLConnection seconds, as it copies what came for each segment.
        for (int kb : new int[] {1, 10, 50}) {
            reply("trailer-" + kb + "-kb", "a trailer field of " + kb + " kB",
                CHUNKED + "2\r\nok\r\n0\r\nX-T: " + times(kb * KB, "a") + "\r\n\r\n");
        }
        for (int count : new int[] {100, 1000}) {
            reply("trailers-" + count, count + " trailer fields",
                CHUNKED + "2\r\nok\r\n0\r\n" + fields(count) + "\r\n");
        }
        for (int kb : new int[] {1, 100, 1000}) {
            reply("body-" + kb + "-kb", "a body of " + kb + " kB", OK + "Content-Length: "
                + kb * KB + "\r\n\r\n" + times(kb * KB, "a"));
            reply("chunk-" + kb + "-kb", "a chunk of " + kb + " kB", CHUNKED
                + Integer.toHexString(kb * KB) + "\r\n" + times(kb * KB, "a") + "\r\n0\r\n\r\n");
        }
    }

    private void interim() {
        for (int count : new int[] {1, 2, 4, 5, 7, 8, 9, 10, 20, 100}) {
            reply("interim-" + count, count + " replies 103 before the final one",
                times(count, "HTTP/1.1 103 Hints\r\n\r\n") + OK + LENGTH_2 + "\r\nok");
        }
        for (int kb : new int[] {100, 190, 400}) {
            reply("interim-" + kb + "-kb", "a 103 with a field of " + kb + " kB",
                "HTTP/1.1 103 Hints\r\nX-A: " + times(kb * KB, "a") + "\r\n\r\n" + OK + LENGTH_2
                + "\r\nok");
        }
    }

    private static String fields(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append("X-F").append(i).append(": a\r\n");
        }
        return text.toString();
    }
}
