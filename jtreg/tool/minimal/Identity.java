// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** A self-signed EC P-256 certificate for localhost and 127.0.0.1, valid from 2020 to 2099. */
final class Identity {
    private static final String KEY =
        "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgzjgwd8Ow2YHDfFbE2R0tU2TyHR3IdqB+dKtYCp1x"
        + "TluhRANCAAQy60yo56wgmKfv6LOork6hpPIPsZ82oErojkv1idmSb8DpBa5f98YIZ+wPfKaCi8JylyyIB0K5"
        + "VIlEaIYYXqgM";
    private static final String CERTIFICATE =
        "MIIBnTCCAUOgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwIBcNMjAwMTAxMDAwMDAw"
        + "WhgPMjA5OTEyMzEyMzU5NTlaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEH"
        + "A0IABDLrTKjnrCCYp+/os6iuTqGk8g+xnzagSuiOS/WJ2ZJvwOkFrl/3xghn7A98poKLwnKXLIgHQrlUiURo"
        + "hhheqAyjgYMwgYAwDAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUHAwEw"
        + "LAYDVR0RBCUwI4IJbG9jYWxob3N0hwR/AAABhxAAAAAAAAAAAAAAAAAAAAABMB0GA1UdDgQWBBSF12QG9iW6"
        + "RRBjEFXtcjk8S5yKyzAKBggqhkjOPQQDAgNIADBFAiA7sn0kZgfGsX6mHPSmdcECNybPn4IDqSXtJ3yDPUiL"
        + "VQIhALTruTlWrylErGHN99NhwGfZaZZWjMzxbHPkWyqT9e8F";

    private Identity() { }

    static SSLContext serverContext() throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(serverKeys(), null, null);
        return context;
    }

    static SSLContext clientContext(String algorithm)
            throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance(algorithm);
        context.init(null, clientTrust(), null);
        return context;
    }

    static KeyManager[] serverKeys() throws GeneralSecurityException, IOException {
        PrivateKey key = KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(KEY)));
        return keys(key, certificate());
    }

    static KeyManager[] keys(PrivateKey key, Certificate certificate)
            throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        store.setKeyEntry("peer", key, new char[1], new Certificate[] {certificate});
        KeyManagerFactory keys =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[1]);
        return keys.getKeyManagers();
    }

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

    static Certificate certificate() throws GeneralSecurityException {
        return certificate(CERTIFICATE);
    }

    static Certificate certificate(String base64) throws GeneralSecurityException {
        return CertificateFactory.getInstance("X.509").generateCertificate(
            new ByteArrayInputStream(Base64.getDecoder().decode(base64)));
    }

    static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        return store;
    }
}
