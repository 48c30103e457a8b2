// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A ClientHello before it is sent (RFC 8446, section 4.1.2). It begins as a good one; whatever a
 * row wants odd is set. Its key shares are generators: public, and good enough for a first answer.
 */
final class HelloDraft {
    static final int SNI = 0;
    static final int POINT_FORMATS = 11;
    static final int SIGNATURES = 13;
    static final int MODES = 45;
    static final int RENEGOTIATION = 0xff01;

    static final int FFDHE2048 = 0x0100;

    /** The generator of secp256r1, uncompressed (SEC 2, section 2.4.2). */
    private static final String P256 =
        "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
        + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5";

    private final Map<Object, byte[]> extensions = new LinkedHashMap<>();
    int recordVersion = 0x0301;
    int version = 0x0303;
    byte[] random = filled(32, 7);
    byte[] sessionId = filled(32, 9);
    int[] suites = {0x1301, 0x1302};
    byte[] compressions = {0};

    /** What follows the extensions, inside of the message. */
    byte[] tail = new byte[0];

    /** Whether there is a block of extensions at all. */
    boolean hasExtensions = true;

    /** TLS 1.3, with a key share of secp256r1. */
    static HelloDraft tls13() {
        HelloDraft hello = new HelloDraft();
        hello.versions(0x0304).groups(ClientHello.SECP256R1, ClientHello.X25519, FFDHE2048)
            .signatures(0x0804, 0x0805, 0x0806, 0x0401, 0x0501, 0x0601)
            .shares(share(ClientHello.SECP256R1, hex(P256)));
        hello.extension(MODES, new byte[] {1, 1});
        return hello;
    }

    /** TLS 1.2, with ECDHE and RSA. */
    static HelloDraft tls12() {
        HelloDraft hello = new HelloDraft();
        hello.suites = new int[] {0xc02f, 0xc030, 0xc027, 0xc013, 0xc014};
        hello.sessionId = new byte[0];
        hello.groups(ClientHello.SECP256R1, ClientHello.X25519)
            .signatures(0x0401, 0x0501, 0x0601, 0x0804);
        hello.extension(POINT_FORMATS, new byte[] {1, 0});
        return hello.extension(RENEGOTIATION, new byte[1]);
    }

    HelloDraft version(int legacy) {
        version = legacy;
        return this;
    }

    HelloDraft suites(int... offered) {
        suites = offered;
        return this;
    }

    HelloDraft versions(int... offered) {
        return extension(ClientHello.SUPPORTED_VERSIONS, RawHello.vector(1, numbers(offered)));
    }

    HelloDraft groups(int... offered) {
        return extension(ClientHello.SUPPORTED_GROUPS, RawHello.vector(2, numbers(offered)));
    }

    HelloDraft signatures(int... offered) {
        return extension(SIGNATURES, RawHello.vector(2, numbers(offered)));
    }

    HelloDraft shares(byte[]... shares) {
        return extension(ClientHello.KEY_SHARE, RawHello.vector(2, Der.join(shares)));
    }

    static byte[] share(int group, byte[] key) {
        return Der.join(RawHello.number(2, group), RawHello.vector(2, key));
    }

    static byte[] p256() {
        return hex(P256);
    }

    /** Sets an extension, in place of any that has this type. */
    HelloDraft extension(int type, byte[] content) {
        extensions.put(type, Der.join(RawHello.number(2, type), RawHello.vector(2, content)));
        return this;
    }

    /** Adds an extension at the end, even if there is one of this type. */
    HelloDraft more(int type, byte[] content) {
        extensions.put("more " + extensions.size(),
            Der.join(RawHello.number(2, type), RawHello.vector(2, content)));
        return this;
    }

    /** Adds bytes in the place of an extension. */
    HelloDraft bytes(byte[] bytes) {
        extensions.put("bytes", bytes);
        return this;
    }

    HelloDraft without(int type) {
        extensions.remove(type);
        return this;
    }

    HelloDraft name(String host) {
        return names(RawHello.vector(2, Der.join(new byte[1],
            RawHello.vector(2, host.getBytes(java.nio.charset.StandardCharsets.UTF_8)))));
    }

    HelloDraft names(byte[] content) {
        return extension(SNI, content);
    }

    HelloDraft protocols(String... names) {
        byte[] all = new byte[0];
        for (String name : names) {
            all = Der.join(all, RawHello.vector(1,
                name.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1)));
        }
        return extension(ClientHello.APPLICATION_PROTOCOLS, RawHello.vector(2, all));
    }

    /** The message, with its header of four bytes. */
    byte[] message() {
        List<byte[]> all = new ArrayList<>(extensions.values());
        byte[] block = RawHello.vector(2, Der.join(all.toArray(new byte[0][])));
        return message(1, Der.join(RawHello.number(2, version), random,
            RawHello.vector(1, sessionId), RawHello.vector(2, numbers(suites)),
            RawHello.vector(1, compressions), hasExtensions ? block : new byte[0], tail));
    }

    /** In one record. */
    byte[] bytes() {
        return record(TlsRecord.HANDSHAKE, recordVersion, message());
    }

    static byte[] message(int type, byte[] body) {
        return Der.join(new byte[] {(byte) type}, RawHello.vector(3, body));
    }

    static byte[] record(int type, int version, byte[] body) {
        return Der.join(new byte[] {(byte) type}, RawHello.number(2, version),
            RawHello.vector(2, body));
    }

    static byte[] filled(int count, int with) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) with);
        return bytes;
    }

    static byte[] numbers(int... numbers) {
        byte[] all = new byte[0];
        for (int number : numbers) {
            all = Der.join(all, RawHello.number(2, number));
        }
        return all;
    }

    static byte[] hex(String digits) {
        byte[] bytes = new byte[digits.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }
}
