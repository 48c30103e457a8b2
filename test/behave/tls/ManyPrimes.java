// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Arrays;

/**
 * An RSA key of 2,048 bits whose signatures cost next to nothing: it has 32 primes (RFC 8017,
 * section 3.2), so a signature is 32 powers of 65 bits. By a key of two primes it takes some 15 ms
 * where no C2 is, which was half the CPU time of the gold rows. Each prime less one divides
 * 2^6 3^4 5^2 7 11 13 ... 53, so JSSE, which takes the key for one of two primes, has exponents of
 * 74 bits instead of 1,024. Whoever verifies sees a modulus and an exponent as of any key.
 */
final class ManyPrimes implements PrivateKey {
    private static final long serialVersionUID = 1;

    private static final String[] PRIMES = {
        "edf28d1d32403a41", "bbf457ad0abb4441", "12e7199c36d022451", "bf8c36b780c59f89",
        "d9aaf85c299ac0ed", "17b3a90e688165cd7", "c5925b97b6231ac1", "aa30c2e6d56cb089",
        "1689c3d0d7cc68be1", "106fe9bf7d93983c1", "10a79519116dc7531", "1804d12f0769254d1",
        "179e88f9a90216061", "df8b9e2c4570e331", "110d64db9201818c1", "a4a05ea78c70e6d1",
        "103cfe2ba4316f243", "c30c0db39261bac1", "180e8207c3d7753f1", "1705c6939817c0b69",
        "a6ce12aaf22e82c1", "105d4dd145c09ad21", "c074103e1ebba9f9", "10232c4b2beb2a141",
        "118b76aabd2c95825", "166194602fa1fa07d", "16c2c375b72514fc1", "c5f3b8ef70117ba1",
        "e3b6ccaf2f7692b1", "f0f0c5a196b4f5c1", "b6946f017233ddc1", "10e752dca1d94e8e9"};
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

    /** The same key as the JDK signs with it: half the primes are its p, half its q. */
    PrivateKey ofTwo() throws GeneralSecurityException {
        BigInteger[] products = {BigInteger.ONE, BigInteger.ONE};
        BigInteger[] orders = {BigInteger.ONE, BigInteger.ONE};
        for (int i = 0; i < PRIMES.length; i++) {
            products[i % 2] = products[i % 2].multiply(primes[i]);
            orders[i % 2] = common(orders[i % 2], primes[i].subtract(BigInteger.ONE));
        }
        BigInteger p = products[0];
        BigInteger q = products[1];
        return KeyFactory.getInstance("RSA").generatePrivate(new RSAPrivateCrtKeySpec(modulus,
            EXPONENT, EXPONENT.modInverse(common(orders[0], orders[1])), p, q,
            EXPONENT.modInverse(orders[0]), EXPONENT.modInverse(orders[1]), q.modInverse(p)));
    }

    /** The least common multiple. */
    private static BigInteger common(BigInteger a, BigInteger b) {
        return a.divide(a.gcd(b)).multiply(b);
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
