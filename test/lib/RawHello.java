// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;

/**
 * What can a peer say that JSSE cannot be made to say? Hellos put together by hand (RFC 8446
 * section 4.1), with TLS_AES_128_GCM_SHA256 and secp256r1 only. Nothing is encrypted here:
 * the use of most is to see how the other side goes on; {@link RawClient} goes on itself.
 */
final class RawHello {
    private static final int TLS_AES_128_GCM_SHA256 = 0x1301;
    private static final int TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 = 0xc02b;
    private static final int TLS12 = 0x0303;
    private static final int TLS13 = 0x0304;
    private static final int ECDSA_SECP256R1_SHA256 = 0x0403;
    private static final int SIGNATURE_ALGORITHMS = 13;
    private static final int COOKIE = 44;
    private static final int RANDOM_BYTES = 32;
    private static final int COORDINATE_BYTES = 32;

    /** The random that marks a ServerHello as a HelloRetryRequest (RFC 8446 section 4.1.3). */
    private static final byte[] RETRY_RANDOM = new BigInteger(
        "cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c", 16).toByteArray();

    private final ByteArrayOutputStream extensions = new ByteArrayOutputStream();

    private RawHello() { }

    /**
     * A ClientHello in compatibility mode, with a session id.
     *
     * @param keyShare whether to send a key share; without one the server must ask for a retry
     * @param retry the server's HelloRetryRequest, whose cookie is sent back; or null
     */
    static TlsRecord client(boolean keyShare, TlsRecord retry) throws GeneralSecurityException {
        byte[] shares = keyShare
            ? join(number(2, ClientHello.SECP256R1), vector(2, publicPoint())) : new byte[0];
        return client(vector(2, shares), retry == null ? null : extensionOf(retry, COOKIE));
    }

    /** A ClientHello without compatibility mode, with the share of a key that the caller has. */
    static TlsRecord client(ECPublicKey key) {
        byte[] share = join(number(2, ClientHello.SECP256R1), vector(2, point(key)));
        return client(vector(2, share), null, new byte[0]);
    }

    /** A ClientHello of TLS 1.2, with TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 (RFC 5289). */
    static TlsRecord client12() {
        RawHello hello = new RawHello();
        hello.extension(ClientHello.SUPPORTED_GROUPS,
            vector(2, number(2, ClientHello.SECP256R1)));
        hello.extension(SIGNATURE_ALGORITHMS, vector(2, number(2, ECDSA_SECP256R1_SHA256)));
        return hello.message(new byte[0], TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256);
    }

    /** The same ClientHello, but without the key_share extension, which must be there. */
    static TlsRecord clientWithoutKeyShare() {
        return client(null, null);
    }

    private static TlsRecord client(byte[] keyShares, byte[] cookie) {
        return client(keyShares, cookie, fixed());
    }

    private static byte[] fixed() {
        byte[] fixed = new byte[RANDOM_BYTES];
        Arrays.fill(fixed, (byte) 7);
        return fixed;
    }

    private static TlsRecord client(byte[] keyShares, byte[] cookie, byte[] sessionId) {
        RawHello hello = new RawHello();
        hello.extension(ClientHello.SUPPORTED_VERSIONS, vector(1, number(2, TLS13)));
        hello.extension(ClientHello.SUPPORTED_GROUPS,
            vector(2, number(2, ClientHello.SECP256R1)));
        hello.extension(SIGNATURE_ALGORITHMS, vector(2, number(2, ECDSA_SECP256R1_SHA256)));
        if (keyShares != null) {
            hello.extension(ClientHello.KEY_SHARE, keyShares);
        }
        if (cookie != null) {
            hello.extension(COOKIE, cookie);
        }
        return hello.message(sessionId, TLS_AES_128_GCM_SHA256);
    }

