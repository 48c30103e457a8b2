// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * Who is the peer of a row? {@link RsaIdentity}'s certificate, as long and with the same fields,
 * with the key {@link ManyPrimes}.
 */
final class RowsIdentity {
    private static final String ALGORITHM = "SHA256withRSA";

    private static PrivateKey key;
    private static X509Certificate certificate;

    private RowsIdentity() { }

    /** What JSSE signs with. */
    static synchronized PrivateKey key() throws GeneralSecurityException {
        if (key == null) {
            key = ManyPrimes.KEY.ofTwo();
        }
        return key;
    }

    static synchronized X509Certificate certificate() throws GeneralSecurityException {
        if (certificate == null) {
            X509Certificate like = (X509Certificate) RsaIdentity.certificate();
            byte[] body = text(like.getTBSCertificate())
                .replace(modulus(like.getPublicKey()), modulus(TrustCheck.publicKey()))
                .getBytes(StandardCharsets.ISO_8859_1);
            byte[] signature = CertificateDraft.sign(ALGORITHM, TrustCheck.key(), body);
            certificate = CertificateDraft.parse(Der.sequence(
                body, CertificateDraft.identifier(ALGORITHM), Der.bits(signature)));
        }
        return certificate;
    }

    private static String modulus(PublicKey key) {
        return text(((RSAPublicKey) key).getModulus().toByteArray());
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** The server's key and certificate. */
    static KeyManager[] keys() throws GeneralSecurityException, IOException {
        return Identity.keys(key(), certificate());
    }

    /** Trusts the server's certificate, and not the roots of this image. */
    static TrustManager[] trust() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        store.setCertificateEntry("rsa", certificate());
        return Identity.trust(store);
    }

    static SSLContext serverContext() throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance("TLS");
        // To trust nobody loads no roots.
        context.init(keys(), new TrustManager[0], null);
        return context;
    }

    static SSLContext clientContext() throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust(), null);
        return context;
    }
}
