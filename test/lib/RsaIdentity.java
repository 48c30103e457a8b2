// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * As {@link Identity}, with an RSA key of 2,048 bits: what most servers on the Internet have, and
 * the only choice if the runtime image has no elliptic curves.
 */
final class RsaIdentity {
    private static final String KEY =
        "MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQC4WkGQpJ5kxtxqX4+68RqdQarV"
        + "7WYWStQkNNk5Dgh53/VqdwA0XOyZ2EaRXMAEyoJBEOToeNFb0WfuprbptAordep/peg+fpyO4iHM"
        + "RVy8f8of5z5aC99EmQZNWbc6PA8f74Q2D9r3hsPgdlKYaph09zT6cz74TvHifBJC78EJpNkMcX5A"
        + "sWeHw6hh5V0qNVnbn25MRcuaQ7aKOcZV4XhI/fF94HjPlJFkxgNInBUmuREu2ihhE5vNKTPXr3JM"
        + "M9Q6al3TNgUKtyIlkM/qy0F0HDcnj5uzife9Zk9qn5XeY75i0TPlIxEvqy08wV0TWplyYvQqQytb"
        + "yTcV4RMGU3FRAgMBAAECggEADVaryhvnFqfpeHbb7uzqqI3WSa6TcDHPgfki7cUNVEgh49H4Eqcr"
        + "Oqxn2rT+cw+gogrnYnH6Gph0Wn5MhhdP6boZPU197XulYenhrnvRob/l74NV7cJQerr5tkIIsa7O"
        + "cgNB/9QLhf+wZNQa1iABp5Y1X+5TvuKeD22RDVp3OfZzF6gc5d9jH7/nxmTjHxp/p6vJTpb3ORUH"
        + "HQXjL5h5rzQJhcd8u4A3jmmrpiEV45YfHGBoKKX+Gjf5s0W2idCnHBgN8ZDH5c3cPpDe5A+FW/TC"
        + "nXxDDCYef506x7+pdzq1znCqcSCyi7gV7c8/Ri2Hm409+mR6QWjqNACFPAqkEwKBgQDsueJrasbw"
        + "XVvRaJt1ISzJVDVt3QrqT5SjlTI7fBpM6vb5V5tirVx3G8FSqdr9O811DHy7EKmrvIXHO/7oU7Ue"
        + "CwkE7c0lzDswgw8RMZkpla3blq3wvKwjvgmWqYvvIXnw7LhCWRkRc+pb02Czq7Xry/WXOnW0Ijfs"
        + "j4SWwczD/wKBgQDHXL4RGYwBZLXp1dP/KRPcatSw+LQehSE/RzdrBqRXYCE42r/vPHygt1tM9f6X"
        + "4HtwqlTncKLfQSRZ1YhvuOMmi/79J+IaZFDE60jqnCoEdippFeeM+qL7k2bZnaVjXgnlcRGwRzlx"
        + "1OUymErRuoZXA4A4mIi7SELOGyOPjk6KrwKBgQCllfjNDmmNpKAfQL7NFaGQSnj9GksSTww3yJrU"
        + "hSCYgRq0mxUz1vQA1MdLnUhzLiuvHkb5StSELmCdVlgeBr9//lQWwIhpUgxtCJ+3dSwfrHVqTmHp"
        + "LPB0J+/pFTuuz4nOfqb8sfoY/S4HgTn5M7kS8R4e5GOE1xKrRFCIa5Nh3QKBgBXK8Yv0+vT8CVay"
        + "ZSYzW1Rw6ScfSLE9ZFECe/BbHYPfokIQx4JjXkxDPtu+2EHJ7DR4qidSjLtS56JaUTvFPi9shkcu"
        + "IO05ogqknafnwkASmrg6CMHEdCSEDG4laXrfQL2wCnr2jjT/TL6nHyal+SFx5IZLRkcSsxrMpKqA"
        + "p91JAoGBAKnKEC1bxO2Z2ZERs9B/TH+UbaEuUAa1ypcYY9uxLeKciRI8IjCP1dmcWuURWR4B0zu/"
        + "iyxywatG0H1CHAkp++ySmfeTZokXsw1v51CqVtSZgCEjTtqXR37BJXbgfNx55ifIGkzBmUrnRE2h"
        + "vu2Sga6BLS+b9zWPM8CNhuerVdUp";

