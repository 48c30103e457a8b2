// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** With which alert does a client refuse a server? Hellos, key exchanges and records gone wrong. */
public final class BrokenFlights implements Topic {
    private static final int COOKIE = 44;
    private static final int ECDHE = 0xc02f;
    private static final int DHE = 0x009e;
    private static final String[] ANY = {};
    private static final String[] TLS12 = {"TLSv1.2"};
    private static final Object[][] SCHEMES = {{"sha1", 0x0201, "SHA1withRSA"},
        {"sha224", 0x0301, "SHA224withRSA"}, {"sha256", 0x0401, "SHA256withRSA"},
        {"sha384", 0x0501, "SHA384withRSA"}, {"sha512", 0x0601, "SHA512withRSA"},
        {"md5", 0x0101, "MD5withRSA"}, {"named-ecdsa", 0x0403, "SHA256withRSA"},
        {"named-pss", 0x0804, "SHA256withRSA"}, {"named-sha512", 0x0601, "SHA256withRSA"},
        {"unknown", 0x1a1a, "SHA256withRSA"}};

    @Override
    public String name() {
        return "flight";
    }

    @Override
    public void declare(TopicRows rows) {
        hellos13(rows);
        retries(rows);
        hellos12(rows);
        exchanges(rows);
        sequences(rows);
        records(rows);
    }

    private static void flight(TopicRows rows, String id, String does, ServerFlight.Script... scripts) {
        rows.row("flight." + id, "a server answers with " + does,
            () -> ServerFlight.answered(ANY, scripts));
    }

    private static void flight12(TopicRows rows, String id, String does, ServerFlight.Script... scripts) {
        rows.row("flight." + id, "to a client of TLS 1.2 alone, a server answers with " + does,
            () -> ServerFlight.answered(TLS12, scripts));
    }

    /** What a row changes of a good ServerHello. */
    private interface Change {
        void change(ServerFlight flight);
    }

    private static void hello13(TopicRows rows, String id, String does, Change change) {
        flight(rows, "hello13." + id, "a ServerHello of TLS 1.3 " + does, flight -> {
            change.change(flight.tls13());
            return ServerFlight.record(flight.serverHello());
        });
    }

    private static void hellos13(TopicRows rows) {
        hello13(rows, "good", "and nothing more", f -> { });
        hello13(rows, "other-id", "with another session id", f -> f.sessionId = new byte[32]);
        hello13(rows, "no-id", "without the session id", f -> f.sessionId = new byte[0]);
        hello13(rows, "long-id", "with a session id of 33 bytes", f -> f.sessionId = new byte[33]);
        hello13(rows, "compressed", "with a compression", f -> f.compression = 1);
        for (int suite : new int[] {0x1302, 0x1303, 0x1304, 0x1305, 0xc02f, 0, 0x00ff}) {
            hello13(rows, "suite." + String.format("%04x", suite), String.format("with the suite %04x",
                suite), f -> f.suite = suite);
        }
        for (int version : new int[] {0x0300, 0x0301, 0x0302, 0x0303, 0x0304, 0x0305, 0x7f1c}) {
            hello13(rows, "version." + String.format("%04x", version), String.format(
                "with %04x in supported_versions", version), f -> f.extension(
                    ClientHello.SUPPORTED_VERSIONS, HelloDraft.numbers(version)));
            hello13(rows, "legacy." + String.format("%04x", version), String.format(
                "with %04x as its old version field", version), f -> f.version = version);
        }
        hello13(rows, "version.empty", "with an empty supported_versions",
            f -> f.extension(ClientHello.SUPPORTED_VERSIONS, new byte[0]));
        hello13(rows, "version.none", "without supported_versions",
            f -> f.without(ClientHello.SUPPORTED_VERSIONS));
        hello13(rows, "share.none", "without key_share", f -> f.without(ClientHello.KEY_SHARE));
        hello13(rows, "share.empty", "with an empty key_share",
            f -> f.extension(ClientHello.KEY_SHARE, new byte[0]));
        hello13(rows, "share.other", "with a key share of a group that was not shared",
            f -> f.extension(ClientHello.KEY_SHARE, HelloDraft.share(0x0019, new byte[133])));
        hello13(rows, "share.unknown", "with a key share of an unknown group",
            f -> f.extension(ClientHello.KEY_SHARE, HelloDraft.share(0x2a2a, new byte[1])));
        hello13(rows, "share.off-curve", "with a point off its curve", f -> f.extension(
            ClientHello.KEY_SHARE, HelloDraft.share(ClientHello.SECP256R1, new byte[65])));
        hello13(rows, "share.x25519-zero", "with an x25519 key of zeros", f -> f.extension(
            ClientHello.KEY_SHARE, HelloDraft.share(ClientHello.X25519, new byte[32])));
        hello13(rows, "share.tail", "with a byte after its key share", f -> f.extension(
            ClientHello.KEY_SHARE, Der.join(f.share(), new byte[1])));
        for (int type : new int[] {0, 5, 10, 13, 16, 23, 35, 41, 42, 44, 45, 0xff01, 12345}) {
            hello13(rows, "extension." + type, "with the extension " + WireText.extension(type),
                f -> f.extension(type, new byte[0]));
        }
        hello13(rows, "twice", "with key_share twice", f -> f.more(ClientHello.KEY_SHARE, f.share()));
        hello13(rows, "psk", "that takes a pre-shared key", f -> f.extension(41, new byte[2]));
    }

