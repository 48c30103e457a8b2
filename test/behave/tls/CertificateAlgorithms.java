// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.List;

/** Which keys and signatures of certificates does a client take? Keys by size and curve, and hashes. */
public final class CertificateAlgorithms implements Topic {
    private static final int[] BITS = {512, 768, 1000, 1016, 1023, 1024, 1025, 1536, 2047, 2048, 3072,
        4096, 8192, 16384};
    private static final List<String> HASHES =
        Arrays.asList("MD2", "MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512");
    private static final String[] CURVES = {"secp256r1", "secp384r1", "secp521r1", "secp224r1",
        "secp192r1", "secp256k1", "sect283k1", "brainpoolP256r1"};
    private static final String[] OTHERS = {"Ed25519", "Ed448", "DSA", "X25519", "ML-DSA-65"};

    @Override
    public String name() {
        return "algorithms";
    }

    @Override
    public void declare(TopicRows rows) {
        for (int bits : BITS) {
            rows.row("algorithms.rsa." + bits, "a client is shown a leaf with an RSA key of " + bits
                + " bits", () -> keySize(bits, false));
            rows.row("algorithms.rsa-authority." + bits, "an authority of the chain has an RSA key of "
                + bits + " bits, and did not sign the leaf", () -> keySize(bits, true));
        }
        for (String hash : HASHES) {
            String algorithm = hash + "withRSA";
            rows.row("algorithms.leaf." + hash, "a leaf is signed by " + algorithm, () -> signed(
                TrustCheck.leaf().algorithm(algorithm)));
            rows.row("algorithms.authority." + hash, "an authority is signed by " + algorithm,
                () -> signed(TrustCheck.leaf().issuer("first"),
                    TrustCheck.intermediate("first").algorithm(algorithm)));
            rows.row("algorithms.anchor." + hash, "the trusted root is signed by " + algorithm,
                () -> anchored(TrustCheck.root().algorithm(algorithm)));
            rows.row("algorithms.shown-root." + hash, "a chain ends with its root, which is signed by "
                + algorithm, () -> signed(TrustCheck.leaf(), TrustCheck.root().algorithm(algorithm)));
            rows.row("algorithms.client." + hash, "a server is shown a leaf signed by " + algorithm,
                () -> client(TrustCheck.leaf().algorithm(algorithm)));
        }
        rows.row("algorithms.local.sha256-only", "the session takes SHA256withRSA only, the leaf is"
            + " signed by SHA384withRSA", () -> local("SHA384withRSA", "SHA256withRSA"));
        rows.row("algorithms.local.pss-only", "the session takes RSASSA-PSS only, the leaf is"
            + " signed by SHA256withRSA", () -> local("SHA256withRSA", "RSASSA-PSS"));
        rows.row("algorithms.local.none", "the session names no algorithm",
            () -> local("SHA256withRSA"));
        for (String curve : CURVES) {
            rows.row("algorithms.curve." + curve, "a leaf has a key of " + curve, () -> {
                KeyPairGenerator generator = generator("EC");
                try {
                    generator.initialize(new ECGenParameterSpec(curve));
                    return own(generator.generateKeyPair());
                } catch (GeneralSecurityException e) {
                    return "no such curve: " + e.getClass().getSimpleName();
                }
            });
        }
        for (String algorithm : OTHERS) {
            rows.row("algorithms.key." + algorithm, "a leaf has a key of " + algorithm, () -> {
                KeyPairGenerator generator = generator(algorithm);
                if (algorithm.equals("DSA")) {
                    generator.initialize(1024);
                }
                return own(generator.generateKeyPair());
            });
        }
        for (String hash : HASHES.subList(2, HASHES.size())) {
            rows.row("algorithms.ecdsa." + hash, "a leaf is signed by " + hash + "withECDSA", () -> {
                KeyPair pair = generator("EC").generateKeyPair();
                return ownRoot(pair, hash + "withECDSA");
            });
        }
        for (String algorithm : new String[] {"SHA1withDSA", "SHA256withDSA"}) {
            for (int bits : new int[] {1024, 2048}) {
                rows.row("algorithms.dsa." + algorithm + "." + bits, "a leaf is signed by " + algorithm
                    + " with a key of " + bits + " bits", () -> {
                        KeyPairGenerator generator = generator("DSA");
                        generator.initialize(bits);
                        return ownRoot(generator.generateKeyPair(), algorithm);
                    });
            }
        }
        for (String algorithm : new String[] {"Ed25519", "ML-DSA-65"}) {
            rows.row("algorithms.signed." + algorithm, "a leaf is signed by " + algorithm,
                () -> ownRoot(generator(algorithm).generateKeyPair(), algorithm));
        }
    }

