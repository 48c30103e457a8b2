// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What does a client ask for? The fields of a ClientHello (RFC 8446 section 4.1.2). */
final class ClientHello {
    /** Extension types (RFC 8446 section 4.2). */
    static final int SUPPORTED_GROUPS = 10;
    static final int APPLICATION_PROTOCOLS = 16;
    static final int PRE_SHARED_KEY = 41;
    static final int SUPPORTED_VERSIONS = 43;
    static final int KEY_SHARE = 51;

    /** Named groups (RFC 8446 section 4.2.7). */
    static final int SECP256R1 = 23;
    static final int X25519 = 29;

    private static final int RANDOM_BYTES = 32;

    /** {@code legacy_session_id}: 32 random bytes if middleboxes are to see a TLS 1.2 client. */
    final byte[] sessionId;

    final List<Integer> cipherSuites = new ArrayList<>();

    private final Map<Integer, byte[]> extensions = new LinkedHashMap<>();

    /**
     * @param record a whole ClientHello
     * @throws IllegalArgumentException for any other record, or a hello split over two records
     */
    ClientHello(TlsRecord record) {
        if (!record.isHandshake(TlsRecord.CLIENT_HELLO)) {
            throw new IllegalArgumentException("no ClientHello: " + record);
        }
        ByteBuffer in = ByteBuffer.wrap(record.bytes);
        in.position(TlsRecord.HEADER_BYTES + 1);
        int bodyBytes = (in.get() & 0xff) << 16 | in.getShort() & 0xffff;
        if (bodyBytes != in.remaining()) {
            throw new IllegalArgumentException("the ClientHello has " + bodyBytes
                + " bytes and its record " + in.remaining());
        }
        in.getShort();
        in.position(in.position() + RANDOM_BYTES);
        sessionId = bytes(in, in.get() & 0xff);
        ByteBuffer suites = ByteBuffer.wrap(bytes(in, in.getShort() & 0xffff));
        while (suites.hasRemaining()) {
            cipherSuites.add(suites.getShort() & 0xffff);
        }
        bytes(in, in.get() & 0xff);
        in.getShort();
        while (in.hasRemaining()) {
            int type = in.getShort() & 0xffff;
            extensions.put(type, bytes(in, in.getShort() & 0xffff));
        }
    }

    boolean has(int extension) {
        return extensions.containsKey(extension);
    }

    /** The content of an extension; null if it is not there. */
    byte[] extension(int type) {
        return extensions.get(type);
    }

    /** The types of all extensions, in the order in which they were sent. */
    List<Integer> extensionTypes() {
        return new ArrayList<>(extensions.keySet());
    }

    /** Groups that the client supports, in its order of preference. */
    List<Integer> supportedGroups() {
        List<Integer> groups = new ArrayList<>();
        ByteBuffer in = list(SUPPORTED_GROUPS);
        while (in.hasRemaining()) {
            groups.add(in.getShort() & 0xffff);
        }
        return groups;
    }

    /** Groups for which the client sends a key share at once, so that no retry is needed. */
    List<Integer> keyShares() {
        List<Integer> groups = new ArrayList<>();
        ByteBuffer in = list(KEY_SHARE);
        while (in.hasRemaining()) {
            groups.add(in.getShort() & 0xffff);
            bytes(in, in.getShort() & 0xffff);
        }
        return groups;
    }

    /** The names of application protocols that the client offers, as sent (RFC 7301). */
    List<byte[]> applicationProtocols() {
        List<byte[]> names = new ArrayList<>();
        ByteBuffer in = list(APPLICATION_PROTOCOLS);
        while (in.hasRemaining()) {
            names.add(bytes(in, in.get() & 0xff));
        }
        return names;
    }

    /** Identities of the pre-shared keys offered for resumption (RFC 8446 section 4.2.11). */
    List<byte[]> preSharedKeys() {
        List<byte[]> identities = new ArrayList<>();
        if (has(PRE_SHARED_KEY)) {
            ByteBuffer all = ByteBuffer.wrap(extensions.get(PRE_SHARED_KEY));
            ByteBuffer in = ByteBuffer.wrap(bytes(all, all.getShort() & 0xffff));
            while (in.hasRemaining()) {
                identities.add(bytes(in, in.getShort() & 0xffff));
                in.getInt();
            }
        }
        return identities;
    }

    /** The list in an extension that holds just a two-byte length and a list; empty if absent. */
    private ByteBuffer list(int extension) {
        if (!has(extension)) {
            return ByteBuffer.allocate(0);
        }
        ByteBuffer in = ByteBuffer.wrap(extensions.get(extension));
        in.getShort();
        return in;
    }

    private static byte[] bytes(ByteBuffer in, int count) {
        byte[] bytes = new byte[count];
        in.get(bytes);
        return bytes;
    }
}
