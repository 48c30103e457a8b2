// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * How much may come out of a packed file? A small one may hold any number of bytes: zeros become a
 * thousandth of their length, logs a tenth to a hundredth.
 */
final class Unpacked {
    private static final long LEAST_BYTES = 256L << 20;
    private static final long MOST_BYTES = 4L << 30;
    private static final long MOST_TIMES = 250;

    private final long mostBytes;
    private long bytes;

    /** Takes the length of the file, which is unknown for standard input: {@link Long#MAX_VALUE}. */
    Unpacked(long packedBytes) {
        mostBytes = packedBytes > MOST_BYTES / MOST_TIMES ? MOST_BYTES
                : Math.min(MOST_BYTES, LEAST_BYTES + packedBytes * MOST_TIMES);
    }

    boolean isExceeded() {
        return bytes > mostBytes;
    }

    /** Throws IOException if too much came out by now. */
    void check() throws IOException {
        if (isExceeded()) {
            throw new IOException("unpacks to more than " + (mostBytes >> 20) + " MiB");
        }
    }

    /** The same stream, able to mark; it ends by an IOException beyond the bound. */
    InputStream bounded(InputStream in) {
        return new BufferedInputStream(new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
                int next = super.read();
                count(next < 0 ? 0 : 1);
                return next;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int read = super.read(into, offset, length);
                count(Math.max(0, read));
                return read;
            }
        }, 1 << 16);
    }

    private void count(int more) throws IOException {
        bytes += more;
        check();
    }
}
