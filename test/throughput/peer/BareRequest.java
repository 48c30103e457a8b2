// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;

/**
 * What does the client ask for? Reads one request after another into the same buffer, and uses
 * only what a bare peer needs: {@code ?bytes=}, Content-Length and Connection.
 */
final class BareRequest {
    private static final byte[] REPLY_BYTES = ascii("?bytes=");
    private static final byte[] CONTENT_LENGTH = ascii("\r\ncontent-length: ");
    private static final byte[] CLOSE = ascii("\r\nconnection: close");
    private static final byte[] CHUNKED = ascii("\r\ntransfer-encoding:");
    private static final byte[] END = ascii("\r\n\r\n");

    private final InputStream in;
    private final byte[] buffer = new byte[32 * 1024];
    private int headBytes;
    private long bodyBytes;
    private long replyBytes;
    private boolean last;

    BareRequest(InputStream in) {
        this.in = in;
    }

    /**
     * Reads the next request, including its body.
     *
     * @return false if the client has ended the connection
     * @throws IOException for a request that is not understood
     */
    boolean next() throws IOException {
        int got = readHead();
        if (got == 0) {
            return false;
        }
        if (find(CHUNKED) >= 0) {
            throw new ProtocolException("a chunked request: give a Content-Length");
        }
        last = find(CLOSE) >= 0;
        replyBytes = number(REPLY_BYTES);
        bodyBytes = number(CONTENT_LENGTH);
        skip(bodyBytes - (got - headBytes));
        return true;
    }

    /** Whether the client asks to close after the reply. */
    boolean isLast() {
        return last;
    }

    /** Bytes of the head and the body. */
    long bytes() {
        return headBytes + bodyBytes;
    }

    int replyBytes() {
        return (int) replyBytes;
    }

    /** @return bytes read, perhaps including some of the body; 0 at the end of the connection */
    private int readHead() throws IOException {
        int got = 0;
        headBytes = 0;
        for (int at = -1; at < 0; at = find(END)) {
            int count = in.read(buffer, got, buffer.length - got);
            if (count < 0 && got == 0) {
                return 0;
            }
            if (count <= 0) {
                throw new EOFException("a request ended, or was too long, in its head");
            }
            got += count;
            headBytes = got;
        }
        headBytes = find(END) + END.length;
        return got;
    }

    private void skip(long bytes) throws IOException {
        if (bytes < 0) {
            throw new ProtocolException("a second request before the reply to the first");
        }
        for (long left = bytes; left > 0;) {
            int count = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (count < 0) {
                throw new EOFException("a request ended in its body");
            }
            left -= count;
        }
    }

    /** The number that follows {@code name} in the head, or 0. */
    private long number(byte[] name) {
        int at = find(name);
        long number = 0;
        if (at >= 0) {
            for (int i = at + name.length; buffer[i] >= '0' && buffer[i] <= '9'; i++) {
                number = 10 * number + (buffer[i] - '0');
            }
        }
        return number;
    }

    /** @return where {@code what} begins in the head, ignoring case; -1: nowhere */
    private int find(byte[] what) {
        for (int at = 0; at <= headBytes - what.length; at++) {
            int same = 0;
            while (same < what.length && lower(buffer[at + same]) == what[same]) {
                same++;
            }
            if (same == what.length) {
                return at;
            }
        }
        return -1;
    }

    private static int lower(byte letter) {
        return letter >= 'A' && letter <= 'Z' ? letter + ('a' - 'A') : letter;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
