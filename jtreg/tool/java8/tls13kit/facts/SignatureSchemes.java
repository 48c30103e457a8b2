// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.facts;

import java.util.HashMap;
import java.util.Map;

/** What is a signature scheme's name? By number: IANA, "TLS SignatureScheme"; RFC 8446 4.2.3. */
final class SignatureSchemes {

    private static final Map<Integer, String> NAMES = new HashMap<>();

    static {
        NAMES.put(0x0201, "rsa_pkcs1_sha1");
        NAMES.put(0x0202, "dsa_sha1");
        NAMES.put(0x0203, "ecdsa_sha1");
        NAMES.put(0x0301, "rsa_sha224");
        NAMES.put(0x0302, "dsa_sha224");
        NAMES.put(0x0303, "ecdsa_sha224");
        NAMES.put(0x0401, "rsa_pkcs1_sha256");
        NAMES.put(0x0402, "dsa_sha256");
        NAMES.put(0x0403, "ecdsa_secp256r1_sha256");
        NAMES.put(0x0501, "rsa_pkcs1_sha384");
        NAMES.put(0x0503, "ecdsa_secp384r1_sha384");
        NAMES.put(0x0601, "rsa_pkcs1_sha512");
        NAMES.put(0x0603, "ecdsa_secp521r1_sha512");
        NAMES.put(0x0804, "rsa_pss_rsae_sha256");
        NAMES.put(0x0805, "rsa_pss_rsae_sha384");
        NAMES.put(0x0806, "rsa_pss_rsae_sha512");
        NAMES.put(0x0807, "ed25519");
        NAMES.put(0x0808, "ed448");
        NAMES.put(0x0809, "rsa_pss_pss_sha256");
        NAMES.put(0x080a, "rsa_pss_pss_sha384");
        NAMES.put(0x080b, "rsa_pss_pss_sha512");
        NAMES.put(0x0904, "mldsa44");
        NAMES.put(0x0905, "mldsa65");
        NAMES.put(0x0906, "mldsa87");
    }

    private SignatureSchemes() {
    }

    /** The name, or the number in hex where this table has none. */
    static String name(int number) {
        String name = NAMES.get(number);
        return name != null ? name : String.format("0x%04x", number);
    }
}
