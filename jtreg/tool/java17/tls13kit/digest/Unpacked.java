// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** How much may come out of a packed file? A small one may claim to hold any number of bytes. */
final class Unpacked {
    /** Four times the largest log that was tried; gzip makes it out of 4 MB. */
    private static final long MOST_BYTES = 4L << 30;

    private long bytes;

    void reset() {
        bytes = 0;
    }

    /** Throws IOException if too much came out by now. */
    void check() throws IOException {
        if (bytes > MOST_BYTES) {
            throw new IOException("unpacks to more than " + (MOST_BYTES >> 30) + " GiB");
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
