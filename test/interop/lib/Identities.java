// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * Who is each side, and whom does it trust? Reads what {@link Minter} has put in a folder as PEM,
 * which every JDK and every other stack can read.
 */
final class Identities {
    static final String AUTHORITY = "ca";

    private static final char[] IN_MEMORY_ONLY = "in memory only".toCharArray();

    private Identities() { }

    /** @param name of a key, such as {@code ec256} or {@code expired}; empty for none */
    static SSLContext context(Path folder, String name, Provider provider)
            throws GeneralSecurityException, IOException {
        SSLContext context = provider == null ? SSLContext.getInstance("TLS")
            : SSLContext.getInstance("TLS", provider);
        context.init(name.isEmpty() ? null : keys(folder, name), trust(folder, provider),
            null);
        return context;
    }

    /** The JDK's, which asks whether the other side's key, of that name, has been revoked. */
    static SSLContext askingContext(Path folder, String name, String othersName)
            throws GeneralSecurityException, IOException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(Revocation.parameters(folder, anchors(folder), othersName));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(name.isEmpty() ? null : keys(folder, name), trust.getTrustManagers(), null);
        return context;
    }

    /** The key of that name, for another library; null if the name is empty. */
    static KeyManager keyManager(Path folder, String name)
            throws GeneralSecurityException, IOException {
        return name.isEmpty() ? null : keys(folder, name)[0];
    }

    /** The authority that all sides trust, for another library. */
    static TrustManager trustManager(Path folder) throws GeneralSecurityException, IOException {
        return trust(folder, null)[0];
    }

    static Path certificate(Path folder, String name) {
        return folder.resolve(name + ".crt");
    }

    static Path key(Path folder, String name) {
        return folder.resolve(name + ".key");
    }

    /** The algorithm that KeyFactory has for keys of that name. */
    static String algorithm(String name) {
        return name.equals("rsapss") ? "RSASSA-PSS" : name.equals("ed25519") ? "Ed25519"
            : name.startsWith("ec") ? "EC" : "RSA";
    }

    private static KeyManager[] keys(Path folder, String name)
            throws GeneralSecurityException, IOException {
        PrivateKey key = KeyFactory.getInstance(algorithm(name))
            .generatePrivate(new PKCS8EncodedKeySpec(der(key(folder, name))));
        KeyStore store = emptyStore();
        store.setKeyEntry(name, key, IN_MEMORY_ONLY,
            certificates(certificate(folder, name)).toArray(new Certificate[0]));
        KeyManagerFactory keys =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, IN_MEMORY_ONLY);
        return keys.getKeyManagers();
    }

    private static TrustManager[] trust(Path folder, Provider provider)
            throws GeneralSecurityException, IOException {
        String algorithm = TrustManagerFactory.getDefaultAlgorithm();
        TrustManagerFactory trust = provider == null ? TrustManagerFactory.getInstance(algorithm)
            : TrustManagerFactory.getInstance(algorithm, provider);
        trust.init(anchors(folder));
        return trust.getTrustManagers();
    }

    private static KeyStore anchors(Path folder) throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        for (Certificate authority : certificates(certificate(folder, AUTHORITY))) {
            store.setCertificateEntry(AUTHORITY, authority);
        }
        return store;
    }

    private static Collection<? extends Certificate> certificates(Path pem)
            throws GeneralSecurityException, IOException {
        return CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(pem)));
    }

    private static byte[] der(Path pem) throws IOException {
        String text = new String(Files.readAllBytes(pem), StandardCharsets.US_ASCII);
        return Base64.getMimeDecoder().decode(text.replaceAll("-----[^-]*-----", ""));
    }

    /** JKS: PKCS12 derives a key for each entry, a quarter of the CPU time of all rows. */
    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        return store;
    }
}
