// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** What files are in a tar (POSIX.1-1988 ustar, and GNU's)? Read one after the other. */
final class Tar {
    static final int HEADER_BYTES = 512;
    private static final int NAME_BYTES = 100;
    private static final int SIZE_AT = 124;
    private static final int SIZE_BYTES = 12;
    private static final int TYPE_AT = 156;
    private static final int MAGIC_AT = 257;
    private static final int PREFIX_AT = 345;
    private static final int PREFIX_BYTES = 155;
    private static final int OCTAL = 8;

    private final InputStream in;
    /** Of the member at hand: bytes of its content and padding that are still to come. */
    private long left;
    private long padding;

    Tar(InputStream in) {
        this.in = in;
    }

    /** Does a file that begins so look like one? */
    static boolean begins(byte[] head) {
        return head.length == HEADER_BYTES && text(head, MAGIC_AT, 5).equals("ustar");
    }

    /** The name of the next regular file; null after the last. Throws IOException if damaged. */
    String next() throws IOException {
        while (true) {
            skip(left + padding);
            byte[] head = in.readNBytes(HEADER_BYTES);
            if (head.length < HEADER_BYTES || head[0] == 0) {
                return null;
            }
            left = size(head);
            padding = (HEADER_BYTES - left % HEADER_BYTES) % HEADER_BYTES;
            if (head[TYPE_AT] == '0' || head[TYPE_AT] == 0) {
                String prefix = text(head, PREFIX_AT, PREFIX_BYTES);
                String name = text(head, 0, NAME_BYTES);
                return prefix.isEmpty() ? name : prefix + "/" + name;
            }
        }
    }

    /** The content of the file that {@link #next} named. */
    InputStream content() {
        return new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
                byte[] next = new byte[1];
                return read(next, 0, 1) < 0 ? -1 : next[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int read = left == 0 ? -1
                        : in.read(into, offset, (int) Math.min(length, left));
                if (read < 0 && left > 0) {
                    left = 0;
                    padding = 0;
                    throw new IOException("is a tar that is cut short");
                }
                left -= Math.max(0, read);
                return read;
            }

            @Override
            public boolean markSupported() {
                return false;
            }
        };
    }

    private void skip(long bytes) throws IOException {
        try {
            in.skipNBytes(bytes);
        } catch (java.io.EOFException e) {
            throw new IOException("is a tar that is cut short");
        }
        left = 0;
        padding = 0;
    }

    private static long size(byte[] head) throws IOException {
        try {
            String octal = text(head, SIZE_AT, SIZE_BYTES).strip();
            return octal.isEmpty() ? 0 : Long.parseUnsignedLong(octal, OCTAL) & Long.MAX_VALUE;
        } catch (NumberFormatException e) {
            throw new IOException("is a damaged tar file");
        }
    }

    private static String text(byte[] head, int from, int most) {
        int end = from;
        while (end < from + most && head[end] != 0) {
            end++;
        }
        return new String(head, from, end - from, StandardCharsets.UTF_8);
    }
}
