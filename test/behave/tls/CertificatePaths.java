// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** Which chains does a client trust? Usages, ages, authorities, lengths and orders. */
public final class CertificatePaths implements Topic {
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String BASIC = "2.5.29.19";
    private static final String[] BITS = {"digitalSignature", "nonRepudiation", "keyEncipherment",
        "dataEncipherment", "keyAgreement", "keyCertSign", "cRLSign", "encipherOnly"};
    private static final String[] EXCHANGES = {"UNKNOWN", "RSA", "DHE_RSA", "ECDHE_RSA",
        "ECDHE_ECDSA", "ECDH_ECDSA", "DHE_DSS", "KE:RSA", "GENERIC"};

    /** A name for a purpose, and its OID. */
    private static final String[][] PURPOSES = {
        {"server", "1.3.6.1.5.5.7.3.1"}, {"client", "1.3.6.1.5.5.7.3.2"},
        {"code", "1.3.6.1.5.5.7.3.3"}, {"ocsp", "1.3.6.1.5.5.7.3.9"},
        {"any", "2.5.29.37.0"}, {"netscape", "2.16.840.1.113730.4.1"},
        {"microsoft", "1.3.6.1.4.1.311.10.3.3"}, {"other", "1.2.3.4"},
    };

    /** A leaf that a row changes. */
    private interface Change {
        void change(CertificateDraft draft) throws Exception;
    }

    @Override
    public String name() {
        return "paths";
    }

    @Override
    public void declare(TopicRows rows) {
        usages(rows);
        ages(rows);
        shapes(rows);
        orders(rows);
        lengths(rows);
    }

    private static void leaf(TopicRows rows, String id, String does, Change change) {
        rows.row("paths." + id, "a client is shown a certificate " + does, () -> {
            CertificateDraft draft = TrustCheck.leaf();
            change.change(draft);
            return parsed(draft);
        });
    }

    private static String parsed(CertificateDraft draft) throws Exception {
        X509Certificate certificate;
        try {
            certificate = draft.sign(TrustCheck.key());
        } catch (java.security.cert.CertificateException e) {
            return "not parsed: " + e.getClass().getSimpleName();
        }
        return TrustCheck.ofRoot().server(certificate);
    }

    private static void usages(TopicRows rows) {
        for (String[] purpose : PURPOSES) {
            leaf(rows, "purpose." + purpose[0], "whose extended key usage is " + purpose[0] + " alone",
                draft -> draft.extendedKeyUsage(purpose[1]));
            rows.row("paths.client-purpose." + purpose[0],
                "a server is shown a certificate whose extended key usage is " + purpose[0],
                () -> TrustCheck.ofRoot().client("RSA",
                    TrustCheck.leaf().extendedKeyUsage(purpose[1]).sign(TrustCheck.key())));
            rows.row("paths.authority-purpose." + purpose[0], "a client is shown a chain whose"
                + " authority has the extended key usage " + purpose[0],
                () -> TrustCheck.ofRoot().server(
                    TrustCheck.leaf().issuer("first").sign(TrustCheck.key()),
                    TrustCheck.intermediate("first").extendedKeyUsage(purpose[1])
                        .sign(TrustCheck.key())));
        }
        leaf(rows, "purpose.none", "without extended key usage", d -> d.without("2.5.29.37"));
        leaf(rows, "purpose.empty", "with an empty extended key usage", d -> d.extendedKeyUsage());
        leaf(rows, "purpose.two", "for servers and clients",
            d -> d.extendedKeyUsage(PURPOSES[0][1], PURPOSES[1][1]));
        leaf(rows, "usage.none", "without key usage", d -> d.without(KEY_USAGE));
        for (int i = 0; i < BITS.length; i++) {
            int bit = 0x80 >> i;
            for (String exchange : i > 4 || i == 1 || i == 3 ? new String[] {"UNKNOWN"} : EXCHANGES) {
                rows.row("paths.usage." + BITS[i] + "." + exchange.replace(':', '-'),
                    "the key usage is " + BITS[i] + " alone, the key exchange " + exchange,
                    () -> TrustCheck.ofRoot().server(
                        new NamedEngine("www.example.com", "HTTPS", "TLSv1.2"), exchange,
                        TrustCheck.leaf().keyUsage(bit, 0).sign(TrustCheck.key())));
            }
        }
        for (String exchange : new String[] {"", "RSA_EXPORT", "ECDH_RSA", "DH_RSA", "nonsense"}) {
            rows.row("paths.exchange." + (exchange.isEmpty() ? "empty" : exchange),
                "the key exchange is called '" + exchange + "'", () -> TrustCheck.ofRoot().server(
                    new NamedEngine("www.example.com", "HTTPS", "TLSv1.2"), exchange,
                    TrustCheck.leaf().sign(TrustCheck.key())));
        }
    }