    private static void retries(TopicRows rows) {
        for (int group : new int[] {0x0017, 0x0018, 0x0019, 0x001d, 0x001e, 0x0100, 0x0104, 0x11ec, 0x2a2a, 0}) {
            String hex = String.format("%04x", group);
            flight(rows, "retry." + hex, "a HelloRetryRequest for the group " + hex,
                f -> ServerFlight.record(f.retry(group).serverHello()));
        }
        flight(rows, "retry.twice", "two HelloRetryRequests",
            f -> ServerFlight.record(f.retry(0x0018).serverHello()),
            f -> ServerFlight.record(f.retry(0x0019).serverHello()));
        flight(rows, "retry.cookie", "a HelloRetryRequest with a cookie alone", f -> ServerFlight.record(
            f.retry(0x0018).without(ClientHello.KEY_SHARE)
                .extension(44, RawHello.vector(2, new byte[8])).serverHello()));
        rows.row("flight.retry.second-hello", "a HelloRetryRequest with a cookie of 8 bytes and a group;"
            + " what has the second hello?", () -> {
                String[] seen = {"no second hello"};
                ServerFlight.answered(new String[0], f -> ServerFlight.record(f.retry(0x0018)
                    .extension(COOKIE, RawHello.vector(2, new byte[8])).serverHello()), f -> {
                    seen[0] = second(f.sent);
                    return null;
                });
                return seen[0];
            });
        flight(rows, "retry.empty-cookie", "a HelloRetryRequest with an empty cookie",
            f -> ServerFlight.record(f.retry(0x0018).extension(44, new byte[2]).serverHello()));
        flight(rows, "retry.nothing", "a HelloRetryRequest that asks for nothing",
            f -> ServerFlight.record(f.retry(0x0018).without(ClientHello.KEY_SHARE).serverHello()));
        flight(rows, "retry.other-suite", "a HelloRetryRequest, and another suite then",
            f -> ServerFlight.record(f.retry(0x0018).serverHello()), f -> {
                f.tls13().suite = 0x1302;
                return ServerFlight.record(f.serverHello());
            });
        flight(rows, "retry.tls12-then", "a HelloRetryRequest, and TLS 1.2 then",
            f -> ServerFlight.record(f.retry(0x0018).serverHello()),
            f -> ServerFlight.record(f.tls12(ECDHE).serverHello()));
    }

