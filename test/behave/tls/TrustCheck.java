// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertPathValidatorException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPublicKeySpec;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Does the JDK's trust manager accept a chain, and if not, for which kind of reason? Its texts are
 * left out, as they change without harm: a refusal is the classes of its exceptions, and the reason
 * that a validator of paths names.
 */
final class TrustCheck {
    /** Two of 512 bits: to look for some took up to half a second of CPU time. */
    private static final String[] STRANGERS_PRIMES = {
        "ce9a1bfae4286432cc5fdb3e4d8f1fd1f24100c9cdcd1d12e81e67181eb7f885"
            + "d67481d19cbfc50a0792824b500b358eeb38a8bdfa66d6974db2e7da4ecbe9d1",
        "f0d671dbfcc0e0c2eb2209ba511ef252960223c9024eaee580714cb9b00b0768"
            + "422fdc13741cddc0d1983b91a4f9dd0be5fd10e4ebd4da9aef10b9029c3ff249"};

    private static TrustCheck ofRoot;
    private static KeyPair stranger;

    private final X509ExtendedTrustManager manager;

    TrustCheck(String algorithm, Certificate... anchors)
            throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        for (int i = 0; i < anchors.length; i++) {
            store.setCertificateEntry("anchor " + i, anchors[i]);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(algorithm);
        factory.init(store);
        manager = (X509ExtendedTrustManager) factory.getTrustManagers()[0];
    }

    /** Trusts {@link #root} alone, by the default algorithm, PKIX. */
    static synchronized TrustCheck ofRoot() throws GeneralSecurityException, IOException {
        if (ofRoot == null) {
            ofRoot = new TrustCheck("PKIX", root().sign(key()));
        }
        return ofRoot;
    }

    /** An authority that {@link #ofRoot} trusts: all keys of the rows are this one, or a stranger's. */
    static CertificateDraft root() throws GeneralSecurityException {
        return new CertificateDraft(publicKey()).issuer("root").subject("root").authority(-1);
    }

    /** An authority below the root. */
    static CertificateDraft intermediate(String name) throws GeneralSecurityException {
        return new CertificateDraft(publicKey()).subject(name).authority(-1);
    }

    /** A good certificate of www.example.com. */
    static CertificateDraft leaf() throws GeneralSecurityException {
        return new CertificateDraft(publicKey()).keyUsage(0xa0, 5)
            .extendedKeyUsage("1.3.6.1.5.5.7.3.1").names(CertificateDraft.dns("www.example.com"));
    }

    static PrivateKey key() {
        return ManyPrimes.KEY;
    }

    static PublicKey publicKey() throws GeneralSecurityException {
        return ManyPrimes.KEY.publicKey();
    }

    /** A key with which nobody who is trusted signs. */
    static synchronized KeyPair stranger() throws GeneralSecurityException {
        if (stranger == null) {
            BigInteger p = new BigInteger(STRANGERS_PRIMES[0], 16);
            BigInteger q = new BigInteger(STRANGERS_PRIMES[1], 16);
            BigInteger ofP = p.subtract(BigInteger.ONE);
            BigInteger ofQ = q.subtract(BigInteger.ONE);
            BigInteger exponent = RSAKeyGenParameterSpec.F4;
            BigInteger secret = exponent.modInverse(ofP.multiply(ofQ));
            KeyFactory factory = KeyFactory.getInstance("RSA");
            stranger = new KeyPair(
                factory.generatePublic(new RSAPublicKeySpec(p.multiply(q), exponent)),
                factory.generatePrivate(new RSAPrivateCrtKeySpec(p.multiply(q), exponent, secret, p, q,
                    secret.mod(ofP), secret.mod(ofQ), q.modInverse(p))));
        }
        return stranger;
    }

    /** As a client that wants www.example.com sees it. */
    String server(X509Certificate... chain) {
        return server(new NamedEngine("www.example.com", "HTTPS", "TLSv1.3"), "UNKNOWN", chain);
    }

    /** @param keyExchange such as {@code ECDHE_RSA}, or {@code UNKNOWN} in TLS 1.3 */
    String server(NamedEngine engine, String keyExchange, X509Certificate... chain) {
        try {
            manager.checkServerTrusted(chain, keyExchange, engine);
            return "trusted";
        } catch (Exception e) {
            return refusal(e);
        }
    }

    /** As a server that wants a certificate of its client sees it. */
    String client(String keyType, X509Certificate... chain) {
        try {
            manager.checkClientTrusted(chain, keyType, new NamedEngine("client", null, "TLSv1.3"));
            return "trusted";
        } catch (Exception e) {
            return refusal(e);
        }
    }

    /** The classes of an exception and its causes, without texts. */
    static String refusal(Throwable thrown) {
        StringBuilder text = new StringBuilder("refused:");
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof IllegalArgumentException) {   // on purpose, as documented
                return text + (at == thrown ? " the argument is illegal" : ", the host is illegal");
            }
            text.append(at == thrown ? " " : " <- ").append(at.getClass().getSimpleName());
            if (at instanceof CertPathValidatorException) {
                text.append(' ').append(((CertPathValidatorException) at).getReason());
            }
        }
        return text.toString();
    }
}
