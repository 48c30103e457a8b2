// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.Collections;
import java.util.function.Supplier;
import javax.net.ssl.SNIHostName;

/** What does a server make of the extensions of a ClientHello? Odd, doubled, empty and unknown ones. */
public final class HelloExtensions implements Topic {
    private static final String[][] HOSTS = {{"plain", "www.example.com"}, {"dot", "www.example.com."},
        {"upper", "WWW.EXAMPLE.COM"}, {"ip", "192.0.2.1"}, {"ipv6", "2001:db8::1"}, {"empty", ""},
        {"underscore", "a_b.example.com"}, {"star", "*.example.com"}, {"single", "localhost"},
        {"utf8", "b\u00fccher.example"}, {"punycode", "xn--bcher-kva.example"}, {"nul", "a\u0000b.example"},
        {"blank", "a b.example"}, {"dots", "a..example"}, {"port", "www.example.com:443"},
        {"slash", "a/b"}, {"hyphen", "-a.example"}, {"digit", "1.example"}};

    /** Types of extensions, with contents that no server needs. */
    private static final Object[][] OTHERS = {
        {1, "01"}, {1, "04"}, {1, "05"}, {1, ""}, {5, "0100000000"}, {5, ""}, {5, "02"}, {5, "010000"},
        {17, "000702000400000000"}, {17, ""}, {11, "0100"}, {11, "0101"}, {11, "00"}, {11, ""},
        {15, "01"}, {18, ""}, {18, "00"}, {21, ""}, {21, "00000000"}, {22, ""}, {23, ""}, {23, "00"},
        {28, "4000"}, {28, "0040"}, {27, "020001"}, {35, ""}, {35, "0102030405060708"}, {42, ""},
        {44, ""}, {44, "0001aa"}, {45, "0101"}, {45, "0100"}, {45, "00"}, {45, ""}, {45, "0155"},
        {47, ""}, {47, "0000"}, {47, "00023000"}, {48, "0000"}, {49, ""}, {49, "00"}, {57, ""}, {57, "00"},
        {13172, ""}, {0x0a0a, ""}, {0xfafa, "00"}, {0xfe0d, "00"}, {0xff01, "00"}, {0xff01, "0101"},
        {0xff01, ""}, {0xff02, "01"}, {12345, "010203"},
    };

    private static final String[][] PROTOCOLS = {{"h2"}, {"http/1.1"}, {"h2", "http/1.1"},
        {"http/1.1", "h2"}, {"spdy/3"}, {"spdy/3", "http/1.1"}, {""}, {}, {"H2"}, {"h2", "h2"}, {"\u00ffA"}};

    @Override
    public String name() {
        return "extension";
    }

    @Override
    public void declare(TopicRows rows) {
        names(rows);
        protocols(rows);
        for (Object[] other : OTHERS) {
            int type = (Integer) other[0];
            String hex = (String) other[1];
            String id = type + "." + (hex.isEmpty() ? "empty" : hex);
            String does = "with the extension " + WireText.extension(type) + " "
                + (hex.isEmpty() ? "(empty)" : hex);
            hello(rows, "tls13." + id, does, () -> HelloDraft.tls13()
                .extension(type, HelloDraft.hex(hex)));
            hello(rows, "tls12." + id, "of TLS 1.2 " + does, () -> HelloDraft.tls12()
                .extension(type, HelloDraft.hex(hex)));
        }
        blocks(rows);
        keys(rows);
    }

    private static void hello(TopicRows rows, String id, String does, Supplier<HelloDraft> draft) {
        rows.row("extension." + id, "a server is sent a ClientHello " + does,
            () -> HelloAnswer.ofSocket(draft.get().bytes()));
    }