    private static final String CERTIFICATE =
        "MIIDCDCCAfCgAwIBAgIBAjANBgkqhkiG9w0BAQsFADAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwIBcN"
        + "MjAwMTAxMDAwMDAwWhgPMjA5OTEyMzEyMzU5NTlaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDCCASIw"
        + "DQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBALhaQZCknmTG3Gpfj7rxGp1BqtXtZhZK1CQ02TkO"
        + "CHnf9Wp3ADRc7JnYRpFcwATKgkEQ5Oh40VvRZ+6mtum0Cit16n+l6D5+nI7iIcxFXLx/yh/nPloL"
        + "30SZBk1Ztzo8Dx/vhDYP2veGw+B2UphqmHT3NPpzPvhO8eJ8EkLvwQmk2QxxfkCxZ4fDqGHlXSo1"
        + "WdufbkxFy5pDtoo5xlXheEj98X3geM+UkWTGA0icFSa5ES7aKGETm80pM9evckwz1DpqXdM2BQq3"
        + "IiWQz+rLQXQcNyePm7OJ971mT2qfld5jvmLRM+UjES+rLTzBXRNamXJi9CpDK1vJNxXhEwZTcVEC"
        + "AwEAAaNjMGEwDAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwEwYDVR0lBAwwCgYIKwYBBQUH"
        + "AwEwLAYDVR0RBCUwI4IJbG9jYWxob3N0hwR/AAABhxAAAAAAAAAAAAAAAAAAAAABMA0GCSqGSIb3"
        + "DQEBCwUAA4IBAQBtfevDwqo+j09DqoNbAEA2WMO/ZwhWt+YjyG0+kdMsIfrnCt8kd3MtOyl4Rprf"
        + "AgXlV+NuKN4nnurOndjzuTuCUTGgc90DTJ3jOAF3FMEOkOYKnXfK+uXZThPnF9xSOqr9SiZWaH7q"
        + "4DxhjCo0NzyaJvuDZIyJ+n/6ve2Lkr+QI9DOAoV1gobQbyCXCRek+g6HkfQRwkeIp4wmXlJM1Djp"
        + "O2s7OSk+qMiCATxlBwKcMYbsz4cBCfwz9z1ASyICsLDCsolsUd8IMtf8JbeZUZBjvqeKTGf2rFwD"
        + "oH+Vq0jUVoNbPuYHnRB5F0Ce2KSNRUfYZn2cR1/eozy0wpmkEUOw";

    private RsaIdentity() { }

    /** The server's key and certificate. */
    static KeyManager[] serverKeys() throws GeneralSecurityException, IOException {
        return Identity.keys(key(), certificate());
    }

    /** The key, for those who sign with it. */
    static PrivateKey key() throws GeneralSecurityException {
        return KeyFactory.getInstance("RSA")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(KEY)));
    }

    /** Trusts this certificate and {@link Identity}'s; a caller can see which one is shown. */
    static TrustManager[] clientTrust() throws GeneralSecurityException, IOException {
        KeyStore store = Identity.emptyStore();
        store.setCertificateEntry("rsa", certificate());
        for (Certificate other
                : ((X509TrustManager) Identity.clientTrust()[0]).getAcceptedIssuers()) {
            store.setCertificateEntry("ec", other);
        }
        return Identity.trust(store);
    }

    /** A context for the peer; its protocols are the JDK's defaults for servers. */
    static SSLContext serverContext() throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(serverKeys(), null, null);
        return context;
    }

    /** A context for the client that trusts the server's certificate and nothing else. */
    static SSLContext clientContext(String algorithm)
            throws GeneralSecurityException, IOException {
        KeyStore store = Identity.emptyStore();
        store.setCertificateEntry("rsa", certificate());
        SSLContext context = SSLContext.getInstance(algorithm);
        context.init(null, Identity.trust(store), null);
        return context;
    }

    static Certificate certificate() throws GeneralSecurityException {
        return Identity.certificate(CERTIFICATE);
    }
}
