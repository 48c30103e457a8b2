// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * With which ServerHello does a server begin? Reads records until there is one, skipping a
 * HelloRetryRequest and the change_cipher_spec after it (RFC 8446, 4.1.4 and D.4).
 */
final class ServerHelloReader {
    private static final int RECORD_HEADER_BYTES = 5;
    private static final int CHANGE_CIPHER_SPEC = 20;
    private static final int HANDSHAKE = 22;

    // Both hellos are far shorter; anything longer is not TLS.
    private static final int MOST_BYTES = 4096;

    private byte[] begin = new byte[0];
    private ServerHello found;

    /** @return whether no more bytes are needed: there is a hello, or there will be none */
    boolean takes(byte[] bytes, int count) {
        int old = begin.length;
        begin = Arrays.copyOf(begin, old + count);
        System.arraycopy(bytes, 0, begin, old, count);
        ByteBuffer in = ByteBuffer.wrap(begin);
        while (in.remaining() >= RECORD_HEADER_BYTES) {
            int type = in.get();
            in.getShort();
            int length = in.getShort() & 0xffff;
            if (type != HANDSHAKE && type != CHANGE_CIPHER_SPEC) {
                return true;
            }
            if (in.remaining() < length) {
                break;
            }
            if (type == HANDSHAKE) {
                ServerHello hello = ServerHello.in(in.slice());
                if (hello == null || !hello.isRetryRequest()) {
                    found = hello;
                    return true;
                }
            }
            in.position(in.position() + length);
        }
        return begin.length > MOST_BYTES;
    }

    /** @return null if there was none */
    ServerHello found() {
        return found;
    }
}
