// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/**
 * A TCP socket that detects what no API reports: a HelloRetryRequest, by its random (RFC 8446,
 * section 4.1.3), and TLS 1.3 records that can only be a KeyUpdate.
 *
 * <p>A message of 5 bytes, a content type of 1 and a tag of 16 (RFC 8446, sections 4.6.3 and 5.2)
 * make 22; JSSE pads a handshake record with 16 more. No other message is that short, except an
 * alert, which is shorter: EncryptedExtensions have at least 6 bytes.
 */
final class WatchedSocket extends Socket {
    private static final int LENGTH = 22;
    private static final int PADDED_LENGTH = LENGTH + 16;

    private final Records received = new Records();
    private final Records sent = new Records();

    /** {@code both}, {@code sent}, {@code received} or {@code none}. */
    String keysUpdated() {
        if (sent.hasUpdate) {
            return received.hasUpdate ? "both" : "sent";
        }
        return received.hasUpdate ? "received" : "none";
    }

    /** Has a HelloRetryRequest been received or sent? */
    boolean hasRetried() {
        return received.hasRetry || sent.hasRetry;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return new FilterInputStream(super.getInputStream()) {
            @Override
            public int read() throws IOException {
                int one = super.read();
                if (one >= 0) {
                    received.see(new byte[] {(byte) one}, 0, 1);
                }
                return one;
            }

            @Override
            public int read(byte[] into, int offset, int length) throws IOException {
                int count = super.read(into, offset, length);
                received.see(into, offset, count);
                return count;
            }
        };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        return new FilterOutputStream(super.getOutputStream()) {
            @Override
            public void write(int one) throws IOException {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] from, int offset, int length) throws IOException {
                sent.see(from, offset, length);
                out.write(from, offset, length);
            }
        };
    }

    /** The records of one direction, by their heads: type, version, length. */
    private static final class Records {
        private static final int HEAD = 5;
        private static final int HANDSHAKE = 22;
        private static final int APPLICATION_DATA = 23;

        /** The first 8 bytes of SHA-256("HelloRetryRequest"), which is the random of a retry. */
        private static final long RETRY = 0xCF21AD74E59A6111L;
        /** Bytes of a hello's type, length and version, and of the first 8 of its random. */
        private static final int HELLO = 1 + 3 + 2 + 8;

        private volatile boolean hasUpdate;
        private volatile boolean hasRetry;
        private long lastEight;
        private int type;
        private int headBytes;
        private int length;
        private int left;

        private void see(byte[] bytes, int offset, int count) {
            for (int at = offset; at < offset + count;) {
                if (left > 0 && type == HANDSHAKE && length - left < HELLO) {
                    lastEight = lastEight << 8 | bytes[at++] & 0xff;
                    left--;
                    hasRetry |= length - left == HELLO && lastEight == RETRY;
                    continue;
                }
                if (left > 0) {
                    int skipped = Math.min(left, offset + count - at);
                    left -= skipped;
                    at += skipped;
                    continue;
                }
                int one = bytes[at++] & 0xff;
                type = headBytes == 0 ? one : type;
                length = (length << 8 | one) & 0xffff;
                if (++headBytes == HEAD) {
                    headBytes = 0;
                    left = length;
                    hasUpdate |= type == APPLICATION_DATA
                        && (length == LENGTH || length == PADDED_LENGTH);
                }
            }
        }
    }
}