    private static void ages(TopicRows rows) {
        int[][] ages = {{-2, -1}, {1, 2}, {-1, 1}, {-400, 400}, {-3650, 3650}, {2, 1}, {-1, -1}};
        for (int[] age : ages) {
            leaf(rows, "age." + age[0] + "." + age[1], "valid from day " + age[0] + " to " + age[1],
                draft -> draft.valid(age[0], age[1]));
        }
        leaf(rows, "age.to-9999", "that has no well-defined end",
            d -> d.notAfter = Der.text(Der.GENERALIZED_TIME, "99991231235959Z"));
        leaf(rows, "age.utc-without-seconds", "whose UTCTime has no seconds",
            d -> d.notBefore = Der.text(Der.UTC_TIME, "2001010000Z"));
        leaf(rows, "age.utc-offset", "whose UTCTime has an offset",
            d -> d.notBefore = Der.text(Der.UTC_TIME, "200101000000+0100"));
        leaf(rows, "age.utc-local", "whose UTCTime has no zone",
            d -> d.notBefore = Der.text(Der.UTC_TIME, "200101000000"));
        leaf(rows, "age.generalized-fraction", "whose GeneralizedTime has a fraction",
            d -> d.notBefore = Der.text(Der.GENERALIZED_TIME, "20200101000000.5Z"));
        leaf(rows, "age.generalized-early", "with a GeneralizedTime before 2050",
            d -> d.notBefore = Der.text(Der.GENERALIZED_TIME, "20200101000000Z"));
        leaf(rows, "age.month-13", "that begins in month 13",
            d -> d.notBefore = Der.text(Der.UTC_TIME, "201301000000Z"));
        leaf(rows, "age.february-30", "that begins on February 30",
            d -> d.notBefore = Der.text(Der.UTC_TIME, "200230000000Z"));
        leaf(rows, "age.utc-1950", "that begins in 1950",
            d -> d.notBefore = Der.text(Der.UTC_TIME, "500101000000Z"));
        for (int[] age : new int[][] {{-2, -1}, {1, 2}}) {
            rows.row("paths.authority-age." + age[0], "an authority of the chain is valid from day "
                + age[0] + " to " + age[1], () -> TrustCheck.ofRoot().server(
                    TrustCheck.leaf().issuer("first").sign(TrustCheck.key()),
                    TrustCheck.intermediate("first").valid(age[0], age[1]).sign(TrustCheck.key())));
            rows.row("paths.anchor-age." + age[0], "the trusted authority is valid from day " + age[0]
                + " to " + age[1], () -> new TrustCheck("PKIX",
                    TrustCheck.root().valid(age[0], age[1]).sign(TrustCheck.key()))
                    .server(TrustCheck.leaf().sign(TrustCheck.key())));
        }
    }

