// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertPath;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** Which path does a builder find among certificates, and how are paths written and read? */
final class PathsBuilt implements Topic {
    private static final String KEY_ID = "2.5.29.14";
    private static final String AUTHORITY_KEY_ID = "2.5.29.35";

    /** What is there to build from: certificates, and a leaf that is sought. */
    private static final class Parts {
        final List<X509Certificate> certificates = new ArrayList<>();
        final List<TrustAnchor> anchors = new ArrayList<>();
        X509CertSelector sought = new X509CertSelector();
        int longest = 5;

        Parts() throws GeneralSecurityException {
            anchors.add(new TrustAnchor(TrustCheck.root().sign(TrustCheck.key()), null));
            sought.setCertificate(leaf("first").sign(TrustCheck.key()));
        }

        void add(CertificateDraft draft) throws GeneralSecurityException {
            certificates.add(draft.sign(TrustCheck.key()));
        }
    }

    /** What a row puts there. */
    private interface Change {
        void change(Parts parts) throws Exception;
    }

    @Override
    public String name() {
        return "built";
    }

    @Override
    public void declare(TopicRows rows) {
        row(rows, "one", "an authority", parts -> parts.add(authority("first", "root")));
        row(rows, "none", "nothing", parts -> { });
        row(rows, "two", "two authorities, one below the other", parts -> {
            parts.add(authority("second", "root"));
            parts.add(authority("first", "second"));
        });
        row(rows, "cross", "an authority that the root and a stranger have certified", parts -> {
            parts.add(authority("first", "elsewhere"));
            parts.add(authority("first", "root"));
        });
        row(rows, "cross-anchors", "an authority that two roots have certified, of which one is trusted",
            parts -> {
                parts.add(authority("first", "other root"));
                parts.add(authority("other root", "root"));
            });
        row(rows, "loop", "two authorities that certify one another", parts -> {
            parts.add(authority("first", "second"));
            parts.add(authority("second", "first"));
        });
        row(rows, "loop-and-way", "two authorities that certify one another, one of them of the root, too",
            parts -> {
                parts.add(authority("first", "second"));
                parts.add(authority("second", "first"));
                parts.add(authority("second", "root"));
            });
        row(rows, "expired-first", "an authority with an expired certificate and a good one", parts -> {
            parts.add(authority("first", "root").valid(-2, -1));
            parts.add(authority("first", "root"));
        });
        row(rows, "no-authority", "an issuer that is no authority",
            parts -> parts.add(authority("first", "root").without("2.5.29.19").keyUsage(0x80, 7)));
        row(rows, "shorter", "a long way and a short one", parts -> {
            parts.add(authority("second", "root"));
            parts.add(authority("first", "second"));
            parts.add(authority("first", "root"));
        });
        for (int longest : new int[] {-1, 0, 1, 2}) {
            row(rows, "longest." + longest, "a way with two authorities, where at most " + longest
                + " are allowed", parts -> {
                    parts.add(authority("second", "root"));
                    parts.add(authority("first", "second"));
                    parts.longest = longest;
                });
        }
        row(rows, "path-length", "an authority whose path length is 0 above another", parts -> {
            parts.add(authority("second", "root").authority(0));
            parts.add(authority("first", "second"));
        });
        row(rows, "anchor-key", "an anchor that is a name and a key", parts -> {
            parts.add(authority("first", "root"));
            parts.anchors.clear();
            parts.anchors.add(new TrustAnchor("CN=root", TrustCheck.publicKey(), null));
        });
        row(rows, "anchor-other-key", "an anchor with that name and a stranger's key", parts -> {
            parts.add(authority("first", "root"));
            parts.anchors.clear();
            PublicKey other = TrustCheck.stranger().getPublic();
            parts.anchors.add(new TrustAnchor("CN=root", other, null));
        });
        row(rows, "anchor-is-sought", "a leaf that is an anchor itself", parts ->
            parts.anchors.add(new TrustAnchor(leaf("first").sign(TrustCheck.key()), null)));
        row(rows, "anchor-below", "an authority that is an anchor itself", parts ->
            parts.anchors.add(new TrustAnchor(authority("first", "x").sign(TrustCheck.key()), null)));
        row(rows, "key-ids", "two authorities of a name, of which one has the leaf's key id", parts -> {
            parts.sought.setCertificate(leaf("first").extension(AUTHORITY_KEY_ID, false,
                Der.sequence(Der.element(Der.CONTEXT, new byte[] {2}))).sign(TrustCheck.key()));
            parts.add(authority("first", "root").extension(KEY_ID, false, Der.octets(new byte[] {1})));
            parts.add(authority("first", "root").extension(KEY_ID, false, Der.octets(new byte[] {2}))
                .subject("first"));
        });
        row(rows, "by-name", "certificates, of which one with the sought subject", parts -> {
            parts.sought = new X509CertSelector();
            parts.sought.setSubject("CN=leaf");
            parts.add(authority("first", "root"));
            parts.add(leaf("first").subject("other"));
            parts.add(leaf("first"));
        });
        row(rows, "no-anchor", "an authority of an unknown root",
            parts -> parts.add(authority("first", "elsewhere")));
        encodings(rows);
    }

