// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * Which keys and certificates do the rows use? The peer, which has the newer JDK, makes all of them
 * when a run begins, with dates around now. X.509 is written as DER by hand, since no public API of
 * the JDK signs certificates (RFC 5280, section 4.1; ITU-T X.690).
 */
final class Minter {
    /** The name that each good certificate has besides localhost and 127.0.0.1. */
    static final String HOST = "www.kit.test";

    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int INTEGER = 0x02;
    private static final int NULL = 0x05;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OID = 0x06;
    private static final int UTF8 = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int LAST_YEAR_OF_UTC_TIME = 2049;      // RFC 5280, section 4.1.2.5
    private static final int BOOLEAN = 0x01;
    private static final int EXPLICIT = 0xa0;

    private static final byte[] RSA_WITH_SHA256 = tlv(SEQUENCE,
        oid(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b), tlv(NULL));
    private static final byte[] TRUE = tlv(BOOLEAN, new byte[] {(byte) 0xff});
    private static final long DAY_S = TimeUnit.DAYS.toSeconds(1);

    private final Path folder;
    private final long nowS = Instant.now().getEpochSecond();
    private int serial;

    private Minter(Path folder) {
        this.folder = folder;
    }

    /** Makes all keys and certificates, in that folder. */
    static void mint(Path folder) throws GeneralSecurityException, IOException {
        Minter minter = new Minter(folder);
        KeyPair authority = pair("rsa");    // RSA, as some JDK images lack elliptic curves
        KeyPair rsa = pair("rsa");
        minter.write(Identities.AUTHORITY, authority, "the kit's authority", authority.getPrivate(),
            -1, 1, "");
        for (String name : new String[] {"rsa", "rsapss", "ec256", "ec384", "ed25519"}) {
            try {
                KeyPair own = name.equals("rsa") ? rsa : name.equals("rsapss") ? pss(rsa) : pair(name);
                minter.write(name, own, name, authority.getPrivate(), -1, 1, "localhost");
            } catch (NoSuchAlgorithmException e) {
                System.err.println("no keys of " + name + ": " + e);    // its rows are then lacking
            }
        }
        minter.write("expired", rsa, "expired", authority.getPrivate(), -2, -1, "localhost");
        minter.write("early", rsa, "early", authority.getPrivate(), 1, 2, "localhost");
        minter.write("otherhost", rsa, "otherhost", authority.getPrivate(), -1, 1, "other.test");
        minter.write("stranger", rsa, "stranger", rsa.getPrivate(), -1, 1, "localhost");
        minter.write("selfsigned", rsa, "selfsigned", rsa.getPrivate(), -1, 1, "localhost");
    }

    /** The same numbers, for RSASSA-PSS only, which saves a search for primes. */
    private static KeyPair pss(KeyPair rsa) throws GeneralSecurityException {
        KeyFactory keys = KeyFactory.getInstance(Identities.algorithm("rsapss"));
        RSAPrivateCrtKey key = (RSAPrivateCrtKey) rsa.getPrivate();
        BigInteger modulus = key.getModulus();
        return new KeyPair(
            keys.generatePublic(new RSAPublicKeySpec(modulus, key.getPublicExponent())),
            keys.generatePrivate(new RSAPrivateCrtKeySpec(modulus, key.getPublicExponent(),
                key.getPrivateExponent(), key.getPrimeP(), key.getPrimeQ(),
                key.getPrimeExponentP(), key.getPrimeExponentQ(), key.getCrtCoefficient())));
    }

