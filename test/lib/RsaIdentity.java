// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.SSLContext;

/**
 * Who is the peer where the runtime image has no elliptic curves? The same as {@link Identity},
 * with an RSA key of 2048 bits, valid from 2020 to 2099; the groups are then those of RFC 7919.
 */
final class RsaIdentity {
    private static final String KEY =
        "MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQDgum+VjLuzX668jGH10sSemZ8pPgaO"
        + "txZ+lut+UnVlBRgW/4fLtHWxky722U5z8WAzCxfWTqdZgo8HJfI4m9dUWFNjXanJOMXRWJcg7R/pgBxp"
        + "7RvHnamuOIGbHTXivggR9aNqns0xEd2yD0gnenpD3Z5NpT1Bv3+QsMqno//eXQTSfdpGiXVeW/W2Lw7X"
        + "XLwWS7VW3f9+zFkCOqMXBOjD2iHFEddza/kgxvfX1VXyFlxhHAkMyf1E21m+52UeMjYKkoRSZwTDvqy5"
        + "jd0EsqBMebkxmRBsR9F8X4yAZxFcXP7DcBTaAV03CBqCbBJQaOL6AihTSzv0mSLeZMCC+EeNAgMBAAEC"
        + "ggEACIlJwJ8YUyjfiOXL48v7hYBq3A9xLX3KvYjAjcDBQ6gqS9dYLRagANyJJGhz6Idi7YAZSfNHZpOa"
        + "bhL/gi3N7l7Y3gr6WScjq9R8ZcxevF541dTjS6q+EweDns+A0unVLHoi7g4gV7c+GgEmxGnMgqREsDOG"
        + "YedjB607fsYwljLqnfh35P+jGCuMY9VC32YDVWKji23+3wD9Mfbxe5oy3lC0EcmhmH5VX6ZLORlJ8Vzs"
        + "OFwCTb3fJbcCT+akPr9vHxnagqfRCegf0QUkw67oxB0YQ2iGNGPz3wWqCOdJ5piwBA0/6wbZK1VJP5qM"
        + "C3J/pWUDn2Dp6imDCJzi0td0KQKBgQDrJCjmdUPlE897HulRZYz9xzkoGn8wwPV38xYwH/RPR5cVbkTY"
        + "vPMcdiJYhtDmTF/e1v496eIe4ZO4RRBZxf1a2a/aTWWE5rzVPU61zLUEDJYC3lcFySRGmn7VLDzcnm6k"
        + "CO1e7gad2+rIyieMatlrDwnh0XV2lb8ShxZ3a+VkFQKBgQD0qc6PfORf6x64v/rLdOQkEyx5MWoLsn+/"
        + "okSzsfvSPZFcT8UqcHLTU9MBbrOEf6tF1W/UrJwkUvbeM22j5R+2FunZ5aRI87VeiUA6u32aSxiBTgJv"
        + "UmNrUIIB65dGQu5RMRHPIYDrOxX+DILGShPXmZfs7nWvHbIvui6B4hxbmQKBgF4CtP9+vshlpTxaXXoX"
        + "mckUz7tC7Ls3SmzMmYBgJjNUMgl1br0gvioQ6SZvsDGDM4lKd5eVXLxv/7lak3DxAZxDEFW9P+tkvPac"
        + "bk2tLGoUBh3bevtrMb+woSjlaOfjx+R5VT3w+GBAvpvMhwdS6N4uwwqvzcC9mgj0TX0tfCcJAoGALQHv"
        + "1cWL3XlLNYFbiYH/VgOQ8tp8P5qelYosSUI8qPhafTjPdHcrKGULNABBVeaGg1o4ME9wid4ZO9cKHFRR"
        + "+RVN/5+XETSD8Nge0K8c8/1MjLzlBcWKNHui7ud/9JTrclQsioYHST6dVRbIF+IYtFi08gkL7SLxXIZL"
        + "d+k4fkECgYAEzDoPib4A6E/whFii99vVAt8PvkLzz7x/ShMPwIB/5fDYXOlUHYSLltA/g9i1J6bZ4O8j"
        + "CZSA/wAU4F7jL5z2qnDR5ku7Cphy8C0l6jKBF4aOx0GKxk5hY3O0ExcNTG+q9JGmsHuv7qAp3fQ3TDSK"
        + "IHdVt0WVq/2B9jD0MMC64Q==";

    private static final String CERTIFICATE =
        "MIIC6TCCAdGgAwIBAgIIIIA+p747j9owDQYJKoZIhvcNAQELBQAwFDESMBAGA1UEAxMJbG9jYWxob3N0"
        + "MCAXDTIwMDEwMTAwMDAwMFoYDzIwOTkxMjEyMDAwMDAwWjAUMRIwEAYDVQQDEwlsb2NhbGhvc3QwggEi"
        + "MA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQDgum+VjLuzX668jGH10sSemZ8pPgaOtxZ+lut+UnVl"
        + "BRgW/4fLtHWxky722U5z8WAzCxfWTqdZgo8HJfI4m9dUWFNjXanJOMXRWJcg7R/pgBxp7RvHnamuOIGb"
        + "HTXivggR9aNqns0xEd2yD0gnenpD3Z5NpT1Bv3+QsMqno//eXQTSfdpGiXVeW/W2Lw7XXLwWS7VW3f9+"
        + "zFkCOqMXBOjD2iHFEddza/kgxvfX1VXyFlxhHAkMyf1E21m+52UeMjYKkoRSZwTDvqy5jd0EsqBMebkx"
        + "mRBsR9F8X4yAZxFcXP7DcBTaAV03CBqCbBJQaOL6AihTSzv0mSLeZMCC+EeNAgMBAAGjPTA7MB0GA1Ud"
        + "DgQWBBTeasIBtDIOfSn4lthTJVFNV8wbkjAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwDQYJKoZI"
        + "hvcNAQELBQADggEBAII93U/hvVr0b3bxzMscChaW+acYq9OKJWnqXWJ18s9zBhwdjmkvDurnGac2Bajs"
        + "YKrKsTYMzsc5fRRB+vCANMilErX3bayIhMQdknyiMYPKU9t62smZBEOLuPf8SE2pbjCFpPNN+04TJ7D9"
        + "EmiHHXeOx8KkUve7aab5dcv5gqr2KgiT1y1fe0nAmfwlNUX3L1DiCX2bJKI14uNL3xoCDlyqrdEjlfJQ"
        + "I+C/0IMH+BA3XdnN1+euJTa3R3V4FwX9/McCqNnCx2xzZ14PDlIkWSnvh6DNkUabVH1o4NKD5oGFCHEE"
        + "GCCF5afh+rcPpzarY8j9Vs5eTkyC/DVJCicibcs=";

    private RsaIdentity() { }

    /** A context for the peer; its protocols are the JDK's defaults for servers. */
    static SSLContext serverContext() throws GeneralSecurityException, IOException {
        PrivateKey key = KeyFactory.getInstance("RSA")
            .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(KEY)));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(Identity.keys(key, Identity.certificate(CERTIFICATE)), null, null);
        return context;
    }

    /** A context for the client that trusts that certificate and nothing else. */
    static SSLContext clientContext(String algorithm)
            throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance(algorithm);
        context.init(null, Identity.trust(Identity.certificate(CERTIFICATE)), null);
        return context;
    }
}
