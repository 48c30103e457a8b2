// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A certificate before it is signed (RFC 5280, section 4.1). It begins as a good one; whatever a
 * row wants odd is set. No public API of the JDK signs certificates.
 */
final class CertificateDraft {
    /** A year of 365 days, in seconds. */
    static final long YEAR_S = TimeUnit.DAYS.toSeconds(365);
    static final long DAY_S = TimeUnit.DAYS.toSeconds(1);

    /** What {@link Signature} calls an algorithm, and its AlgorithmIdentifier. */
    private static final String[][] ALGORITHMS = {
        {"MD5withRSA", "1.2.840.113549.1.1.4", "null"},
        {"MD2withRSA", "1.2.840.113549.1.1.2", "null"},
        {"SHA1withRSA", "1.2.840.113549.1.1.5", "null"},
        {"SHA224withRSA", "1.2.840.113549.1.1.14", "null"},
        {"SHA256withRSA", "1.2.840.113549.1.1.11", "null"},
        {"SHA384withRSA", "1.2.840.113549.1.1.12", "null"},
        {"SHA512withRSA", "1.2.840.113549.1.1.13", "null"},
        {"SHA1withECDSA", "1.2.840.10045.4.1", ""},
        {"SHA224withECDSA", "1.2.840.10045.4.3.1", ""},
        {"SHA256withECDSA", "1.2.840.10045.4.3.2", ""},
        {"SHA384withECDSA", "1.2.840.10045.4.3.3", ""},
        {"SHA512withECDSA", "1.2.840.10045.4.3.4", ""},
        {"SHA1withDSA", "1.2.840.10040.4.3", ""},
        {"SHA256withDSA", "2.16.840.1.101.3.4.3.2", ""},
        {"Ed25519", "1.3.101.112", ""},
        {"ML-DSA-65", "2.16.840.1.101.3.4.3.18", ""},
    };

    /** The same for all, so that what has the same fields is signed once. */
    private static final long NOW_S = System.currentTimeMillis() / 1000;

    private static final Map<List<Object>, byte[]> SIGNATURES = new HashMap<>();

    private final Map<String, byte[]> extensions = new LinkedHashMap<>();
    int version = 3;
    byte[] serial = Der.integer(4711);
    byte[] issuer = name("root");
    byte[] subject = name("leaf");
    byte[] notBefore = Der.time(NOW_S - DAY_S);
    byte[] notAfter = Der.time(NOW_S + 30 * DAY_S);
    byte[] publicKey;
    String algorithm = "SHA256withRSA";

    /** The AlgorithmIdentifier outside of what is signed; null for the same one. */
    byte[] outerAlgorithm;

    CertificateDraft(PublicKey key) {
        publicKey = key.getEncoded();
    }

    CertificateDraft issuer(String common) {
        issuer = name(common);
        return this;
    }

    CertificateDraft subject(String common) {
        subject = name(common);
        return this;
    }

    /** @param fromDays and the other: relative to now, in days */
    CertificateDraft valid(long fromDays, long toDays) {
        notBefore = Der.time(NOW_S + fromDays * DAY_S);
        notAfter = Der.time(NOW_S + toDays * DAY_S);
        return this;
    }

    CertificateDraft algorithm(String name) {
        algorithm = name;
        return this;
    }

    /** Sets an extension, in place of any that has this OID. */
    CertificateDraft extension(String oid, boolean critical, byte[] content) {
        extensions.put(oid, Der.sequence(
            Der.oid(oid), critical ? Der.yes() : new byte[0], Der.octets(content)));
        return this;
    }

    /** Adds an extension once more. */
    CertificateDraft twice(String oid) {
        extensions.put(oid + " again", extensions.get(oid));
        return this;
    }

    CertificateDraft without(String oid) {
        extensions.remove(oid);
        return this;
    }

    /** An authority: basicConstraints, keyCertSign and cRLSign. @param pathLength -1 for any */
    CertificateDraft authority(int pathLength) {
        extension("2.5.29.19", true, Der.sequence(
            Der.yes(), pathLength < 0 ? new byte[0] : Der.integer(pathLength)));
        return keyUsage(0x06, 1);
    }

