// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.conformance;

import de.rub.nds.x509attacker.constants.X509NamedCurve;
import de.rub.nds.x509attacker.context.X509Context;
import de.rub.nds.x509attacker.filesystem.CertificateBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * An EC key and its certificates, as TLS-Attacker wants them. Of RSA it drops a signature's leading
 * zeros (6.3.4), so one handshake in 256 would fail.
 */
final class Identity {
    private final ECPrivateKey key;
    private final List<CertificateBytes> chain;

    private Identity(ECPrivateKey key, List<CertificateBytes> chain) {
        this.key = key;
        this.chain = chain;
    }

    static Identity of(Path folder) throws IOException, GeneralSecurityException {
        String pem = Files.readString(folder.resolve("ec256.key"), StandardCharsets.US_ASCII);
        byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]*-----", ""));
        ECPrivateKey key = (ECPrivateKey) KeyFactory.getInstance("EC")
            .generatePrivate(new PKCS8EncodedKeySpec(der));
        List<CertificateBytes> chain = new ArrayList<>();
        try (InputStream in = Files.newInputStream(folder.resolve("ec256.crt"))) {
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                chain.add(new CertificateBytes(one.getEncoded()));
            }
        }
        return new Identity(key, chain);
    }

    List<CertificateBytes> chain() {
        return chain;
    }

    void giveTo(X509Context context) {
        context.setSubjectNamedCurve(X509NamedCurve.SECP256R1);
        context.setSubjectEcPrivateKey(key.getS());
    }
}
