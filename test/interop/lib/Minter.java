// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * Which keys and certificates do the rows use? The peer, which has the newer JDK, makes all of them
 * when a run begins, with dates around now. X.509 is written by hand, in {@link Der}, since no public
 * API of the JDK signs certificates (RFC 5280, section 4.1).
 */
final class Minter {
    /** The name that each good certificate has besides localhost and 127.0.0.1. */
    static final String HOST = "www.kit.test";

    static final byte[] RSA_WITH_SHA256 = Der.sequence(
        Der.oid("1.2.840.113549.1.1.11"), Der.nothing());
    private static final long DAY_S = TimeUnit.DAYS.toSeconds(1);

    /** Names of keys whose certificate is for the other side alone (RFC 5280, 4.2.1.12). */
    static final String FOR_SERVERS = "forservers";
    static final String FOR_CLIENTS = "forclients";

    private static final String AUTHORITY_NAME = "the kit's authority";
    private static final String KEY_PURPOSES = "1.3.6.1.5.5.7.3.";

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
        minter.write(Identities.AUTHORITY, authority, AUTHORITY_NAME, authority.getPrivate(),
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
        minter.write(FOR_SERVERS, rsa, FOR_SERVERS, authority.getPrivate(), -1, 1, "localhost");
        minter.write(FOR_CLIENTS, rsa, FOR_CLIENTS, authority.getPrivate(), -1, 1, "localhost");
        minter.revoke(authority, rsa);
    }

    private void revoke(KeyPair authority, KeyPair rsa)
            throws GeneralSecurityException, IOException {
        long[] serials = new long[Revocation.KEYS.length];
        for (int i = 0; i < serials.length; i++) {
            String name = Revocation.KEYS[i];
            write(name, rsa, name, authority.getPrivate(), -1, 1, "localhost");
            serials[i] = serial;
        }
        // A server staples only if it has the issuer's certificate, too.
        Files.write(Identities.certificate(folder, Revocation.BY_STAPLE),
            Files.readAllBytes(Identities.certificate(folder, Identities.AUTHORITY)),
            StandardOpenOption.APPEND);
        byte[] own = name(AUTHORITY_NAME);
        byte[] encoded = authority.getPublic().getEncoded();
        byte[] key = Arrays.copyOfRange(encoded, encoded.length - bytesOfKey(encoded),
            encoded.length);
        Revocation.write(folder, this, authority.getPrivate(), own, sha1(own), sha1(key), serials);
    }

    /** Without the algorithm before the key, and the head of the bit string (RFC 6960, 4.1.1). */
    private static int bytesOfKey(byte[] encoded) {
        int algorithm = Der.sequence(Der.oid("1.2.840.113549.1.1.1"), Der.nothing()).length;
        int wholeHead = 4;  // of more than 255 bytes, as the bit string
        return encoded.length - wholeHead - algorithm - wholeHead - 1;
    }

    private static byte[] sha1(byte[] bytes) throws GeneralSecurityException {
        return MessageDigest.getInstance("SHA-1").digest(bytes);
    }

    static byte[] signed(PrivateKey issuer, byte[] body) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(issuer);
        signature.update(body);
        return Der.sequence(body, RSA_WITH_SHA256, Der.bits(signature.sign()));
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
        byte[] body = Der.sequence(
            Der.element(Der.EXPLICIT, Der.integer(2)),
            Der.integer(++serial),
            RSA_WITH_SHA256,
            name(selfSigned ? subject : AUTHORITY_NAME),
            Der.sequence(time(fromDays), time(toDays)),
            name(subject),
            own.getPublic().getEncoded(),
            Der.element(Der.EXPLICIT | 3, Der.sequence(host.isEmpty() ? authorityExtensions()
                : leafExtensions(host, name))));
        pem(Identities.certificate(folder, name), "CERTIFICATE", signed(issuer, body));
        pem(Identities.key(folder, name), "PRIVATE KEY", own.getPrivate().getEncoded());
    }

    private static byte[] authorityExtensions() {
        return Der.join(
            extension(19, true, Der.sequence(Der.yes())),
            extension(15, true, Der.element(Der.BIT_STRING, new byte[] {1, 0x06})));
    }

    /** Names; digitalSignature, keyEncipherment for TLS_RSA suites, keyAgreement for TLS_ECDH. */
    private static byte[] leafExtensions(String host, String name) {
        byte[] names = host.equals("localhost")
            ? Der.join(dns(host), dns(HOST),
                Der.element(Der.CONTEXT | 7, new byte[] {127, 0, 0, 1})) : dns(host);
        return Der.join(
            extension(15, true, Der.element(Der.BIT_STRING, new byte[] {3, (byte) 0xa8})),
            extension(17, false, Der.sequence(names)),
            name.equals(FOR_SERVERS) ? purpose(1) : name.equals(FOR_CLIENTS) ? purpose(2)
                : new byte[0]);
    }

    /** What the key is for, and nothing else: 1 is a server, 2 a client. */
    private static byte[] purpose(int number) {
        return extension(37, true, Der.sequence(Der.oid(KEY_PURPOSES + number)));
    }

    private static byte[] dns(String host) {
        return Der.text(Der.CONTEXT | 2, host);
    }

    /** An extension under id-ce, {@code 2.5.29.n}. */
    private static byte[] extension(int number, boolean critical, byte[] value) {
        return Der.sequence(Der.oid("2.5.29." + number), critical ? Der.yes() : new byte[0],
            Der.octets(value));
    }

    private static byte[] name(String common) {
        return Der.sequence(Der.set(Der.sequence(Der.oid("2.5.4.3"),
            Der.text(Der.UTF8, common))));
    }

    byte[] time(long days) {
        return Der.time(nowS + days * DAY_S);
    }

    byte[] generalizedTime(long days) {
        return Der.generalizedTime(nowS + days * DAY_S);
    }

    private static void pem(Path file, String what, byte[] der) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Files.write(file, ("-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n")
            .getBytes(StandardCharsets.US_ASCII));
    }
}
