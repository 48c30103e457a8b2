// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.function.Supplier;

/** What does a server choose and refuse? Versions, cipher suites, groups and signatures offered. */
public final class HelloVersions implements Topic {
    private static final int[] VERSIONS = {0x0200, 0x0300, 0x0301, 0x0302, 0x0303, 0x0304, 0x0305,
        0x0403, 0xfefd, 0x7a7a};
    private static final int[] SUITES_12 = {0x0000, 0x0001, 0x0002, 0x0005, 0x000a, 0x002f, 0x0033,
        0x0034, 0x0035, 0x0039, 0x003b, 0x003c, 0x003d, 0x0067, 0x006b, 0x009c, 0x009d, 0x009e, 0x009f,
        0xc007, 0xc009, 0xc011, 0xc012, 0xc013, 0xc014, 0xc027, 0xc028, 0xc02b, 0xc02f, 0xc030, 0xcca8,
        0xccaa, 0x00ff, 0x5600, 0x1301};
    private static final int[] SUITES_13 = {0x1301, 0x1302, 0x1303, 0x1304, 0x1305, 0xc02f, 0x00ff, 0x0a0a};
    private static final int[] GROUPS = {0x0016, 0x0017, 0x0018, 0x0019, 0x001a, 0x001d, 0x001e,
        0x0100, 0x0101, 0x0102, 0x0103, 0x0104, 0x0200, 0x11eb, 0x11ec, 0x11ed, 0x2a2a, 0x0001, 0x0009};
    private static final int[] SIGNATURES = {0x0101, 0x0201, 0x0203, 0x0301, 0x0401, 0x0403, 0x0501,
        0x0601, 0x0804, 0x0805, 0x0806, 0x0807, 0x0809, 0x0905, 0x0202, 0x1a1a};

    @Override
    public String name() {
        return "hello";
    }

    @Override
    public void declare(TopicRows rows) {
        versions(rows);
        suites(rows);
        groups(rows);
        shares(rows);
        signatures(rows);
        retries(rows);
    }

    private static void hello(TopicRows rows, String id, String does, Supplier<HelloDraft> draft) {
        rows.row("hello." + id, "a server is sent a ClientHello " + does,
            () -> HelloAnswer.ofSocket(draft.get().bytes()));
    }

    private static String hex(int number) {
        return String.format("%04x", number);
    }

    private static void versions(TopicRows rows) {
        for (int version : VERSIONS) {
            String hex = hex(version);
            hello(rows, "legacy." + hex, "of TLS 1.2 with the version " + hex,
                () -> HelloDraft.tls12().version(version));
            hello(rows, "legacy13." + hex, "of TLS 1.3 with the old version field " + hex,
                () -> HelloDraft.tls13().version(version));
            hello(rows, "version." + hex, "with " + hex + " alone in supported_versions",
                () -> HelloDraft.tls13().versions(version));
            hello(rows, "version-and-12." + hex, "with " + hex + " and TLS 1.2 in supported_versions",
                () -> HelloDraft.tls13().versions(version, 0x0303).suites(0x1301, 0xc02f));
            hello(rows, "record." + hex, "in a record of version " + hex, () -> {
                HelloDraft hello = HelloDraft.tls13();
                hello.recordVersion = version;
                return hello;
            });
        }
        hello(rows, "versions.many", "with TLS 1.0 to 1.3 and GREASE",
            () -> HelloDraft.tls13().versions(0x7a7a, 0x0304, 0x0303, 0x0302, 0x0301));
        hello(rows, "versions.reversed", "that prefers TLS 1.2 to 1.3",
            () -> HelloDraft.tls13().versions(0x0303, 0x0304).suites(0xc02f, 0x1301));
        hello(rows, "versions.empty", "with no version in supported_versions",
            () -> HelloDraft.tls13().versions());
        hello(rows, "versions.odd", "with supported_versions of 3 bytes", () -> HelloDraft.tls13()
            .extension(ClientHello.SUPPORTED_VERSIONS, new byte[] {3, 3, 4, 3}));
        hello(rows, "versions.short", "with supported_versions cut short", () -> HelloDraft.tls13()
            .extension(ClientHello.SUPPORTED_VERSIONS, new byte[] {4, 3, 4}));
        hello(rows, "versions.none", "of TLS 1.3 without supported_versions",
            () -> HelloDraft.tls13().without(ClientHello.SUPPORTED_VERSIONS));
        for (int bytes : new int[] {0, 1, 31, 32, 33}) {
            hello(rows, "id." + bytes, "of TLS 1.3 with a session id of " + bytes + " bytes", () -> {
                HelloDraft hello = HelloDraft.tls13();
                hello.sessionId = new byte[bytes];
                return hello;
            });
            hello(rows, "id12." + bytes, "of TLS 1.2 with a session id of " + bytes + " bytes", () -> {
                HelloDraft hello = HelloDraft.tls12();
                hello.sessionId = new byte[bytes];
                return hello;
            });
        }
        byte[][] compressions = {{}, {1}, {1, 0}, {0, 1}, {0, 0}, {64}};
        for (byte[] methods : compressions) {
            String hex = methods.length == 0 ? "none" : WireText.hex(methods, 9);
            hello(rows, "compression." + hex, "of TLS 1.3 with the compressions " + hex, () -> {
                HelloDraft hello = HelloDraft.tls13();
                hello.compressions = methods;
                return hello;
            });
            hello(rows, "compression12." + hex, "of TLS 1.2 with the compressions " + hex, () -> {
                HelloDraft hello = HelloDraft.tls12();
                hello.compressions = methods;
                return hello;
            });
        }
    }

