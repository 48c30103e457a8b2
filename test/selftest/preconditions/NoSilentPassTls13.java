// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary A reproducer of tls13/ whose preconditions are not met never passes
 * @key selftest
 * @library /lib /tls13
 * @build *
 * @run main/othervm/timeout=600 NoSilentPassTls13
 */

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;

public class NoSilentPassTls13 {
    public static void main(String[] args) throws Exception {
        // For -Djava.security.properties: a provider with ciphers and no digests in the place of
        // one that must have digests. JDK 8 takes only a class name; later ones take it, too.
        Files.write(Paths.get("order.security"),
            "security.provider.1=com.sun.crypto.provider.SunJCE\n"
                .getBytes(StandardCharsets.ISO_8859_1));
        ChildJvm.checkAll(Preconditions.claims("tls13"));
    }
}
