// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/**
 * What goes over the wire? One TLS record as sent: a header of type, version and length, and a body
 * (RFC 8446 section 5.1). In TLS 1.3 every encrypted record has the outer type application_data,
 * alerts included.
 */
final class TlsRecord {
    static final int HEADER_BYTES = 5;

    /** Content types (RFC 8446, appendix B.1). */
    static final int CHANGE_CIPHER_SPEC = 20;
    static final int ALERT = 21;
    static final int HANDSHAKE = 22;
    static final int APPLICATION_DATA = 23;

    /** Handshake types (RFC 8446, appendix B.3). */
    static final int CLIENT_HELLO = 1;
    static final int SERVER_HELLO = 2;

    /** Type, version, length, body. */
    final byte[] bytes;

    private TlsRecord(byte[] bytes) {
        this.bytes = bytes;
    }

    /** A record of a raw peer, with version 3.3, like all but the first of a connection. */
    static TlsRecord of(int type, byte[] body) {
        byte[] bytes = new byte[HEADER_BYTES + body.length];
        bytes[0] = (byte) type;
        bytes[1] = 3;
        bytes[2] = 3;
        bytes[3] = (byte) (body.length >> 8);
        bytes[4] = (byte) body.length;
        System.arraycopy(body, 0, bytes, HEADER_BYTES, body.length);
        return new TlsRecord(bytes);
    }

    /**
     * Reads the next record.
     *
     * @return the record; null if the stream ends between two records
     * @throws EOFException if the stream ends inside a record
     */
    static TlsRecord read(InputStream in) throws IOException {
        int type = in.read();
        if (type < 0) {
            return null;
        }
        DataInputStream data = new DataInputStream(in);
        final int version = data.readUnsignedShort();
        byte[] body = new byte[data.readUnsignedShort()];
        data.readFully(body);
        TlsRecord read = of(type, body);
        read.bytes[1] = (byte) (version >> 8);
        read.bytes[2] = (byte) version;
        return read;
    }

    int type() {
        return bytes[0] & 0xff;
    }

    int bodyBytes() {
        return bytes.length - HEADER_BYTES;
    }

    /** @return whether this is an unencrypted handshake message of that type */
    boolean isHandshake(int handshakeType) {
        return type() == HANDSHAKE && bodyBytes() > 0 && bytes[HEADER_BYTES] == handshakeType;
    }

    /** For facts, such as {@code handshake 1, 517 bytes} or {@code application_data, 19 bytes}. */
    @Override
    public String toString() {
        String[] names = {"change_cipher_spec", "alert", "handshake", "application_data"};
        int index = type() - CHANGE_CIPHER_SPEC;
        String name = index >= 0 && index < names.length ? names[index] : "type " + type();
        String which = type() == HANDSHAKE && bodyBytes() > 0 ? " " + bytes[HEADER_BYTES] : "";
        return name + which + ", " + bodyBytes() + " bytes";
    }
}
