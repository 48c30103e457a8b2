// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.TreeSet;
import javax.security.auth.x500.X500Principal;

/** What does an application see of a certificate, and which selectors match it? */
final class CertificatesShown implements Topic {
    private static final String SERVER = "1.3.6.1.5.5.7.3.1";

    /** Names as an application writes them (RFC 1779, 2253), good and odd. */
    private static final String[][] NAMES = {
        {"simple", "CN=a, O=b, C=DE"}, {"semicolons", "CN=a; O=b; C=DE"}, {"quoted", "CN=\"a, b\", C=DE"},
        {"escaped", "CN=a\\, b, C=DE"}, {"quote-in-quotes", "CN=\"a \\\"b\\\"\", C=DE"},
        {"several", "CN=a+OU=b, C=DE"}, {"hex", "CN=#0c0161"}, {"hex-odd", "CN=#0c016"},
        {"hex-pair", "CN=a\\C3\\A4"}, {"oid", "1.2.3.4=a"}, {"oid-prefix", "OID.2.5.4.3=a"},
        {"lower", "cn=a, o=b"}, {"blanks", "  CN =  a  ,  C = DE "}, {"umlaut", "CN=\u00fc"},
        {"plus", "CN=a\\+b"}, {"empty", ""}, {"no-value", "CN="}, {"no-type", "=a"}, {"unknown", "XYZ=a"},
        {"comma-last", "CN=a,"}, {"mail", "EMAILADDRESS=a@b.example"}, {"domain", "DC=a, DC=example"},
        {"hash-first", "CN=\\#a"}, {"blank-last", "CN=a\\ "}, {"line", "CN=a\nb"}, {"star", "CN=*.a.example"},
        {"serial", "SERIALNUMBER=1, GIVENNAME=g, SURNAME=s, T=t, STREET=x, L=l, ST=s"},
    };

    /** What an application asks of a certificate. */
    private interface Look {
        Object at(X509Certificate certificate) throws Exception;
    }

    /** What an application asks for. */
    private interface Choice {
        void set(X509CertSelector selector) throws Exception;
    }

