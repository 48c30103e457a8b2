// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A PKCS12 file before it is written (RFC 7292): one key and its certificate, encrypted and
 * authenticated as other tools do, or as none does.
 */
final class StoreDraft {
    static final String PASSWORD = "changeit";
    private static final String DATA = "1.2.840.113549.1.7.1";
    private static final String TRUSTED = "2.16.840.1.113894.746875.1.1";

    String password = PASSWORD;

    /** {@code aes256}, {@code aes128}, {@code 3des}, {@code rc2}, or {@code none} for certificates. */
    String keyCipher = "aes256";
    String certificateCipher = "aes256";

    /** {@code sha1}, {@code sha256} ..., {@code pbmac1-sha256}, {@code none} or {@code wrong}. */
    String mac = "sha256";
    long iterations = 10;
    long macIterations = 10;
    int saltBytes = 8;
    int macSaltBytes = 8;
    long version = 3;
    String keyAlias = "key";
    String[] certificateAliases = {"key"};
    boolean hasKey = true;
    boolean hasLocalId = true;
    boolean isTrusted;
    byte[] tail = new byte[0];

    byte[] encode() throws GeneralSecurityException {
        byte[] keys = hasKey ? content(Der.sequence(keyBag())) : new byte[0];
        byte[] safe = Der.sequence(keys, certificates());
        byte[] macData = mac.equals("none") ? new byte[0] : mac(safe);
        return Der.join(Der.sequence(Der.integer(version), content(safe), macData), tail);
    }

    private static byte[] content(byte[] content) {
        return Der.sequence(Der.oid(DATA), Der.element(Der.EXPLICIT, Der.octets(content)));
    }

    private byte[] keyBag() throws GeneralSecurityException {
        byte[] key = RsaIdentity.key().getEncoded();
        byte[] identifier = identifier(keyCipher);
        byte[] info = Der.sequence(identifier, Der.octets(encrypt(keyCipher, key)));
        return Der.sequence(Der.oid("1.2.840.113549.1.12.10.1.2"), Der.element(Der.EXPLICIT, info),
            attributes(keyAlias, hasLocalId, false));
    }

    private byte[] certificates() throws GeneralSecurityException {
        byte[] bags = new byte[0];
        for (String alias : certificateAliases) {
            byte[] certificate = Der.sequence(Der.oid("1.2.840.113549.1.9.22.1"), Der.element(
                Der.EXPLICIT, Der.octets(RsaIdentity.certificate().getEncoded())));
            bags = Der.join(bags, Der.sequence(Der.oid("1.2.840.113549.1.12.10.1.3"),
                Der.element(Der.EXPLICIT, certificate),
                attributes(alias, hasKey && hasLocalId, isTrusted)));
        }
        byte[] plain = Der.sequence(bags);
        if (certificateCipher.equals("none")) {
            return content(plain);
        }
        return Der.sequence(Der.oid("1.2.840.113549.1.7.6"), Der.element(Der.EXPLICIT, Der.sequence(
            Der.integer(0), Der.sequence(Der.oid(DATA), identifier(certificateCipher),
                Der.element(Der.CONTEXT, encrypt(certificateCipher, plain))))));
    }

    private static byte[] attributes(String alias, boolean hasId, boolean trusted) {
        byte[] name = alias.isEmpty() ? new byte[0] : Der.sequence(
            Der.oid("1.2.840.113549.1.9.20"), Der.set(Der.text(Der.BMP, alias)));
        byte[] id = !hasId ? new byte[0] : Der.sequence(
            Der.oid("1.2.840.113549.1.9.21"), Der.set(Der.octets(new byte[] {1})));
        byte[] trust = !trusted ? new byte[0] : Der.sequence(
            Der.oid(TRUSTED), Der.set(Der.oid("2.5.29.37.0")));
        return alias.isEmpty() && !hasId && !trusted ? new byte[0] : Der.set(name, id, trust);
    }