    private static String second(byte[] sent) throws java.io.IOException {
        java.io.InputStream in = new java.io.ByteArrayInputStream(sent);
        ClientHello last = null;
        for (TlsRecord record = TlsRecord.read(in); record != null; record = TlsRecord.read(in)) {
            if (record.type() == TlsRecord.HANDSHAKE) {
                last = new ClientHello(record);
            }
        }
        byte[] cookie = last.extension(COOKIE);
        return (cookie == null ? "no cookie" : "a cookie, with its length " + cookie.length
            + " bytes") + ", key shares for " + last.keyShares();
    }

    private static void hello12(TopicRows rows, String id, String does, Change change) {
        flight12(rows, "hello12." + id, "a ServerHello of TLS 1.2 " + does, flight -> {
            change.change(flight.tls12(ECDHE));
            return whole(flight);
        });
    }

    private static byte[] whole(ServerFlight flight) throws java.security.GeneralSecurityException {
        return ServerFlight.record(flight.serverHello(), ServerFlight.certificate(),
            flight.curve(0x0401, "SHA256withRSA"), ServerFlight.done());
    }

    private static void hellos12(TopicRows rows) {
        hello12(rows, "good", "as it should be", f -> { });
        for (int suite : new int[] {0x002f, 0x003c, 0x009c, 0x000a, 0x0005, 0xc013, 0xc027, 0xc012, 0x1301, 0,
            0x00ff, 0x2a2a}) {
            String hex = String.format("%04x", suite);
            hello12(rows, "suite." + hex, "with the suite " + hex, f -> f.suite = suite);
        }
        for (int version : new int[] {0x0200, 0x0300, 0x0301, 0x0302, 0x0304, 0x0305}) {
            String hex = String.format("%04x", version);
            hello12(rows, "version." + hex, "with the version " + hex, f -> f.version = version);
        }
        hello12(rows, "compressed", "with a compression", f -> f.compression = 1);
        hello12(rows, "no-renegotiation-info", "without renegotiation_info",
            f -> f.without(HelloDraft.RENEGOTIATION));
        hello12(rows, "renegotiation-info-full", "with renegotiation_info that is not empty",
            f -> f.extension(HelloDraft.RENEGOTIATION, new byte[] {1, 1}));
        hello12(rows, "no-extensions", "without extensions", f -> f.extensions.clear());
        hello12(rows, "long-id", "with a session id of 33 bytes", f -> f.sessionId = new byte[33]);
        hello12(rows, "no-id", "without a session id", f -> f.sessionId = new byte[0]);
        for (int type : new int[] {0, 1, 5, 11, 13, 16, 17, 22, 23, 35, 43, 51, 12345}) {
            hello12(rows, "extension." + type, "with the extension " + WireText.extension(type),
                f -> f.extension(type, new byte[0]));
        }
        hello12(rows, "twice", "with renegotiation_info twice",
            f -> f.more(HelloDraft.RENEGOTIATION, new byte[1]));
        for (int last : new int[] {0, 1}) {
            flight(rows, "downgrade." + last, "TLS 1." + (1 + last) + " and the mark of a downgrade", f -> {
                f.tls12(ECDHE).random = Arrays.copyOf(f.random, 32);
                byte[] mark = HelloDraft.hex("444f574e475244" + "0" + last);
                System.arraycopy(mark, 0, f.random, 24, 8);
                f.version = 0x0302 + last;
                return whole(f);
            });
        }
        flight(rows, "fallback", "TLS 1.2 to a client of 1.3", f -> whole(f.tls12(ECDHE)));
    }

    /** Of 256 numbers of a client one is a byte shorter, as it begins with a zero, which need not be sent. */
    private static String withZero(int bytes, String seen) {
        String message = "ClientKeyExchange ";
        return seen.replace(message + (bytes + 1) + ",", message + (bytes + 2) + ",");
    }