    private static void shapes(TopicRows rows) {
        for (int version = 1; version <= 4; version++) {
            int v = version;
            leaf(rows, "version." + v, "of version " + v + " with extensions", d -> d.version = v);
        }
        for (long serial : new long[] {0, -1, 1, Long.MAX_VALUE}) {
            leaf(rows, "serial." + serial, "with the serial number " + serial,
                d -> d.serial = Der.integer(serial));
        }
        leaf(rows, "serial.40-bytes", "with a serial number of 40 bytes",
            d -> d.serial = Der.integer(java.math.BigInteger.ONE.shiftLeft(312)));
        leaf(rows, "serial.empty", "with an empty serial number",
            d -> d.serial = Der.element(Der.INTEGER));
        leaf(rows, "serial.padded", "with a padded serial number",
            d -> d.serial = Der.element(Der.INTEGER, new byte[] {0, 0, 1}));
        leaf(rows, "subject.empty", "with an empty subject", d -> d.subject = Der.sequence());
        leaf(rows, "issuer.empty", "with an empty issuer", d -> d.issuer = Der.sequence());
        leaf(rows, "outer-algorithm", "whose two algorithms differ",
            d -> d.outerAlgorithm = CertificateDraft.identifier("SHA512withRSA"));
        leaf(rows, "extension.unknown-critical", "with an unknown critical extension",
            d -> d.extension("1.2.3.4", true, Der.nothing()));
        leaf(rows, "extension.unknown", "with an unknown extension",
            d -> d.extension("1.2.3.4", false, Der.nothing()));
        for (String oid : new String[] {KEY_USAGE, "2.5.29.17", "2.5.29.37"}) {
            leaf(rows, "extension.twice." + oid, "with the extension " + oid + " twice",
                d -> d.twice(oid));
        }
        leaf(rows, "extension.basic-false", "whose basicConstraints say no authority",
            d -> d.extension(BASIC, true, Der.sequence()));
        leaf(rows, "extension.basic-explicit-false", "whose basicConstraints spell out FALSE",
            d -> d.extension(BASIC, true, Der.sequence(Der.element(Der.BOOLEAN, new byte[1]))));
        leaf(rows, "extension.basic-true", "that is an authority itself", d -> d.authority(-1));
        leaf(rows, "extension.malformed", "whose basicConstraints are no DER",
            d -> d.extension(BASIC, true, new byte[] {0x30, 5, 1}));
        leaf(rows, "extension.malformed-names", "whose names are no DER",
            d -> d.extension("2.5.29.17", false, new byte[] {0x30, 5, 1}));
        leaf(rows, "extension.none", "without any extension", d -> {
            d.without("2.5.29.17");
            d.without("2.5.29.37");
            d.without(KEY_USAGE);
            d.subject("www.example.com");
        });
        leaf(rows, "extension.must-staple", "that demands a stapled OCSP response",
            d -> d.extension("1.3.6.1.5.5.7.1.24", false, Der.sequence(Der.integer(5))));
        leaf(rows, "extension.poison", "with the poison of a precertificate",
            d -> d.extension("1.3.6.1.4.1.11129.2.4.3", true, Der.nothing()));
        leaf(rows, "extension.policy", "with a policy, not critical",
            d -> d.extension("2.5.29.32", false, Der.sequence(Der.sequence(Der.oid("1.2.3.4")))));
        leaf(rows, "extension.policy-critical", "with a policy, critical",
            d -> d.extension("2.5.29.32", true, Der.sequence(Der.sequence(Der.oid("1.2.3.4")))));
        for (int tag : new int[] {Der.PRINTABLE, Der.TELETEX, Der.IA5, Der.BMP}) {
            leaf(rows, "subject.tag-" + tag, "whose subject has a string of tag " + tag,
                d -> d.subject = Der.sequence(CertificateDraft.attribute("2.5.4.3", tag, "leaf")));
        }
    }

    private static void order(TopicRows rows, String id, String does, String... names) {
        rows.row("paths.order." + id, "a client is shown " + does, () -> {
            List<X509Certificate> chain = new ArrayList<>();
            for (String name : names) {
                chain.add(draft(name).sign(name.startsWith("forged")
                    ? TrustCheck.stranger().getPrivate() : TrustCheck.key()));
            }
            return TrustCheck.ofRoot().server(chain.toArray(new X509Certificate[0]));
        });
    }

    /** A certificate of the chain root, first, second, leaf; or another. */
    private static CertificateDraft draft(String name) throws Exception {
        switch (name) {
            case "root":
                return TrustCheck.root();
            case "first":
                return TrustCheck.intermediate("first");
            case "second":
                return TrustCheck.intermediate("second").issuer("first");
            case "old-first":
                return TrustCheck.intermediate("first").valid(-3, -2);
            case "other":
                return TrustCheck.intermediate("other").issuer("nobody");
            case "forged-first":
                return TrustCheck.intermediate("first");
            case "no-authority":
                return TrustCheck.intermediate("first").without(BASIC);
            case "no-sign":
                return TrustCheck.intermediate("first").keyUsage(0x02, 1);
            case "version-1":
                CertificateDraft old = TrustCheck.intermediate("first");
                old.version = 1;
                return old.without(BASIC).without(KEY_USAGE);
            case "self":
                return TrustCheck.leaf().issuer("leaf");
            case "below-root":
                return TrustCheck.leaf();
            case "below-first":
                return TrustCheck.leaf().issuer("first");
            default:
                return TrustCheck.leaf().issuer("second");
        }
    }