    private static void suites(TopicRows rows) {
        for (int suite : SUITES_12) {
            hello(rows, "suite12." + hex(suite), "of TLS 1.2 with the suite " + hex(suite) + " alone",
                () -> HelloDraft.tls12().suites(suite));
        }
        for (int suite : SUITES_13) {
            hello(rows, "suite13." + hex(suite), "of TLS 1.3 with the suite " + hex(suite) + " alone",
                () -> HelloDraft.tls13().suites(suite));
        }
        hello(rows, "suites.none", "without any suite", () -> HelloDraft.tls13().suites());
        hello(rows, "suites.reversed", "of TLS 1.3 that prefers the smaller key last",
            () -> HelloDraft.tls13().suites(0x1302, 0x1301));
        hello(rows, "suites.smaller-first", "of TLS 1.3 that prefers the smaller key",
            () -> HelloDraft.tls13().suites(0x1301, 0x1302));
        hello(rows, "suites.rsa-first", "of TLS 1.2 that prefers RSA key exchange",
            () -> HelloDraft.tls12().suites(0x009c, 0xc02f));
        hello(rows, "suites.300", "with 300 unknown suites before a good one", () -> {
            int[] all = new int[301];
            for (int i = 0; i < all.length; i++) {
                all[i] = 0xd000 + i;
            }
            all[300] = 0x1301;
            return HelloDraft.tls13().suites(all);
        });
        hello(rows, "suites.fallback", "of TLS 1.2 with TLS_FALLBACK_SCSV",
            () -> HelloDraft.tls12().suites(0xc02f, 0x5600));
        hello(rows, "suites.renegotiation", "of TLS 1.2 with the SCSV of renegotiation",
            () -> HelloDraft.tls12().without(HelloDraft.RENEGOTIATION).suites(0xc02f, 0x00ff));
    }