    private static KeyPairGenerator generator(String algorithm) {
        try {
            return KeyPairGenerator.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new Absent(algorithm);
        }
    }

    private static String keySize(int bits, boolean ofAuthority) throws Exception {
        CertificateDraft leaf = TrustCheck.leaf();
        if (!ofAuthority) {
            leaf.publicKey = CertificateDraft.rsaKey(bits);
            return signed(leaf);
        }
        CertificateDraft first = TrustCheck.intermediate("first");
        first.publicKey = CertificateDraft.rsaKey(bits);
        return signed(leaf.issuer("first"), first);
    }

    /** Shows a chain whose signer is the key that all rows share. */
    private static String signed(CertificateDraft... drafts) throws Exception {
        try {
            return TrustCheck.ofRoot().server(chain(drafts));
        } catch (NoSuchAlgorithmException e) {
            throw new Absent(e.getMessage());
        }
    }

    private static String anchored(CertificateDraft root) throws Exception {
        try {
            return new TrustCheck("PKIX", chain(root)).server(chain(TrustCheck.leaf()));
        } catch (NoSuchAlgorithmException e) {
            throw new Absent(e.getMessage());
        }
    }

    private static String client(CertificateDraft leaf) throws Exception {
        leaf.extendedKeyUsage("1.3.6.1.5.5.7.3.2");
        try {
            return TrustCheck.ofRoot().client("RSA", chain(leaf));
        } catch (NoSuchAlgorithmException e) {
            throw new Absent(e.getMessage());
        }
    }

    private static String local(String algorithm, String... schemes) throws Exception {
        NamedEngine engine = new NamedEngine("www.example.com", "HTTPS", "TLSv1.2");
        engine.localSchemes = schemes;
        return TrustCheck.ofRoot().server(engine, "ECDHE_RSA",
            chain(TrustCheck.leaf().algorithm(algorithm)));
    }

    private static X509Certificate[] chain(CertificateDraft... drafts)
            throws GeneralSecurityException {
        X509Certificate[] chain = new X509Certificate[drafts.length];
        for (int i = 0; i < chain.length; i++) {
            chain[i] = drafts[i].sign(TrustCheck.key());
        }
        return chain;
    }

    /** A leaf with that key, signed as all are. */
    private static String own(KeyPair pair) throws Exception {
        CertificateDraft leaf = TrustCheck.leaf().keyUsage(0x80, 7);
        leaf.publicKey = pair.getPublic().getEncoded();
        return signed(leaf);
    }

    /** A leaf that a root with this key has signed. */
    private static String ownRoot(KeyPair pair, String algorithm) throws Exception {
        CertificateDraft root = TrustCheck.root().algorithm(algorithm);
        root.publicKey = pair.getPublic().getEncoded();
        try {
            return new TrustCheck("PKIX", root.sign(pair.getPrivate()))
                .server(TrustCheck.leaf().algorithm(algorithm).sign(pair.getPrivate()));
        } catch (NoSuchAlgorithmException e) {
            throw new Absent(e.getMessage());
        }
    }
}