    private static void orders(TopicRows rows) {
        order(rows, "whole", "leaf, second, first", "leaf", "second", "first");
        order(rows, "with-root", "leaf, second, first, root", "leaf", "second", "first", "root");
        order(rows, "swapped", "leaf, first, second", "leaf", "first", "second");
        order(rows, "root-first", "root, first, second, leaf", "root", "first", "second", "leaf");
        order(rows, "leaf-second", "first, leaf", "first", "below-first");
        order(rows, "missing", "leaf and first, second is missing", "leaf", "first");
        order(rows, "missing-last", "leaf and second, first is missing", "leaf", "second");
        order(rows, "doubled", "leaf, leaf, second, first", "leaf", "leaf", "second", "first");
        order(rows, "doubled-second", "second twice", "leaf", "second", "second", "first");
        order(rows, "extra", "a chain with a certificate of another", "below-first", "other", "first");
        order(rows, "extra-end", "a chain with another at its end", "below-first", "first", "other");
        order(rows, "expired-and-good", "an expired authority and its renewal", "below-first",
            "old-first", "first");
        order(rows, "good-and-expired", "a renewed authority, and the expired one", "below-first",
            "first", "old-first");
        order(rows, "forged", "an authority that another key signed", "below-first", "forged-first");
        order(rows, "forged-and-good", "a forged authority and the real one", "below-first",
            "forged-first", "first");
        order(rows, "no-authority", "an issuer that is no authority", "below-first", "no-authority");
        order(rows, "no-sign", "an issuer that may not sign certificates", "below-first", "no-sign");
        order(rows, "version-1", "an issuer of version 1", "below-first", "version-1");
        order(rows, "self-signed", "a self-signed leaf", "self");
        order(rows, "root-alone", "the root alone", "root");
        order(rows, "below-root", "a leaf of the root", "below-root");
        order(rows, "empty", "no certificate");
        order(rows, "unknown", "a leaf of an unknown authority, and that", "leaf", "other");
        rows.row("paths.anchor.leaf", "the leaf itself is trusted", () -> new TrustCheck("PKIX",
            TrustCheck.leaf().sign(TrustCheck.key())).server(TrustCheck.leaf().sign(TrustCheck.key())));
        rows.row("paths.anchor.intermediate", "an authority below the root is trusted", () ->
            new TrustCheck("PKIX", draft("first").sign(TrustCheck.key()))
                .server(draft("below-first").sign(TrustCheck.key())));
        rows.row("paths.anchor.no-authority", "what is trusted is no authority", () ->
            new TrustCheck("PKIX", TrustCheck.root().without(BASIC).sign(TrustCheck.key()))
                .server(TrustCheck.leaf().sign(TrustCheck.key())));
        rows.row("paths.anchor.no-sign", "what is trusted may not sign", () ->
            new TrustCheck("PKIX", TrustCheck.root().keyUsage(0x80, 7).sign(TrustCheck.key()))
                .server(TrustCheck.leaf().sign(TrustCheck.key())));
        rows.row("paths.anchor.length-0", "the trusted authority allows no other below it", () ->
            new TrustCheck("PKIX", TrustCheck.root().authority(0).sign(TrustCheck.key()))
                .server(draft("below-first").sign(TrustCheck.key()), draft("first").sign(TrustCheck.key())));
        rows.row("paths.anchor.sunx509", "by SunX509, a leaf of the root", () ->
            new TrustCheck("SunX509", TrustCheck.root().sign(TrustCheck.key()))
                .server(TrustCheck.leaf().sign(TrustCheck.key())));
        rows.row("paths.anchor.sunx509-wrong-host", "by SunX509, for another host", () ->
            new TrustCheck("SunX509", TrustCheck.root().sign(TrustCheck.key())).server(
                new NamedEngine("other.example.com", "HTTPS", "TLSv1.3"), "UNKNOWN",
                TrustCheck.leaf().sign(TrustCheck.key())));
    }

    private static void lengths(TopicRows rows) {
        for (int authorities : new int[] {1, 4, 5, 6, 8, 12}) {
            rows.row("paths.length." + authorities, "a chain of " + authorities + " authorities",
                () -> TrustCheck.ofRoot().server(chain(authorities, -1)));
        }
        for (int allowed = 0; allowed <= 3; allowed++) {
            int length = allowed;
            rows.row("paths.path-length." + allowed, "3 authorities, of which the first allows "
                + allowed + " below it", () -> TrustCheck.ofRoot().server(chain(3, length)));
        }
    }

    /** From the leaf up, without the root. @param pathLength of the one that the root signed */
    private static X509Certificate[] chain(int authorities, int pathLength) throws Exception {
        X509Certificate[] chain = new X509Certificate[authorities + 1];
        chain[0] = TrustCheck.leaf().issuer("a" + (authorities - 1)).sign(TrustCheck.key());
        for (int i = 0; i < authorities; i++) {
            chain[authorities - i] = TrustCheck.intermediate("a" + i)
                .issuer(i == 0 ? "root" : "a" + (i - 1))
                .authority(i == 0 ? pathLength : -1).sign(TrustCheck.key());
        }
        return chain;
    }
}
