// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.facts;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * Which named groups and signature schemes does a client offer? No API before JDK 20 says so; this
 * parses the client's first message: RFC 8446 sections 4.1.2 (ClientHello), 4.2.3
 * (signature_algorithms), 4.2.7 (supported_groups) and 4.2.8 (key_share).
 */
final class ClientHello {

    private static final int RECORD_HEADER_BYTES = 5;
    private static final int HANDSHAKE_HEADER_BYTES = 4;
    private static final int VERSION_AND_RANDOM_BYTES = 2 + 32;
    private static final int SUPPORTED_GROUPS = 10;
    private static final int SIGNATURE_ALGORITHMS = 13;
    private static final int KEY_SHARE = 51;

    private final List<String> namedGroups = new ArrayList<>();
    private final List<String> keyShares = new ArrayList<>();
    private final List<String> signatureSchemes = new ArrayList<>();

    private ClientHello() {
    }

    /** Parses the first message of an engine in client mode; this needs no peer. */
    static ClientHello of(SSLEngine client) throws SSLException {
        ByteBuffer record = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
        client.beginHandshake();
        client.wrap(ByteBuffer.allocate(0), record);
        record.flip();
        record.position(RECORD_HEADER_BYTES + HANDSHAKE_HEADER_BYTES + VERSION_AND_RANDOM_BYTES);
        part(record, record.get() & 0xff);           // legacy_session_id
        part(record, record.getShort() & 0xffff);    // cipher_suites
        part(record, record.get() & 0xff);           // legacy_compression_methods
        ClientHello hello = new ClientHello();
        if (record.hasRemaining()) {
            hello.readExtensions(part(record, record.getShort() & 0xffff));
        }
        return hello;
    }

    String[] namedGroups() {
        return namedGroups.toArray(new String[0]);
    }

    String[] keyShares() {
        return keyShares.toArray(new String[0]);
    }

    String[] signatureSchemes() {
        return signatureSchemes.toArray(new String[0]);
    }

    private void readExtensions(ByteBuffer extensions) {
        while (extensions.hasRemaining()) {
            int type = extensions.getShort() & 0xffff;
            ByteBuffer body = part(extensions, extensions.getShort() & 0xffff);
            if (type == SUPPORTED_GROUPS) {
                ByteBuffer groups = part(body, body.getShort() & 0xffff);
                while (groups.hasRemaining()) {
                    namedGroups.add(NamedGroups.name(groups.getShort() & 0xffff));
                }
            } else if (type == SIGNATURE_ALGORITHMS) {
                ByteBuffer schemes = part(body, body.getShort() & 0xffff);
                while (schemes.hasRemaining()) {
                    signatureSchemes.add(SignatureSchemes.name(schemes.getShort() & 0xffff));
                }
            } else if (type == KEY_SHARE) {
                ByteBuffer shares = part(body, body.getShort() & 0xffff);
                while (shares.hasRemaining()) {
                    keyShares.add(NamedGroups.name(shares.getShort() & 0xffff));
                    part(shares, shares.getShort() & 0xffff);
                }
            }
        }
    }

    /** Takes the next {@code bytes} bytes, as a buffer of their own. */
    private static ByteBuffer part(ByteBuffer from, int bytes) {
        ByteBuffer taken = from.slice();
        taken.limit(bytes);
        from.position(from.position() + bytes);
        return taken;
    }
}