    private static void names(TopicRows rows) {
        for (String[] host : HOSTS) {
            hello(rows, "sni." + host[0], "with this name in SNI: " + host[0],
                () -> HelloDraft.tls13().name(host[1]));
            rows.row("extension.sni-matched." + host[0], "a server that serves www.example.com alone is"
                + " sent this name in SNI: " + host[0], () -> HelloAnswer.ofSocket(parameters ->
                    parameters.setSNIMatchers(Collections.singleton(
                        SNIHostName.createSNIMatcher("www\\.example\\.com"))),
                HelloDraft.tls13().name(host[1]).bytes()));
        }
        String[][] lists = {{"no-list", ""}, {"empty-list", "0000"}, {"short", "00ff0000"},
            {"two-names", "000800000161000001" + "62"}, {"type-1", "00040100" + "0161"},
            {"types-0-1", "000800000161010001" + "62"}, {"tail", "000400000161ff"},
            {"name-too-long", "000400000261"}};
        for (String[] list : lists) {
            hello(rows, "sni-list." + list[0], "whose list of names is " + list[1],
                () -> HelloDraft.tls13().names(HelloDraft.hex(list[1])));
        }
        hello(rows, "sni.300", "with a name of 300 characters in SNI",
            () -> HelloDraft.tls13().name(new String(new char[300]).replace("\0", "a")));
        rows.row("extension.sni-matched.none", "a server that serves www.example.com alone is sent no SNI",
            () -> HelloAnswer.ofSocket(parameters -> parameters.setSNIMatchers(Collections.singleton(
                SNIHostName.createSNIMatcher("www\\.example\\.com"))), HelloDraft.tls13().bytes()));
    }

    private static void protocols(TopicRows rows) {
        for (String[] offered : PROTOCOLS) {
            String list = offered.length == 0 ? "none" : String.join("+", offered).isEmpty() ? "empty"
                : String.join("+", offered).replace('/', '-').replace('.', '-').replace('\u00ff', 'Y');
            for (String version : new String[] {"tls13", "tls12"}) {
                rows.row("extension.alpn." + version + "." + list, "a server of h2 and http/1.1 is"
                    + " offered " + list + " in " + version, () -> HelloAnswer.ofSocket(parameters ->
                        setProtocols(parameters, "h2", "http/1.1"),
                    (version.equals("tls13") ? HelloDraft.tls13() : HelloDraft.tls12())
                        .protocols(offered).bytes()));
            }
            hello(rows, "alpn-none." + list, "with the protocols " + list + "; the server has none",
                () -> HelloDraft.tls13().protocols(offered));
        }
        for (String hex : new String[] {"", "00", "0003026832ff", "0004026832", "00020268"}) {
            rows.row("extension.alpn-list." + (hex.isEmpty() ? "empty" : hex), "a server of h2 is sent"
                + " an ALPN extension of " + hex, () -> HelloAnswer.ofSocket(parameters ->
                    setProtocols(parameters, "h2"), HelloDraft.tls13()
                    .extension(ClientHello.APPLICATION_PROTOCOLS, HelloDraft.hex(hex)).bytes()));
        }
    }

    /** By name: 8 has it since an update. */
    private static void setProtocols(javax.net.ssl.SSLParameters parameters, String... names) {
        try {
            javax.net.ssl.SSLParameters.class.getMethod("setApplicationProtocols", String[].class)
                .invoke(parameters, (Object) names);
        } catch (ReflectiveOperationException e) {
            throw new Absent("setApplicationProtocols");
        }
    }

    private static void blocks(TopicRows rows) {
        hello(rows, "block.none13", "of TLS 1.3 without extensions", () -> {
            HelloDraft hello = HelloDraft.tls13();
            hello.hasExtensions = false;
            return hello;
        });
        hello(rows, "block.none12", "of TLS 1.2 without extensions", () -> {
            HelloDraft hello = HelloDraft.tls12();
            hello.hasExtensions = false;
            return hello;
        });
        hello(rows, "block.tail", "with 3 bytes after its extensions", () -> {
            HelloDraft hello = HelloDraft.tls13();
            hello.tail = new byte[3];
            return hello;
        });
        hello(rows, "block.too-long", "whose last extension is longer than the block",
            () -> HelloDraft.tls13().bytes(new byte[] {0x30, 0x39, 0, 9, 1}));
        hello(rows, "block.cut", "with half an extension",
            () -> HelloDraft.tls13().bytes(new byte[] {0x30, 0x39, 0}));
        for (int type : new int[] {0, 10, 13, 16, 23, 35, 43, 45, 51, 0xff01, 12345}) {
            hello(rows, "block.twice13." + type, "of TLS 1.3 with the extension "
                + WireText.extension(type) + " twice", () -> twice(HelloDraft.tls13(), type));
            hello(rows, "block.twice12." + type, "of TLS 1.2 with the extension "
                + WireText.extension(type) + " twice", () -> twice(HelloDraft.tls12(), type));
        }
        hello(rows, "block.100", "with 100 unknown extensions", () -> {
            HelloDraft hello = HelloDraft.tls13();
            for (int i = 0; i < 100; i++) {
                hello.extension(20_000 + i, new byte[i]);
            }
            return hello;
        });
        for (int bytes : new int[] {2_000, 15_000}) {
            hello(rows, "block.padding." + bytes, "with a padding of " + bytes + " bytes",
                () -> HelloDraft.tls13().extension(21, new byte[bytes]));
        }
    }