    @Override
    public String name() {
        return "shown";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String[] name : NAMES) {
            rows.row("shown.name." + name[0], "a name is written as '" + name[1].replace("\n", "(line)")
                + "'", () -> {
                    X500Principal principal;
                    try {
                        principal = new X500Principal(name[1]);
                    } catch (IllegalArgumentException e) {
                        return "refused";
                    }
                    return principal + " | " + principal.getName("RFC2253") + " | "
                        + principal.getName("RFC1779") + " | " + principal.getName("CANONICAL") + " | "
                        + principal.getEncoded().length + " bytes";
                });
        }
        looks(rows);
        choices(rows);
    }

    private static void look(TopicRows rows, String id, String does, Look look) {
        rows.row("shown.field." + id, "a certificate with all extensions: " + does,
            () -> String.valueOf(look.at(rich())));
    }

    private static void looks(TopicRows rows) {
        look(rows, "names", "its subject's other names", c -> names(c.getSubjectAlternativeNames()));
        look(rows, "issuer-names", "its issuer's other names", c -> names(c.getIssuerAlternativeNames()));
        look(rows, "purposes", "its purposes", X509Certificate::getExtendedKeyUsage);
        look(rows, "usage", "its key usage", c -> {
            List<Integer> bits = new ArrayList<>();
            for (int i = 0; i < c.getKeyUsage().length; i++) {
                if (c.getKeyUsage()[i]) {
                    bits.add(i);
                }
            }
            return bits + " of " + c.getKeyUsage().length;
        });
        look(rows, "path-length", "is it an authority?", X509Certificate::getBasicConstraints);
        look(rows, "critical", "its critical extensions",
            c -> new TreeSet<>(c.getCriticalExtensionOIDs()) + ", unsupported "
                + c.hasUnsupportedCriticalExtension());
        look(rows, "others", "its other extensions", c -> new TreeSet<>(c.getNonCriticalExtensionOIDs()));
        look(rows, "content", "the content of extensions", c -> c.getExtensionValue("2.5.29.15").length
            + ", " + c.getExtensionValue("1.2.3.9").length + ", " + c.getExtensionValue("1.2.3.10"));
        look(rows, "head", "version, number, algorithm", c -> c.getVersion() + ", " + c.getSerialNumber()
            + ", " + c.getSigAlgName() + ", " + c.getSigAlgOID() + ", " + c.getSigAlgParams()
            + ", " + c.getPublicKey().getAlgorithm() + ", " + c.getType());
        look(rows, "ids", "its unique ids", c -> c.getIssuerUniqueID() + ", " + c.getSubjectUniqueID());
        for (int days : new int[] {-2, 0, 31}) {
            look(rows, "valid." + days, "is it valid on day " + days + "?", c -> {
                c.checkValidity(new Date(System.currentTimeMillis() + days * 86_400_000L));
                return "valid";
            });
        }
        look(rows, "verified", "it is verified by its authority's key", c -> {
            c.verify(TrustCheck.publicKey());
            return "verified";
        });
        look(rows, "verified-stranger", "it is verified by a stranger's key", c -> {
            try {
                c.verify(TrustCheck.stranger().getPublic());
                return "verified";
            } catch (java.security.SignatureException e) {
                return "refused";
            }
        });
        look(rows, "verified-by", "it is verified by its authority's key and a provider", c -> {
            c.verify(TrustCheck.publicKey(), "SunRsaSign");
            return "verified";
        });
        look(rows, "equal", "is it the same as itself, parsed again?", c -> {
            X509Certificate again = CertificateDraft.parse(c.getEncoded());
            return c.equals(again) + ", " + (c.hashCode() == again.hashCode()) + ", "
                + c.equals(TrustCheck.leaf().sign(TrustCheck.key()));
        });
    }

    /** Strings and numbers; other kinds by their length. */
    private static String names(Collection<List<?>> names) {
        List<String> shown = new ArrayList<>();
        for (List<?> name : names) {
            Object content = name.get(1);
            shown.add(name.get(0) + " " + (content instanceof byte[]
                ? ((byte[]) content).length + " bytes" : content));
        }
        return shown.toString();
    }

    private static byte[] general(int tag, byte[]... parts) {
        return Der.element(tag, parts);
    }

    private static byte[] allNames() {
        return Der.sequence(
            general(Der.EXPLICIT, Der.oid("1.2.3.5"), Der.element(Der.EXPLICIT, Der.text(Der.UTF8, "o"))),
            Der.text(Der.CONTEXT | 1, "a@b.example"), CertificateDraft.dns("www.example.com"),
            general(Der.EXPLICIT | 4, CertificateDraft.name("dir")),
            Der.text(Der.CONTEXT | 6, "https://a.example/x"), CertificateDraft.ip(192, 0, 2, 1),
            CertificateDraft.ip(32, 1, 13, 184, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
            general(Der.CONTEXT | 8, new byte[] {0x2a, 3, 4}));
    }

    /** A leaf that has an extension of each kind that the JDK knows. */
    private static X509Certificate rich() throws Exception {
        byte[] place = Der.sequence(Der.sequence(Der.oid("1.3.6.1.5.5.7.48.2"),
            Der.text(Der.CONTEXT | 6, "http://a.example/ca")));
        return TrustCheck.leaf().extendedKeyUsage(SERVER, "1.2.3.6")
            .extension("2.5.29.17", false, allNames()).extension("2.5.29.18", false, allNames())
            .extension("2.5.29.14", false, Der.octets(new byte[] {1, 2}))
            .extension("2.5.29.35", false, Der.sequence(Der.element(Der.CONTEXT, new byte[] {3}),
                Der.element(Der.EXPLICIT | 1, Der.element(Der.EXPLICIT | 4, CertificateDraft.name("up"))),
                Der.element(Der.CONTEXT | 2, new byte[] {7})))
            .extension("2.5.29.16", false, Der.sequence(
                Der.text(Der.CONTEXT, "20200101000000Z"), Der.text(Der.CONTEXT | 1, "20990101000000Z")))
            .extension("2.5.29.31", false, Der.sequence(Der.sequence(
                Der.element(Der.EXPLICIT, Der.element(Der.EXPLICIT,
                    Der.text(Der.CONTEXT | 6, "http://a.example/crl"))),
                Der.element(Der.CONTEXT | 1, new byte[] {1, 0x60}),
                Der.element(Der.EXPLICIT | 2, Der.element(Der.EXPLICIT | 4,
                    CertificateDraft.name("crl"))))))
            .extension("2.5.29.32", false, Der.sequence(Der.sequence(Der.oid("1.2.3.1"))))
            .extension("1.3.6.1.5.5.7.1.1", false, place).extension("1.3.6.1.5.5.7.1.11", false, place)
            .extension("2.16.840.1.113730.1.1", false,
                Der.element(Der.BIT_STRING, new byte[] {6, (byte) 0x40}))
            .extension("1.2.3.9", false, Der.nothing()).sign(TrustCheck.key());
    }

    private static void choice(TopicRows rows, String id, String does, Choice choice) {
        rows.row("shown.selected." + id, "does a selector match that has " + does + "?", () -> {
            X509CertSelector selector = new X509CertSelector();
            choice.set(selector);
            return selector.match(rich()) + ", a copy "
                + ((X509CertSelector) selector.clone()).match(rich());
        });
    }

    private static void choices(TopicRows rows) {
        choice(rows, "nothing", "nothing", s -> { });
        for (String name : new String[] {"leaf", "other"}) {
            choice(rows, "subject-" + name, "the subject " + name, s -> s.setSubject("CN=" + name));
            choice(rows, "subject-bytes-" + name, "the encoded subject " + name,
                s -> s.setSubject(CertificateDraft.name(name)));
        }
        for (String name : new String[] {"root", "other"}) {
            choice(rows, "issuer-" + name, "the issuer " + name, s -> s.setIssuer("CN=" + name));
        }
        for (int number : new int[] {4711, 1}) {
            choice(rows, "serial-" + number, "the serial number " + number,
                s -> s.setSerialNumber(java.math.BigInteger.valueOf(number)));
            choice(rows, "key-id-" + number, "a key id, right or wrong", s ->
                s.setSubjectKeyIdentifier(Der.octets(new byte[] {1, (byte) (number == 1 ? 3 : 2)})));
            choice(rows, "key-" + number, "a public key, right or stranger's", s ->
                s.setSubjectPublicKey(number == 1 ? TrustCheck.stranger().getPublic()
                    : TrustCheck.publicKey()));
        }
        for (String oid : new String[] {"1.2.840.113549.1.1.1", "1.2.840.10045.2.1"}) {
            choice(rows, "algorithm-" + oid, "the algorithm " + oid, s -> s.setSubjectPublicKeyAlgID(oid));
        }
        for (String oid : new String[] {SERVER, "1.3.6.1.5.5.7.3.2"}) {
            choice(rows, "purpose-" + oid, "the purpose " + oid,
                s -> s.setExtendedKeyUsage(Collections.singleton(oid)));
        }
        for (String oid : new String[] {"1.2.3.1", "1.2.3.2"}) {
            choice(rows, "policy-" + oid, "the policy " + oid,
                s -> s.setPolicy(Collections.singleton(oid)));
        }
        for (int bit : new int[] {0, 1, 2}) {
            choice(rows, "usage-" + bit, "the key usage " + bit, s -> {
                boolean[] usage = new boolean[9];
                usage[bit] = true;
                s.setKeyUsage(usage);
            });
        }
        for (int days : new int[] {0, -2}) {
            Date date = new Date(System.currentTimeMillis() + days * 86_400_000L);
            choice(rows, "valid-" + -days, "a date " + -days + " days ago", s -> s.setCertificateValid(date));
        }
        choice(rows, "key-valid-2030", "a date in 2030 for the private key",
            s -> s.setPrivateKeyValid(new Date(1_900_000_000_000L)));
        choice(rows, "key-valid-2000", "a date in 2000 for the private key",
            s -> s.setPrivateKeyValid(new Date(950_000_000_000L)));
        String[][] names = {{"2", "www.example.com", "other.example"}, {"1", "a@b.example", "x@b.example"},
            {"6", "https://a.example/x", "https://b.example/"}, {"7", "192.0.2.1", "192.0.2.2"},
            {"4", "CN=dir", "CN=x"}, {"8", "1.2.3.4", "1.2.3.5"}};
        for (String[] name : names) {
            for (int i = 1; i < 3; i++) {
                String wanted = name[i];
                choice(rows, "name-" + name[0] + (i == 1 ? "" : "-other"), "the name " + wanted, s ->
                    s.addSubjectAlternativeName(Integer.parseInt(name[0]), wanted));
            }
        }
        choice(rows, "names-all", "two names, one of them wrong, all of which must match", s -> {
            s.addSubjectAlternativeName(2, "www.example.com");
            s.addSubjectAlternativeName(2, "other.example");
        });
        choice(rows, "names-one", "two names, one of them wrong, one of which must match", s -> {
            s.setMatchAllSubjectAltNames(false);
            s.addSubjectAlternativeName(2, "www.example.com");
            s.addSubjectAlternativeName(2, "other.example");
        });
        for (int length : new int[] {-2, -1, 0}) {
            choice(rows, "authority-" + (length + 2), "at least the path length " + length,
                s -> s.setBasicConstraints(length));
        }
        for (String name : new String[] {"dns:example.com", "dns:example.org"}) {
            choice(rows, "constraints-" + name.substring(4), "name constraints for " + name, s ->
                s.setNameConstraints(Der.sequence(Der.element(Der.EXPLICIT,
                    Der.sequence(Der.text(Der.CONTEXT | 2, name.substring(4)))))));
        }
    }
}
