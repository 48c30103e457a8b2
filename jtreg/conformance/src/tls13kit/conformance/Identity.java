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
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A key and its certificates, as TLS-Attacker needs them. TLS-Attacker 6.3.4 drops the leading
 * zeros of an RSA signature, so one handshake in 256 fails in another way than it should.
 */
final class Identity {
    private final PrivateKey key;
    private final List<CertificateBytes> chain;

    private Identity(PrivateKey key, List<CertificateBytes> chain) {
        this.key = key;
        this.chain = chain;
    }

    static Identity ofEc(Path folder) throws IOException, GeneralSecurityException {
        return of(folder, "ec256", "EC");
    }

    static Identity ofRsa(Path folder) throws IOException, GeneralSecurityException {
        return of(folder, "rsa", "RSA");
    }

    private static Identity of(Path folder, String name, String algorithm)
            throws IOException, GeneralSecurityException {
        String pem = Files.readString(folder.resolve(name + ".key"), StandardCharsets.US_ASCII);
        byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]*-----", ""));
        PrivateKey key =
            KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
        List<CertificateBytes> chain = new ArrayList<>();
        try (InputStream in = Files.newInputStream(folder.resolve(name + ".crt"))) {
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
        if (key instanceof RSAPrivateKey) {
            RSAPrivateKey rsa = (RSAPrivateKey) key;
            context.setSubjectRsaModulus(rsa.getModulus());
            context.setSubjectRsaPrivateKey(rsa.getPrivateExponent());
        } else {
            context.setSubjectNamedCurve(X509NamedCurve.SECP256R1);
            context.setSubjectEcPrivateKey(((ECPrivateKey) key).getS());
        }
    }
}