    private TlsRecord message(byte[] sessionId, int suite) {
        return message(TlsRecord.CLIENT_HELLO, join(number(2, TLS12), fixed(), vector(1, sessionId),
            vector(2, number(2, suite)), vector(1, new byte[1]),
            vector(2, extensions.toByteArray())));
    }

    /** A HelloRetryRequest that asks for a key share of secp256r1. */
    static TlsRecord retry(ClientHello asked) {
        RawHello hello = new RawHello();
        hello.extension(ClientHello.SUPPORTED_VERSIONS, number(2, TLS13));
        hello.extension(ClientHello.KEY_SHARE, number(2, ClientHello.SECP256R1));
        byte[] random = Arrays.copyOfRange(
            RETRY_RANDOM, RETRY_RANDOM.length - RANDOM_BYTES, RETRY_RANDOM.length);
        return message(TlsRecord.SERVER_HELLO, join(number(2, TLS12), random,
            vector(1, asked.sessionId), number(2, TLS_AES_128_GCM_SHA256), new byte[1],
            vector(2, hello.extensions.toByteArray())));
    }

    /** @return whether this is a ServerHello that asks for a retry */
    static boolean isRetry(TlsRecord record) {
        if (!record.isHandshake(TlsRecord.SERVER_HELLO)) {
            return false;
        }
        int from = TlsRecord.HEADER_BYTES + 4 + 2;
        BigInteger random =
            new BigInteger(1, Arrays.copyOfRange(record.bytes, from, from + RANDOM_BYTES));
        return random.equals(new BigInteger(RETRY_RANDOM));
    }

    /** The content of an extension of a ServerHello; null if it has none of that type. */
    static byte[] extensionOf(TlsRecord serverHello, int wanted) {
        ByteBuffer in = ByteBuffer.wrap(serverHello.bytes);
        in.position(TlsRecord.HEADER_BYTES + 4 + 2 + RANDOM_BYTES);
        in.position(in.position() + 1 + (in.get(in.position()) & 0xff));
        in.position(in.position() + 3 + 2);
        while (in.hasRemaining()) {
            int type = in.getShort() & 0xffff;
            byte[] content = new byte[in.getShort() & 0xffff];
            in.get(content);
            if (type == wanted) {
                return content;
            }
        }
        return null;
    }

    private static byte[] publicPoint() throws GeneralSecurityException {
        return point((ECPublicKey) keyPair().getPublic());
    }

    /** A new key of secp256r1. */
    static KeyPair keyPair() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    /** An uncompressed point (RFC 8446 section 4.2.8.2). */
    private static byte[] point(ECPublicKey key) {
        return join(new byte[] {4}, coordinate(key.getW().getAffineX()),
            coordinate(key.getW().getAffineY()));
    }

    private static byte[] coordinate(BigInteger value) {
        byte[] signed = value.toByteArray();
        byte[] padded = new byte[COORDINATE_BYTES + signed.length];
        System.arraycopy(signed, 0, padded, COORDINATE_BYTES, signed.length);
        return Arrays.copyOfRange(padded, padded.length - COORDINATE_BYTES, padded.length);
    }

    private void extension(int type, byte[] content) {
        byte[] bytes = join(number(2, type), vector(2, content));
        extensions.write(bytes, 0, bytes.length);
    }

    /** A handshake message in a record of its own. */
    static TlsRecord message(int type, byte[] body) {
        return TlsRecord.of(TlsRecord.HANDSHAKE, join(number(1, type), vector(3, body)));
    }

    /** A vector of TLS: its length, in that many bytes, and its content. */
    static byte[] vector(int lengthBytes, byte[] content) {
        return join(number(lengthBytes, content.length), content);
    }

    /** A number of that many bytes, the highest first. */
    static byte[] number(int bytes, int value) {
        byte[] number = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            number[i] = (byte) (value >> 8 * (bytes - 1 - i));
        }
        return number;
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.write(part, 0, part.length);
        }
        return joined.toByteArray();
    }
}