    private static void groups(TopicRows rows) {
        for (int group : GROUPS) {
            hello(rows, "group13." + hex(group), "of TLS 1.3 with the group " + hex(group)
                + " alone, and no key share", () -> HelloDraft.tls13().groups(group).shares());
            hello(rows, "group12." + hex(group), "of TLS 1.2 with the group " + hex(group) + " alone",
                () -> HelloDraft.tls12().groups(group));
        }
        for (int group : new int[] {0x0100, 0x0101, 0x0017, 0x2a2a}) {
            hello(rows, "group-dhe." + hex(group), "of TLS 1.2 with DHE and the group " + hex(group),
                () -> HelloDraft.tls12().suites(0x009e).groups(group));
        }
        hello(rows, "groups.none12", "of TLS 1.2 without supported_groups",
            () -> HelloDraft.tls12().without(ClientHello.SUPPORTED_GROUPS));
        hello(rows, "groups.none13", "of TLS 1.3 without supported_groups",
            () -> HelloDraft.tls13().without(ClientHello.SUPPORTED_GROUPS));
        hello(rows, "groups.empty", "of TLS 1.3 with an empty supported_groups",
            () -> HelloDraft.tls13().groups());
        hello(rows, "groups.odd", "with supported_groups of 3 bytes", () -> HelloDraft.tls13()
            .extension(ClientHello.SUPPORTED_GROUPS, new byte[] {0, 3, 0, 23, 0}));
        hello(rows, "groups.twice", "with a group twice",
            () -> HelloDraft.tls13().groups(0x0017, 0x0017));
    }

    private static void shares(TopicRows rows) {
        int p256 = ClientHello.SECP256R1;
        byte[] point = HelloDraft.p256();
        hello(rows, "share.none", "of TLS 1.3 without key_share",
            () -> HelloDraft.tls13().without(ClientHello.KEY_SHARE));
        hello(rows, "share.twice", "with two key shares of a group",
            () -> HelloDraft.tls13().shares(HelloDraft.share(p256, point), HelloDraft.share(p256, point)));
        hello(rows, "share.not-offered", "with a key share of a group that it does not offer",
            () -> HelloDraft.tls13().groups(0x001d));
        hello(rows, "share.reversed", "whose key shares are in another order than its groups",
            () -> HelloDraft.tls13().groups(0x001d, 0x0017).shares(HelloDraft.share(p256, point),
                HelloDraft.share(0x001d, HelloDraft.filled(32, 9))));
        hello(rows, "share.unknown-first", "with a key share of an unknown group, and a good one",
            () -> HelloDraft.tls13().groups(0x2a2a, 0x0017)
                .shares(HelloDraft.share(0x2a2a, new byte[1]), HelloDraft.share(p256, point)));
        byte[] off = point.clone();
        off[64] ^= 1;
        byte[] compressed = java.util.Arrays.copyOf(point, 33);
        compressed[0] = 3;
        Object[][] keys = {
            {"p256-off-curve", 0x0017, off}, {"p256-compressed", 0x0017, compressed},
            {"p256-empty", 0x0017, new byte[0]}, {"p256-infinity", 0x0017, new byte[1]},
            {"p256-short", 0x0017, java.util.Arrays.copyOf(point, 64)},
            {"p256-long", 0x0017, java.util.Arrays.copyOf(point, 66)},
            {"x25519", 0x001d, HelloDraft.filled(32, 9)}, {"x25519-zero", 0x001d, new byte[32]},
            {"x25519-short", 0x001d, HelloDraft.filled(31, 9)},
            {"x25519-long", 0x001d, HelloDraft.filled(33, 9)},
            {"x448", 0x001e, HelloDraft.filled(56, 5)}, {"ffdhe-two", 0x0100, padded(2)},
            {"ffdhe-zero", 0x0100, padded(0)}, {"ffdhe-one", 0x0100, padded(1)},
            {"ffdhe-short", 0x0100, new byte[] {2}}, {"ffdhe-large", 0x0100, HelloDraft.filled(256, -1)},
            {"mlkem-short", 0x11ec, new byte[32]}, {"mlkem-zero", 0x11ec, new byte[1216]},
        };
        for (Object[] key : keys) {
            int group = (Integer) key[1];
            hello(rows, "share." + key[0], "with this key share: " + key[0],
                () -> HelloDraft.tls13().groups(group).shares(HelloDraft.share(group, (byte[]) key[2])));
        }
        hello(rows, "share.cut", "whose key_share is cut short", () -> HelloDraft.tls13()
            .extension(ClientHello.KEY_SHARE, new byte[] {0, 40, 0, 23, 0, 65, 4}));
        hello(rows, "share.tail", "whose key_share has bytes after its list", () -> HelloDraft.tls13()
            .extension(ClientHello.KEY_SHARE, new byte[] {0, 0, 1, 2}));
    }