    private byte[] salt() {
        return HelloDraft.filled(saltBytes, 5);
    }

    private static boolean isOld(String cipher) {
        return cipher.equals("3des") || cipher.startsWith("rc2");
    }

    private byte[] identifier(String cipher) {
        if (isOld(cipher)) {
            String last = cipher.equals("3des") ? "3" : cipher.equals("rc2") ? "6" : "5";
            return Der.sequence(Der.oid("1.2.840.113549.1.12.1." + last),
                Der.sequence(Der.octets(salt()), Der.integer(iterations)));
        }
        return Der.sequence(Der.oid("1.2.840.113549.1.5.13"), Der.sequence(
            derivation(salt(), iterations, 0, "sha256"),
            Der.sequence(Der.oid("2.16.840.1.101.3.4.1." + (cipher.equals("aes128") ? 2 : 42)),
                Der.octets(new byte[16]))));
    }

    private static byte[] derivation(byte[] salt, long count, int keyBytes, String hash) {
        return Der.sequence(Der.oid("1.2.840.113549.1.5.12"), Der.sequence(Der.octets(salt),
            Der.integer(count), keyBytes == 0 ? new byte[0] : Der.integer(keyBytes),
            hash.equals("sha1") ? new byte[0] : hmac(hash)));
    }

    private static byte[] hmac(String hash) {
        int last = hash.equals("sha1") ? 7 : hash.equals("sha512") ? 11 : hash.equals("sha384") ? 10 : 9;
        return Der.sequence(Der.oid("1.2.840.113549.2." + last), Der.nothing());
    }

