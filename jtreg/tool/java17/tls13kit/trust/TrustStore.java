// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.trust;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;

/**
 * How does a JDK without its own trust store get the certificates that the machine trusts?
 *
 * <p>It reads them in PEM and writes them to a JKS store. Its
 * password protects nothing, as a JKS store can be read without one.
 */
public final class TrustStore {
    private TrustStore() { }

    /** Reads PEM certificates from standard input; writes the store that {@code args[0]} names. */
    public static void main(String[] args) throws Exception {
        KeyStore store = KeyStore.getInstance("JKS");  // readable without a password, unlike PKCS12
        store.load(null, null);
        int number = 0;
        for (Certificate each
                : CertificateFactory.getInstance("X.509").generateCertificates(System.in)) {
            store.setCertificateEntry("machine-" + number++, each);
        }
        try (OutputStream out = Files.newOutputStream(Path.of(args[0]))) {
            store.store(out, "changeit".toCharArray());
        }
    }
}
