// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.facts;

import java.util.HashMap;
import java.util.Map;

/** What is a named group's name? By number: IANA, "TLS Supported Groups". */
final class NamedGroups {

    private static final Map<Integer, String> NAMES = new HashMap<>();

    static {
        NAMES.put(0x0017, "secp256r1");
        NAMES.put(0x0018, "secp384r1");
        NAMES.put(0x0019, "secp521r1");
        NAMES.put(0x001d, "x25519");
        NAMES.put(0x001e, "x448");
        NAMES.put(0x0100, "ffdhe2048");
        NAMES.put(0x0101, "ffdhe3072");
        NAMES.put(0x0102, "ffdhe4096");
        NAMES.put(0x0103, "ffdhe6144");
        NAMES.put(0x0104, "ffdhe8192");
        NAMES.put(0x11eb, "SecP256r1MLKEM768");
        NAMES.put(0x11ec, "X25519MLKEM768");
        NAMES.put(0x11ed, "SecP384r1MLKEM1024");
    }

    private NamedGroups() {
    }

    /** The name, or the number in hex where this table has none. */
    static String name(int number) {
        String name = NAMES.get(number);
        return name != null ? name : String.format("0x%04x", number);
    }
}