    private byte[] encrypt(String name, byte[] plain) throws GeneralSecurityException {
        // What no tool could compute is refused before it is decrypted.
        int count = (int) Math.max(1, Math.min(iterations, 10_000));
        if (isOld(name)) {
            String algorithm = name.equals("3des") ? "PBEWithSHA1AndDESede"
                : name.equals("rc2") ? "PBEWithSHA1AndRC2_40" : "PBEWithSHA1AndRC2_128";
            Cipher cipher = Cipher.getInstance(algorithm);
            cipher.init(Cipher.ENCRYPT_MODE, SecretKeyFactory.getInstance(algorithm)
                .generateSecret(new PBEKeySpec(password.toCharArray())),
                new PBEParameterSpec(salt(), count));
            return cipher.doFinal(plain);
        }
        byte[] key = derive("sha256", salt(), count, name.equals("aes128") ? 16 : 32);
        Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"),
            new IvParameterSpec(new byte[16]));
        return cipher.doFinal(plain);
    }

    private byte[] derive(String hash, byte[] salt, int count, int keyBytes)
            throws GeneralSecurityException {
        return SecretKeyFactory.getInstance("PBKDF2WithHmac" + hash.toUpperCase(java.util.Locale.ROOT))
            .generateSecret(new PBEKeySpec(password.toCharArray(), salt, count, 8 * keyBytes))
            .getEncoded();
    }

    private byte[] mac(byte[] safe) throws GeneralSecurityException {
        byte[] salt = HelloDraft.filled(macSaltBytes, 6);
        int count = (int) Math.max(1, Math.min(macIterations, 10_000));
        if (mac.startsWith("pbmac1-")) {
            String hash = mac.substring("pbmac1-".length());
            Mac hmac = Mac.getInstance("Hmac" + hash.toUpperCase(java.util.Locale.ROOT));
            hmac.init(new SecretKeySpec(derive(hash, salt, count, 32), "HMAC"));
            return Der.sequence(Der.sequence(Der.sequence(Der.oid("1.2.840.113549.1.5.14"),
                Der.sequence(derivation(salt, macIterations, 32, hash), hmac(hash))),
                Der.octets(hmac.doFinal(safe))),
                Der.octets("NOT USED".getBytes(StandardCharsets.US_ASCII)), Der.integer(1));
        }
        String hash = mac.equals("wrong") ? "sha256" : mac;
        String[] oids = {"sha1 1.3.14.3.2.26", "sha224 2.16.840.1.101.3.4.2.4",
            "sha256 2.16.840.1.101.3.4.2.1", "sha384 2.16.840.1.101.3.4.2.2",
            "sha512 2.16.840.1.101.3.4.2.3", "md5 1.2.840.113549.2.5"};
        String oid = Arrays.stream(oids).filter(line -> line.startsWith(hash + " ")).findFirst()
            .get().substring(hash.length() + 1);
        byte[] digest = macOf(hash, salt, count, safe);
        digest[0] ^= (byte) (mac.equals("wrong") ? 1 : 0);
        return Der.sequence(Der.sequence(Der.sequence(Der.oid(oid), Der.nothing()),
            Der.octets(digest)), Der.octets(salt), Der.integer(macIterations));
    }

    /** The MAC of RFC 7292, appendix B, with its own derivation of the key. */
    private byte[] macOf(String hash, byte[] salt, int count, byte[] text)
            throws GeneralSecurityException {
        String dashed = hash.equals("md5") ? "MD5" : hash.replace("sha", "SHA-");
        MessageDigest digest = MessageDigest.getInstance(dashed);
        int block = digest.getDigestLength() > 32 ? 128 : 64;
        byte[] key = (password + "\0").getBytes(StandardCharsets.UTF_16BE);
        digest.update(HelloDraft.filled(block, 3));
        digest.update(repeated(salt, block));
        byte[] derived = digest.digest(repeated(key, block));
        for (int i = 1; i < count; i++) {
            derived = digest.digest(derived);
        }
        Mac mac = Mac.getInstance("Hmac" + dashed.replace("-", ""));
        mac.init(new SecretKeySpec(derived, "HMAC"));
        return mac.doFinal(text);
    }

    /** As often as fills whole blocks. */
    private static byte[] repeated(byte[] bytes, int block) {
        byte[] all = new byte[bytes.length == 0 ? 0 : block * ((bytes.length + block - 1) / block)];
        for (int i = 0; i < all.length; i++) {
            all[i] = bytes[i % bytes.length];
        }
        return all;
    }

    /** OIDs and small numbers of a file, in order: how it is encrypted, and how often hashed. */
    static String shown(byte[] der) {
        StringBuilder text = new StringBuilder();
        walk(der, 0, der.length, text);
        return text.toString().trim();
    }

    private static boolean walk(byte[] der, int begin, int end, StringBuilder text) {
        for (int at = begin; at < end;) {
            int tag = der[at] & 0xff;
            if (at + 2 > end) {
                return false;
            }
            int length = der[at + 1] & 0xff;
            int from = at + 2;
            if (length > 0x80) {
                int bytes = length - 0x80;
                if (bytes > 3 || from + bytes > end) {
                    return false;
                }
                length = new BigInteger(1, Arrays.copyOfRange(der, from, from + bytes)).intValue();
                from += bytes;
            }
            if (from + length > end) {
                return false;
            }
            byte[] body = Arrays.copyOfRange(der, from, from + length);
            if (tag == Der.OID) {
                text.append(' ').append(dotted(body));
            } else if (tag == Der.INTEGER && length < 5) {
                text.append(" =").append(new BigInteger(body));
            } else if ((tag & 0x20) != 0) {
                walk(body, 0, length, text);
            } else if (tag == Der.OCTET_STRING && length > 100 && body[0] == Der.SEQUENCE) {
                walk(body, 0, length, text);
            }
            at = from + length;
        }
        return true;
    }

    private static String dotted(byte[] body) {
        StringBuilder text = new StringBuilder().append(body[0] / 40).append('.').append(body[0] % 40);
        long arc = 0;
        for (int i = 1; i < body.length; i++) {
            arc = arc << 7 | body[i] & 0x7f;
            if (body[i] >= 0) {
                text.append('.').append(arc);
                arc = 0;
            }
        }
        return text.toString();
    }
}
