// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What does a bare peer answer? Each kind of reply is built once. */
final class BareReplies {
    // Up to this size, head and body go out in one write, and so in one TLS record if they fit.
    private static final int WHOLE_BYTES = 64 * 1024;
    private static final byte[] CHUNK = filled(WHOLE_BYTES);

    private final String keepAlive;
    private final Map<Integer, byte[]> keeping = new ConcurrentHashMap<>();
    private final Map<Integer, byte[]> closing = new ConcurrentHashMap<>();

    /** @param keepAliveS how long replies promise to keep an idle connection; 0: no promise */
    BareReplies(int keepAliveS) {
        keepAlive = "Connection: keep-alive\r\n"
            + (keepAliveS > 0 ? "Keep-Alive: timeout=" + keepAliveS + "\r\n" : "");
    }

    /** Sends a reply with a body of {@code bodyBytes}; returns the bytes sent. */
    long send(OutputStream out, int bodyBytes, boolean close) throws IOException {
        byte[] begin = (close ? closing : keeping).computeIfAbsent(
            bodyBytes, close ? BareReplies::closingBegin : this::keepingBegin);
        out.write(begin);
        int rest = bodyBytes > WHOLE_BYTES ? bodyBytes : 0;
        for (int left = rest; left > 0; left -= CHUNK.length) {
            out.write(CHUNK, 0, Math.min(left, CHUNK.length));
        }
        return begin.length + rest;
    }

    private byte[] keepingBegin(int bodyBytes) {
        return begin(bodyBytes, keepAlive);
    }

    private static byte[] closingBegin(int bodyBytes) {
        return begin(bodyBytes, "Connection: close\r\n");
    }

    /** The head, with the body if that is small. */
    private static byte[] begin(int bodyBytes, String connection) {
        byte[] head = ("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n"
            + "Content-Length: " + bodyBytes + "\r\n" + connection + "\r\n")
            .getBytes(StandardCharsets.ISO_8859_1);
        int small = bodyBytes > WHOLE_BYTES ? 0 : bodyBytes;
        byte[] both = Arrays.copyOf(head, head.length + small);
        Arrays.fill(both, head.length, both.length, (byte) 'x');
        return both;
    }

    private static byte[] filled(int bytes) {
        byte[] chunk = new byte[bytes];
        Arrays.fill(chunk, (byte) 'x');
        return chunk;
    }
}