    private static void exchanges(TopicRows rows) {
        for (int bits : new int[] {256, 512, 768, 1016, 1024, 1536, 2048, 8200}) {
            rows.row("flight.dhe." + bits, "to a client of TLS 1.2 alone, a server answers with a group of DHE of "
                + bits + " bits", () -> withZero(bits / 8, ServerFlight.answered(TLS12, f -> ServerFlight.record(
                    f.tls12(DHE).serverHello(), ServerFlight.certificate(), f.prime(bits), ServerFlight.done()))));
        }
        for (Object[] scheme : SCHEMES) {
            flight12(rows, "signature." + scheme[0], "a key exchange signed by " + scheme[2] + ", named "
                + String.format("%04x", (Integer) scheme[1]), f -> ServerFlight.record(
                    f.tls12(ECDHE).serverHello(), ServerFlight.certificate(),
                    f.curve((Integer) scheme[1], (String) scheme[2]), ServerFlight.done()));
        }
        Object[][] parameters = {{"explicit-prime", "0100"}, {"unknown-curve", "032a2a0104"},
            {"off-curve", "030017" + "41" + "04" + zeros(64)}, {"infinity", "0300170100"},
            {"empty-point", "03001700"}, {"short-point", "0300170204" + "01"}, {"type-9", "0900170104"},
            {"not-offered", "03000f0104"}};
        for (Object[] parameter : parameters) {
            flight12(rows, "exchange." + parameter[0], "a key exchange of this kind: " + parameter[0],
                f -> ServerFlight.record(f.tls12(ECDHE).serverHello(), ServerFlight.certificate(),
                    f.exchange(HelloDraft.hex((String) parameter[1]), 0x0401, "SHA256withRSA"),
                    ServerFlight.done()));
        }
        flight12(rows, "exchange.wrong-signature", "a key exchange whose signature is of another", f ->
            ServerFlight.record(f.tls12(ECDHE).serverHello(), ServerFlight.certificate(),
                HelloDraft.message(12, Der.join(new byte[] {3, 0, 23},
                    RawHello.vector(1, HelloDraft.p256()), RawHello.number(2, 0x0401),
                    RawHello.vector(2, new byte[256]))), ServerFlight.done()));
        flight12(rows, "exchange.none", "no key exchange", f -> ServerFlight.record(
            f.tls12(ECDHE).serverHello(), ServerFlight.certificate(), ServerFlight.done()));
        flight12(rows, "exchange.for-rsa", "a key exchange in a suite that has none", f ->
            ServerFlight.record(f.tls12(0x009c).serverHello(), ServerFlight.certificate(),
                f.curve(0x0401, "SHA256withRSA"), ServerFlight.done()));
    }

    private static String zeros(int count) {
        return new String(new char[2 * count]).replace('\0', '0');
    }

