// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Security;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * Who is the peer, and whom does the client trust? One self-signed EC P-256 certificate for
 * localhost, 127.0.0.1 and ::1, valid from 2020 to 2099 and good for loopback tests only. Key and
 * certificate are kept as plain PKCS#8 and X.509, because older JDKs cannot read the PKCS#12 files
 * that newer keytools write.
 */
final class Identity {
    private static final String KEY =
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgzjgwd8Ow2YHDfFbE2R0tU2Ty"
        + "HR3IdqB+dKtYCp1xTluhRANCAAQy60yo56wgmKfv6LOork6hpPIPsZ82oErojkv1idmSb8Dp"
        + "Ba5f98YIZ+wPfKaCi8JylyyIB0K5VIlEaIYYXqgM";

    private static final String CERTIFICATE =
        "MIIBnTCCAUOgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwIBcN"
        + "MjAwMTAxMDAwMDAwWhgPMjA5OTEyMzEyMzU5NTlaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZ"
        + "MBMGByqGSM49AgEGCCqGSM49AwEHA0IABDLrTKjnrCCYp+/os6iuTqGk8g+xnzagSuiOS/WJ"
        + "2ZJvwOkFrl/3xghn7A98poKLwnKXLIgHQrlUiURohhheqAyjgYMwgYAwDAYDVR0TAQH/BAIw"
        + "ADAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUHAwEwLAYDVR0RBCUwI4IJbG9j"
        + "YWxob3N0hwR/AAABhxAAAAAAAAAAAAAAAAAAAAABMB0GA1UdDgQWBBSF12QG9iW6RRBjEFXt"
        + "cjk8S5yKyzAKBggqhkjOPQQDAgNIADBFAiA7sn0kZgfGsX6mHPSmdcECNybPn4IDqSXtJ3yD"
        + "PUiLVQIhALTruTlWrylErGHN99NhwGfZaZZWjMzxbHPkWyqT9e8F";

    private static final char[] IN_MEMORY_ONLY = "in memory only".toCharArray();

    private Identity() { }

    /** A context for the peer; its protocols are the JDK's defaults for servers. */
    static SSLContext serverContext() throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(serverKeys(), null, null);
        return context;
    }

    /** The peer's key and certificate, for a peer that makes its own context. */
    static KeyManager[] serverKeys() throws GeneralSecurityException, IOException {
        needEllipticCurves();
        PrivateKey key = KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(KEY)));
        return keys(key, certificate(CERTIFICATE));
    }

    /** @param chain of the key's certificate, its own first */
    static KeyManager[] keys(PrivateKey key, Certificate... chain)
            throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        store.setKeyEntry("peer", key, IN_MEMORY_ONLY, chain);
        KeyManagerFactory keys =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, IN_MEMORY_ONLY);
        return keys.getKeyManagers();
    }

    /**
     * A context for the client that trusts the peer's certificate and nothing else.
     *
     * @param algorithm {@code TLS} leaves the protocols at the JDK's default for clients;
     *     {@code TLSv1.2} allows no more than that version
     */
    static SSLContext clientContext(String algorithm)
            throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance(algorithm);
        context.init(null, clientTrust(), null);
        return context;
    }

    /** Trusts the peer's certificate and nothing else; for a client that makes its own context. */
    static TrustManager[] clientTrust() throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        store.setCertificateEntry("peer", certificate());
        return trust(store);
    }

    static TrustManager[] trust(KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory trust =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust.getTrustManagers();
    }

    /** Without the module jdk.crypto.ec an image of 9 to 21 can neither sign nor verify. */
    private static void needEllipticCurves() {
        if (Security.getProviders("KeyFactory.EC") == null) {
            throw new CaseEnd(Outcome.NOT_APPLICABLE,
                "The peer needs elliptic curves, and this runtime has none (jdk.crypto.ec).");
        }
    }

    /** The peer's certificate. */
    static Certificate certificate() throws GeneralSecurityException {
        needEllipticCurves();
        return certificate(CERTIFICATE);
    }

    static Certificate certificate(String base64) throws GeneralSecurityException {
        return CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(Base64.getDecoder().decode(base64)));
    }

    /** Of the old type: PKCS12, the default since 9, hashes a password 10,000 times for each key. */
    static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        return store;
    }
}
