// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * What did the server choose? A ServerHello is sent in the clear (RFC 8446, 4.1.3): with
 * {@code supported_versions} it is of TLS 1.3, with {@code pre_shared_key} it resumes.
 */
final class ServerHello {
    private static final int SERVER_HELLO = 2;
    private static final int PRE_SHARED_KEY = 41;
    private static final int SUPPORTED_VERSIONS = 43;
    private static final int LENGTH_AND_VERSION_BYTES = 3 + 2;
    private static final int CIPHER_AND_COMPRESSION_BYTES = 2 + 1;

    // The first 8 bytes of SHA-256("HelloRetryRequest"), which is the random of a retry.
    private static final long RETRY = 0xCF21AD74E59A6111L;
    private static final int RANDOM_BYTES = 32;

    private final boolean retry;
    private boolean tls13;
    private boolean resumed;

    private ServerHello(ByteBuffer in) {
        skip(in, LENGTH_AND_VERSION_BYTES);
        retry = in.getLong(in.position()) == RETRY;
        skip(in, RANDOM_BYTES);
        skip(in, in.get() & 0xff);
        skip(in, CIPHER_AND_COMPRESSION_BYTES);
        int end = in.remaining() < 2 ? 0 : (in.getShort() & 0xffff) + in.position();
        while (in.position() < end) {
            int type = in.getShort() & 0xffff;
            tls13 |= type == SUPPORTED_VERSIONS;
            resumed |= type == PRE_SHARED_KEY;
            skip(in, in.getShort() & 0xffff);
        }
    }

    /** @return the hello that a handshake record begins with, or null if there is none */
    static ServerHello in(ByteBuffer record) {
        try {
            return record.get() == SERVER_HELLO ? new ServerHello(record) : null;
        } catch (BufferUnderflowException | IllegalArgumentException notOne) {
            return null;
        }
    }

    boolean isRetryRequest() {
        return retry;
    }

    boolean isTls13() {
        return tls13;
    }

    boolean isResumed() {
        return resumed;
    }

    private static void skip(ByteBuffer in, int bytes) {
        in.position(in.position() + bytes);
    }
}