    private static CertificateDraft authority(String name, String issuer)
            throws GeneralSecurityException {
        return TrustCheck.intermediate(name).issuer(issuer);
    }

    private static CertificateDraft leaf(String issuer) throws GeneralSecurityException {
        return TrustCheck.leaf().issuer(issuer);
    }

    private static void row(TopicRows rows, String id, String does, Change change) {
        rows.row("built." + id, "a path is built from " + does, () -> {
            Parts parts = new Parts();
            change.change(parts);
            PKIXBuilderParameters parameters = new PKIXBuilderParameters(
                new java.util.LinkedHashSet<>(parts.anchors), parts.sought);
            parameters.setRevocationEnabled(false);
            parameters.setMaxPathLength(parts.longest);
            parameters.addCertStore(CertStore.getInstance("Collection",
                new CollectionCertStoreParameters(parts.certificates)));
            try {
                PKIXCertPathBuilderResult built = (PKIXCertPathBuilderResult)
                    CertPathBuilder.getInstance("PKIX").build(parameters);
                return shown(built.getCertPath()) + " below " + (built.getTrustAnchor().getTrustedCert()
                    == null ? built.getTrustAnchor().getCAName() : subject(
                        built.getTrustAnchor().getTrustedCert()));
            } catch (GeneralSecurityException e) {
                return TrustCheck.refusal(e);
            }
        });
    }

    private static String subject(Certificate certificate) {
        X509Certificate shown = (X509Certificate) certificate;
        return shown.getSubjectX500Principal() + "/" + shown.getIssuerX500Principal();
    }

    private static String shown(CertPath path) {
        List<String> names = new ArrayList<>();
        path.getCertificates().forEach(certificate -> names.add(subject(certificate)));
        return names.toString();
    }

    private static CertificateFactory factory() throws GeneralSecurityException {
        return CertificateFactory.getInstance("X.509");
    }

    private static CertPath path() throws GeneralSecurityException {
        return factory().generateCertPath(Arrays.asList(leaf("first").sign(TrustCheck.key()),
            authority("first", "root").sign(TrustCheck.key())));
    }

    private static void encodings(TopicRows rows) {
        for (String encoding : new String[] {"PkiPath", "PKCS7", "other"}) {
            rows.row("built.encoded." + encoding, "a path is written and read as " + encoding, () -> {
                byte[] encoded = path().getEncoded(encoding);
                CertPath back = factory().generateCertPath(new ByteArrayInputStream(encoded), encoding);
                return encoded.length + " bytes, " + shown(back) + ", equal " + back.equals(path());
            });
        }
        rows.row("built.encodings", "which encodings has a path?", () -> {
            List<String> names = new ArrayList<>();
            for (Iterator<String> i = path().getEncodings(); i.hasNext();) {
                names.add(i.next());
            }
            return path().getType() + " " + names;
        });
        rows.row("built.certificates.pkcs7", "certificates are read from a path in PKCS7",
            () -> read(path().getEncoded("PKCS7")));
        rows.row("built.certificates.der", "two certificates are read, one behind the other", () ->
            read(Der.join(leaf("first").encode(TrustCheck.key()),
                authority("first", "root").encode(TrustCheck.key()))));
        String[][] texts = {{"pem", "", "\n"}, {"text-first", "some words\n", "\n"},
            {"text-last", "", "\nsome words\n"}, {"no-line-end", "", ""}, {"carriage", "", "\r\n"},
            {"trusted", "TRUSTED ", "\n"}, {"blank-lines", "\n\n", "\n\n\n"}};
        for (String[] text : texts) {
            rows.row("built.certificates." + text[0], "certificates are read from PEM of this kind: "
                + text[0], () -> read(pem(text[0].equals("trusted") ? text[1] : "",
                    text[0].equals("trusted") ? "" : text[1], text[2])));
        }
        rows.row("built.certificates.nothing", "certificates are read from nothing",
            () -> read(new byte[0]));
        rows.row("built.certificates.cut", "certificates are read from half of one", () -> {
            byte[] whole = leaf("first").encode(TrustCheck.key());
            return read(Arrays.copyOf(whole, whole.length / 2));
        });
        rows.row("built.path-of-null", "a path of no certificates", () ->
            shown(factory().generateCertPath(Collections.emptyList())));
    }

    private static byte[] pem(String kind, String before, String after)
            throws GeneralSecurityException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (CertificateDraft draft : new CertificateDraft[] {leaf("first"), authority("first", "root")}) {
            String end = after.startsWith("\r") ? "\r\n" : "\n";
            byte[] text = (before + "-----BEGIN " + kind + "CERTIFICATE-----" + end
                + Base64.getMimeEncoder(64, end.getBytes()).encodeToString(
                    draft.encode(TrustCheck.key()))
                + end + "-----END " + kind + "CERTIFICATE-----" + after).getBytes();
            all.write(text, 0, text.length);
        }
        return all.toByteArray();
    }

    private static String read(byte[] bytes) {
        try {
            Collection<? extends Certificate> read =
                factory().generateCertificates(new ByteArrayInputStream(bytes));
            List<String> names = new ArrayList<>();
            read.forEach(certificate -> names.add(subject(certificate)));
            return names.toString();
        } catch (GeneralSecurityException e) {
            return TrustCheck.refusal(e);
        }
    }
}