    private static void sequences(TopicRows rows) {
        flight12(rows, "certificate.none", "no Certificate", f -> ServerFlight.record(
            f.tls12(ECDHE).serverHello(), f.curve(0x0401, "SHA256withRSA"), ServerFlight.done()));
        flight12(rows, "certificate.empty", "an empty Certificate", f -> ServerFlight.record(
            f.tls12(ECDHE).serverHello(), ServerFlight.certificates(), ServerFlight.done()));
        flight12(rows, "certificate.malformed", "a Certificate that is no DER", f -> ServerFlight.record(
            f.tls12(ECDHE).serverHello(), ServerFlight.certificates(new byte[10]), ServerFlight.done()));
        flight12(rows, "certificate.twice", "two Certificates", f -> ServerFlight.record(
            f.tls12(ECDHE).serverHello(), ServerFlight.certificate(), ServerFlight.certificate()));
        for (int count : new int[] {8, 9, 10, 11, 12}) {
            flight12(rows, "certificate.chain-" + count, "a chain of " + count, f -> {
                byte[][] chain = new byte[count][];
                Arrays.fill(chain, RowsIdentity.certificate().getEncoded());
                return ServerFlight.record(f.tls12(ECDHE).serverHello(), ServerFlight.certificates(chain),
                    f.curve(0x0401, "SHA256withRSA"), ServerFlight.done());
            });
        }
        for (int type : new int[] {0, 1, 2, 4, 8, 13, 14, 15, 16, 20, 21, 22, 24, 67, 99}) {
            flight12(rows, "after-hello." + type, "a ServerHello and then message " + type, f ->
                ServerFlight.record(f.tls12(ECDHE).serverHello(), HelloDraft.message(type, new byte[40])));
            flight(rows, "first." + type, "message " + type + " first",
                f -> ServerFlight.record(HelloDraft.message(type, new byte[40])));
            flight(rows, "after-hello13." + type, "a ServerHello of TLS 1.3 and then message " + type
                + " in the clear", f -> Der.join(ServerFlight.record(f.tls13().serverHello()),
                    ServerFlight.record(HelloDraft.message(type, new byte[40]))));
        }
        flight12(rows, "done-with-content", "a ServerHelloDone that is not empty", f -> ServerFlight.record(
            f.tls12(ECDHE).serverHello(), ServerFlight.certificate(), f.curve(0x0401, "SHA256withRSA"),
            HelloDraft.message(14, new byte[1])));
        flight12(rows, "finished-early", "change_cipher_spec right after the ServerHello", f -> Der.join(
            ServerFlight.record(f.tls12(ECDHE).serverHello()), HelloDraft.record(20, 0x0303, new byte[] {1})));
        for (String types : new String[] {"01", "40", "01 02 40", ""}) {
            byte[] kinds = HelloDraft.hex(types.replace(" ", ""));
            flight12(rows, "request." + (types.isEmpty() ? "none" : types.replace(' ', '-')),
                "a CertificateRequest for the types " + types, f -> ServerFlight.record(
                    f.tls12(ECDHE).serverHello(), ServerFlight.certificate(), f.curve(0x0401, "SHA256withRSA"),
                    HelloDraft.message(13, Der.join(RawHello.vector(1, kinds),
                        RawHello.vector(2, HelloDraft.numbers(0x0401)), new byte[2])), ServerFlight.done()));
        }
    }

    private static void records(TopicRows rows) {
        for (int code : new int[] {0, 10, 20, 40, 42, 46, 48, 70, 90, 100, 109, 112, 115, 116, 120, 255}) {
            String name = WireText.alert(code).replace(' ', '-');
            flight(rows, "alert.fatal-" + name, "the alert " + name,
                f -> HelloDraft.record(21, 0x0303, new byte[] {2, (byte) code}));
            flight(rows, "alert.warning-" + name, "the warning " + name,
                f -> HelloDraft.record(21, 0x0303, new byte[] {1, (byte) code}));
        }
        for (int version : new int[] {0x0300, 0x0301, 0x0304, 0x0200, 0x0403}) {
            String hex = String.format("%04x", version);
            flight(rows, "record-version." + hex, "a ServerHello of TLS 1.3 in a record of version " + hex,
                f -> HelloDraft.record(TlsRecord.HANDSHAKE, version, f.tls13().serverHello()));
        }
        flight(rows, "record.empty", "an empty handshake record",
            f -> HelloDraft.record(22, 0x0303, new byte[0]));
        flight(rows, "record.data", "application data",
            f -> HelloDraft.record(23, 0x0303, new byte[20]));
        for (int length : new int[] {16_384, 16_385, 16_640, 16_641, 18_432, 18_433, 40_000}) {
            flight(rows, "record.handshake-" + length, "a handshake record of " + length + " bytes",
                f -> HelloDraft.record(22, 0x0303, Der.join(new byte[] {2, 0, 0x7f}, new byte[length - 3])));
        }
        for (int length : new int[] {0x4000, 0x8000, 0x8001, 0x10000, 0xffffff}) {
            flight(rows, "message." + length, "a message that claims " + length + " bytes",
                f -> HelloDraft.record(22, 0x0303, Der.join(
                    new byte[] {2}, RawHello.number(3, length), new byte[100])));
        }
        for (String text : new String[] {"HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-a\r\n", "220 smtp\r\n"}) {
            flight(rows, "text." + text.substring(0, 3), "text: " + text.trim(),
                f -> text.getBytes(StandardCharsets.US_ASCII));
        }
        flight(rows, "end", "the end of the stream");
    }
}
