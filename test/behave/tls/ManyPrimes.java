// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.RSAPublicKeySpec;
import java.util.Arrays;

/**
 * An RSA key of 2,048 bits whose signatures cost next to nothing: it has sixteen primes (RFC 8017,
 * section 3.2), so a signature is sixteen powers of 128 bits. By a key of two primes it takes some
 * 15 ms where no C2 is, which was half the CPU time of the gold rows. Whoever verifies sees a
 * modulus and an exponent as of any key. For what the rows themselves sign; JSSE gets
 * {@link RsaIdentity}'s.
 */
final class ManyPrimes implements PrivateKey {
    private static final long serialVersionUID = 1;

    private static final String[] PRIMES = {
        "f9737a87ad5a86c9ca2a0e73c71e0b23", "f8e442c714dd7da6610d9e4c724d1293",
        "fef305e49357521ae152522748705c7d", "f8a3d94f960e0d88e32b4b49ed06c9ab",
        "feeabf02bd51a1c253ddf88a80a48079", "fae2300a575f47910035fb44c051405f",
        "f87a996941e5f91a0814228fa10335c5", "fc6f0a087dfdd63c2f4d6790fb3d0517",
        "fb7e623837c2bd06422636e35ec6897b", "fb8fc1c6cb2fab8a6e260fce599d6c8b",
        "f9f0bc01db9a092a18dda398b97fb30f", "fc2bc35cfe7731692278480edb48fce7",
        "fb11740c1946277d3e4d9a0811459feb", "faf782010ed6ded1531181cf666da45d",
        "fd4bb65eebf2a3317e3ca86fb73b76b3", "feb0914e82aa035274e6ae005863b34b"};
    private static final BigInteger EXPONENT = BigInteger.valueOf(65_537);
    private static final int BYTES = 256;

    /** The names that Signature has for a digest, and its OID (RFC 8017, appendix B.1). */
    private static final String[][] DIGESTS = {
        {"MD2", "MD2", "1.2.840.113549.2.2"},
        {"MD5", "MD5", "1.2.840.113549.2.5"},
        {"SHA1", "SHA-1", "1.3.14.3.2.26"},
        {"SHA224", "SHA-224", "2.16.840.1.101.3.4.2.4"},
        {"SHA256", "SHA-256", "2.16.840.1.101.3.4.2.1"},
        {"SHA384", "SHA-384", "2.16.840.1.101.3.4.2.2"},
        {"SHA512", "SHA-512", "2.16.840.1.101.3.4.2.3"},
    };

    static final ManyPrimes KEY = new ManyPrimes();

    private final BigInteger[] primes = new BigInteger[PRIMES.length];
    private final BigInteger[] exponents = new BigInteger[PRIMES.length];
    private final BigInteger[] weights = new BigInteger[PRIMES.length];
    private final BigInteger modulus;

    private ManyPrimes() {
        BigInteger product = BigInteger.ONE;
        for (int i = 0; i < PRIMES.length; i++) {
            primes[i] = new BigInteger(PRIMES[i], 16);
            exponents[i] = EXPONENT.modInverse(primes[i].subtract(BigInteger.ONE));
            product = product.multiply(primes[i]);
        }
        modulus = product;
        for (int i = 0; i < PRIMES.length; i++) {   // 1 modulo this prime, 0 modulo the others
            BigInteger others = modulus.divide(primes[i]);
            weights[i] = others.multiply(others.modInverse(primes[i]));
        }
    }

    PublicKey publicKey() throws GeneralSecurityException {
        return KeyFactory.getInstance("RSA")
            .generatePublic(new RSAPublicKeySpec(modulus, EXPONENT));
    }

    /** RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2.1). @param algorithm such as SHA256withRSA */
    byte[] sign(String algorithm, byte[] body) throws GeneralSecurityException {
        for (String[] digest : DIGESTS) {
            if (algorithm.equals(digest[0] + "withRSA")) {
                byte[] info = Der.sequence(Der.sequence(Der.oid(digest[2]), Der.nothing()),
                    Der.octets(MessageDigest.getInstance(digest[1]).digest(body)));
                byte[] padded = new byte[BYTES];
                Arrays.fill(padded, 2, BYTES - info.length - 1, (byte) 0xff);
                padded[1] = 1;
                System.arraycopy(info, 0, padded, BYTES - info.length, info.length);
                return power(new BigInteger(padded));
            }
        }
        throw new IllegalArgumentException(algorithm + ": accepted: a digest withRSA");
    }

    private byte[] power(BigInteger padded) {
        BigInteger sum = BigInteger.ZERO;
        for (int i = 0; i < primes.length; i++) {
            sum = sum.add(padded.modPow(exponents[i], primes[i]).multiply(weights[i]));
        }
        byte[] signed = sum.mod(modulus).toByteArray();     // perhaps with a sign, or short
        byte[] bytes = new byte[BYTES];
        int count = Math.min(signed.length, BYTES);
        System.arraycopy(signed, signed.length - count, bytes, BYTES - count, count);
        return bytes;
    }

    @Override
    public String getAlgorithm() {
        return "RSA";
    }

    @Override
    public String getFormat() {
        return null;
    }

    @Override
    public byte[] getEncoded() {
        return null;
    }
}