    /** An extension that the hello has anyhow is there twice with its own content or an empty one. */
    private static HelloDraft twice(HelloDraft hello, int type) {
        byte[] content = type == 0 ? HelloDraft.hex("000400000161")
            : type == 10 ? HelloDraft.hex("00020017") : type == 13 ? HelloDraft.hex("00020804")
            : type == 16 ? HelloDraft.hex("0003026832") : type == 43 ? HelloDraft.hex("020304")
            : type == 45 ? HelloDraft.hex("0101") : type == 0xff01 ? new byte[1]
            : type == 51 ? RawHello.vector(2, HelloDraft.share(ClientHello.SECP256R1, HelloDraft.p256()))
            : new byte[0];
        return hello.extension(type, content).more(type, content);
    }

    private static void keys(TopicRows rows) {
        byte[] identity = Der.join(RawHello.vector(2, HelloDraft.filled(100, 5)), new byte[4]);
        byte[] binder = RawHello.vector(1, new byte[32]);
        byte[] psk = Der.join(RawHello.vector(2, identity), RawHello.vector(2, binder));
        hello(rows, "psk.unknown", "with an unknown pre-shared key",
            () -> HelloDraft.tls13().extension(ClientHello.PRE_SHARED_KEY, psk));
        hello(rows, "psk.not-last", "whose pre-shared key is not its last extension",
            () -> HelloDraft.tls13().extension(ClientHello.PRE_SHARED_KEY, psk).extension(21, new byte[2]));
        hello(rows, "psk.no-modes", "with a pre-shared key, and no modes for it", () -> HelloDraft.tls13()
            .without(HelloDraft.MODES).extension(ClientHello.PRE_SHARED_KEY, psk));
        hello(rows, "psk.mode-0", "with a pre-shared key without key exchange", () -> HelloDraft.tls13()
            .extension(HelloDraft.MODES, new byte[] {1, 0}).extension(ClientHello.PRE_SHARED_KEY, psk));
        hello(rows, "psk.no-binder", "with a pre-shared key without its binder", () -> HelloDraft.tls13()
            .extension(ClientHello.PRE_SHARED_KEY,
                Der.join(RawHello.vector(2, identity), RawHello.vector(2, new byte[0]))));
        hello(rows, "psk.two-binders", "with two binders for one pre-shared key", () -> HelloDraft.tls13()
            .extension(ClientHello.PRE_SHARED_KEY,
                Der.join(RawHello.vector(2, identity), RawHello.vector(2, Der.join(binder, binder)))));
        hello(rows, "psk.empty", "with no pre-shared key in that extension", () -> HelloDraft.tls13()
            .extension(ClientHello.PRE_SHARED_KEY, new byte[4]));
        hello(rows, "psk.short-binder", "with a binder of 8 bytes", () -> HelloDraft.tls13()
            .extension(ClientHello.PRE_SHARED_KEY, Der.join(RawHello.vector(2, identity),
                RawHello.vector(2, RawHello.vector(1, new byte[8])))));
        hello(rows, "psk.early-data", "with early data and an unknown pre-shared key", () ->
            HelloDraft.tls13().extension(42, new byte[0]).extension(ClientHello.PRE_SHARED_KEY, psk));
        hello(rows, "psk.tls12", "of TLS 1.2 with a pre-shared key",
            () -> HelloDraft.tls12().extension(ClientHello.PRE_SHARED_KEY, psk));
    }
}