    /** The first hello makes the server ask for a key share of secp256r1 (RFC 8446, section 4.1.4). */
    private static void retry(TopicRows rows, String id, String does, HelloDraft... hellos) {
        rows.row("hello.retry." + id, "a server asks for a key share, and is then sent " + does, () -> {
            byte[][] flights = new byte[hellos.length + 1][];
            flights[0] = asking().bytes();
            for (int i = 0; i < hellos.length; i++) {
                flights[i + 1] = hellos[i].bytes();
            }
            return HelloAnswer.ofSocket(flights);
        });
    }

    private static HelloDraft asking() {
        return HelloDraft.tls13().groups(ClientHello.SECP256R1).shares();
    }

    private static HelloDraft asked() {
        return HelloDraft.tls13().groups(ClientHello.SECP256R1);
    }

    /** What of it may differ from the first hello is said in section 4.1.2. */
    private static void retries(TopicRows rows) {
        HelloDraft other = HelloDraft.tls13().groups(ClientHello.SECP256R1, ClientHello.X25519)
            .shares(HelloDraft.share(ClientHello.X25519, HelloDraft.filled(32, 9)));
        HelloDraft random = asked();
        random.random = HelloDraft.filled(32, 6);
        retry(rows, "good", "it", asked());
        retry(rows, "again", "the same hello again", asking());
        retry(rows, "again-twice", "the same hello again, and again", asking(), asking());
        retry(rows, "again-then-good", "the same hello again, and then a good one", asking(), asked());
        retry(rows, "other-share", "a key share of another group", other);
        retry(rows, "other-group", "another group alone, without a key share",
            HelloDraft.tls13().groups(ClientHello.X25519).shares());
        retry(rows, "other-groups", "another group too, which it prefers, without a key share",
            HelloDraft.tls13().groups(ClientHello.X25519, ClientHello.SECP256R1).shares());
        retry(rows, "other-suite", "it, with another suite alone", asked().suites(0x1302));
        retry(rows, "other-random", "it, with another random", random);
        retry(rows, "tls12", "a hello of TLS 1.2", HelloDraft.tls12());
    }

    private static byte[] padded(int number) {
        byte[] bytes = new byte[256];
        bytes[255] = (byte) number;
        return bytes;
    }

    private static void signatures(TopicRows rows) {
        for (int scheme : SIGNATURES) {
            hello(rows, "signature13." + hex(scheme), "of TLS 1.3 with the signature " + hex(scheme)
                + " alone", () -> HelloDraft.tls13().signatures(scheme));
            hello(rows, "signature12." + hex(scheme), "of TLS 1.2 with the signature " + hex(scheme)
                + " alone", () -> HelloDraft.tls12().signatures(scheme));
        }
        hello(rows, "signatures.none13", "of TLS 1.3 without signature_algorithms",
            () -> HelloDraft.tls13().without(HelloDraft.SIGNATURES));
        hello(rows, "signatures.none12", "of TLS 1.2 without signature_algorithms",
            () -> HelloDraft.tls12().without(HelloDraft.SIGNATURES));
        hello(rows, "signatures.empty13", "of TLS 1.3 with an empty signature_algorithms",
            () -> HelloDraft.tls13().signatures());
        hello(rows, "signatures.empty12", "of TLS 1.2 with an empty signature_algorithms",
            () -> HelloDraft.tls12().signatures());
        hello(rows, "signatures.odd", "with signature_algorithms of 3 bytes", () -> HelloDraft.tls13()
            .extension(HelloDraft.SIGNATURES, new byte[] {0, 3, 8, 4, 8}));
        hello(rows, "signatures.cert-ecdsa", "that takes ECDSA certificates only",
            () -> HelloDraft.tls13().extension(50, RawHello.vector(2, HelloDraft.numbers(0x0403))));
        hello(rows, "signatures.cert-sha1", "that takes certificates of SHA-1 only",
            () -> HelloDraft.tls13().extension(50, RawHello.vector(2, HelloDraft.numbers(0x0201))));
    }
}
