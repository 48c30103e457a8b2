// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/**
 * Chunk sizes that are no positive {@code int}. Builds that take one for negative turn in a circle
 * until their JVM ends, so this topic is the last of its suite, and its deadlines are short.
 */
final class ReplyHugeChunks extends ReplyRows {
    private static final int DEADLINE_MS = 1_000;
    private static final String[][] SIZES = {
        {"2-31-less-1", "7fffffff"},
        {"2-31", "80000000"},
        {"2-32-less-1", "ffffffff"},
        {"2-32-less-2", "fffffffe"},
        {"2-32-plus-2", "100000002"},
        {"2-63", "8000000000000000"},
        {"2-64-plus-2", "10000000000000002"},
        {"2-64-less-2", "fffffffffffffffe"},
    };

    ReplyHugeChunks(HttpUser user) {
        super("reply-huge-chunk", user);
    }

    @Override
    public boolean isLast() {
        return true;
    }

    @Override
    void table() {
        for (String[] size : SIZES) {
            reply(size[0], "a chunk of 2 bytes with the size '" + size[1] + "'",
                CHUNKED + size[1] + "\r\nok\r\n0\r\n\r\n").within(DEADLINE_MS);
        }
    }
}