    /** @param bits of the first byte, and how many at its end do not count */
    CertificateDraft keyUsage(int bits, int unused) {
        return extension("2.5.29.15", true,
            Der.element(Der.BIT_STRING, new byte[] {(byte) unused, (byte) bits}));
    }

    CertificateDraft extendedKeyUsage(String... oids) {
        byte[][] all = new byte[oids.length][];
        for (int i = 0; i < oids.length; i++) {
            all[i] = Der.oid(oids[i]);
        }
        return extension("2.5.29.37", false, Der.sequence(all));
    }

    /** @param names general names, as {@link #dns} and its like give them */
    CertificateDraft names(byte[]... names) {
        return extension("2.5.29.17", false, Der.sequence(names));
    }

    static byte[] dns(String name) {
        return Der.text(Der.CONTEXT | 2, name);
    }

    static byte[] ip(int... address) {
        byte[] bytes = new byte[address.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) address[i];
        }
        return Der.element(Der.CONTEXT | 7, bytes);
    }

    static byte[] name(String common) {
        return Der.sequence(attribute("2.5.4.3", Der.UTF8, common));
    }

    /** A relative distinguished name of one attribute. */
    static byte[] attribute(String oid, int tag, String text) {
        return Der.set(Der.sequence(Der.oid(oid), Der.text(tag, text)));
    }

    /** The AlgorithmIdentifier of a signature, by the name that {@link Signature} has for it. */
    static byte[] identifier(String algorithm) {
        for (String[] known : ALGORITHMS) {
            if (known[0].equals(algorithm)) {
                return Der.sequence(
                    Der.oid(known[1]), known[2].isEmpty() ? new byte[0] : Der.nothing());
            }
        }
        throw new IllegalArgumentException("no OID for " + algorithm);
    }

    /** Signs with that key, and parses as the JDK under test does. */
    X509Certificate sign(PrivateKey key) throws GeneralSecurityException {
        return parse(encode(key));
    }

    byte[] encode(PrivateKey key) throws GeneralSecurityException {
        byte[] body = unsigned();
        return Der.sequence(body, outerAlgorithm == null ? identifier(algorithm) : outerAlgorithm,
            Der.bits(sign(algorithm, key, body)));
    }

    /** What is signed. */
    byte[] unsigned() {
        return Der.sequence(
            version == 1 ? new byte[0] : Der.element(Der.EXPLICIT, Der.integer(version - 1)),
            serial, identifier(algorithm), issuer, Der.sequence(notBefore, notAfter), subject, publicKey,
            extensions.isEmpty() ? new byte[0] : Der.element(Der.EXPLICIT | 3,
                Der.sequence(extensions.values().toArray(new byte[0][]))));
    }

    /** Signs; costs nothing the second time. */
    static byte[] sign(String algorithm, PrivateKey key, byte[] body)
            throws GeneralSecurityException {
        List<Object> asked = Arrays.asList(algorithm, key, ByteBuffer.wrap(body));
        synchronized (SIGNATURES) {
            byte[] signature = SIGNATURES.get(asked);
            if (signature == null) {
                signature = signed(algorithm, key, body);
                SIGNATURES.put(asked, signature);
            }
            return signature;
        }
    }

    private static byte[] signed(String algorithm, PrivateKey key, byte[] body)
            throws GeneralSecurityException {
        Signature signature = Signature.getInstance(algorithm);     // which the build may lack
        if (key instanceof ManyPrimes) {
            return ((ManyPrimes) key).sign(algorithm, body);
        }
        signature.initSign(key);
        signature.update(body);
        return signature.sign();
    }

    static X509Certificate parse(byte[] der) throws GeneralSecurityException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(der));
    }

    /** An RSA key of just that many bits, of which nobody knows the factors. */
    static byte[] rsaKey(int bits) {
        BigInteger modulus = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.valueOf(159));
        return Der.sequence(
            Der.sequence(Der.oid("1.2.840.113549.1.1.1"), Der.nothing()),
            Der.bits(Der.sequence(Der.integer(modulus), Der.integer(65537))));
    }
}