    private static KeyPair pair(String name) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(Identities.algorithm(name));
        if (name.startsWith("ec")) {
            generator.initialize(new ECGenParameterSpec("secp" + name.substring(2) + "r1"));
        } else if (name.equals("rsa")) {
            generator.initialize(2048);
        }
        return generator.generateKeyPair();
    }

    /** @param host that the certificate is for; empty for an authority's own */
    private void write(String name, KeyPair own, String subject, PrivateKey issuer, long fromDays,
            long toDays, String host) throws GeneralSecurityException, IOException {
        boolean selfSigned = host.isEmpty() || name.equals("selfsigned");
        byte[] body = tlv(SEQUENCE,
            tlv(EXPLICIT, tlv(INTEGER, new byte[] {2})),
            tlv(INTEGER, BigInteger.valueOf(++serial).toByteArray()),
            RSA_WITH_SHA256,
            name(selfSigned ? subject : "the kit's authority"),
            tlv(SEQUENCE, time(fromDays), time(toDays)),
            name(subject),
            own.getPublic().getEncoded(),
            tlv(EXPLICIT | 3, tlv(SEQUENCE, host.isEmpty() ? authorityExtensions()
                : leafExtensions(host))));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(issuer);
        signature.update(body);
        byte[] whole = tlv(SEQUENCE, body, RSA_WITH_SHA256, bits(signature.sign()));
        pem(Identities.certificate(folder, name), "CERTIFICATE", whole);
        pem(Identities.key(folder, name), "PRIVATE KEY", own.getPrivate().getEncoded());
    }

    private static byte[] authorityExtensions() {
        return join(
            extension(0x13, true, tlv(SEQUENCE, TRUE)),
            extension(0x0f, true, tlv(BIT_STRING, new byte[] {1, 0x06})));
    }

    /** Names; digitalSignature, keyEncipherment for TLS_RSA suites, keyAgreement for TLS_ECDH. */
    private static byte[] leafExtensions(String host) {
        byte[] names = host.equals("localhost")
            ? join(dns(host), dns(HOST), tlv(0x87, new byte[] {127, 0, 0, 1})) : dns(host);
        return join(
            extension(0x0f, true, tlv(BIT_STRING, new byte[] {3, (byte) 0xa8})),
            extension(0x11, false, tlv(SEQUENCE, names)));
    }

    private static byte[] dns(String host) {
        return tlv(0x82, host.getBytes(StandardCharsets.US_ASCII));
    }

    /** An extension under id-ce, {@code 2.5.29.n}. */
    private static byte[] extension(int number, boolean critical, byte[] value) {
        return tlv(SEQUENCE, oid(0x55, 0x1d, number), critical ? TRUE : new byte[0],
            tlv(OCTET_STRING, value));
    }

    private static byte[] name(String common) {
        return tlv(SEQUENCE, tlv(SET, tlv(SEQUENCE, oid(0x55, 0x04, 0x03),
            tlv(UTF8, common.getBytes(StandardCharsets.UTF_8)))));
    }

    private byte[] time(long days) {
        OffsetDateTime when = Instant.ofEpochSecond(nowS + days * DAY_S).atOffset(ZoneOffset.UTC);
        boolean isShort = when.getYear() <= LAST_YEAR_OF_UTC_TIME;
        String text = when.format(
            DateTimeFormatter.ofPattern((isShort ? "yy" : "yyyy") + "MMddHHmmss'Z'"));
        return tlv(isShort ? UTC_TIME : GENERALIZED_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] bits(byte[] value) {
        return tlv(BIT_STRING, new byte[1], value);
    }

    private static byte[] oid(int... octets) {
        byte[] value = new byte[octets.length];
        for (int i = 0; i < octets.length; i++) {
            value[i] = (byte) octets[i];
        }
        return tlv(OID, value);
    }

    private static byte[] tlv(int tag, byte[]... parts) {
        byte[] value = join(parts);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (value.length > 0x7f) {
            byte[] length = BigInteger.valueOf(value.length).toByteArray();
            int from = length[0] == 0 ? 1 : 0;
            out.write(0x80 | length.length - from);
            out.write(length, from, length.length - from);
        } else {
            out.write(value.length);
        }
        out.write(value, 0, value.length);
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.write(part, 0, part.length);
        }
        return out.toByteArray();
    }

    private static void pem(Path file, String what, byte[] der) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Files.write(file, ("-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n")
            .getBytes(StandardCharsets.US_ASCII));
    }
}
