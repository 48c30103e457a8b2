// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary Which rows of the interoperability suite have the time to load a side's code?
 * @key selftest
 * @library /lib /interop/lib
 * @run main/othervm FirstRowLoadsItsCode
 */

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.LinkedHashMap;
import java.util.Map;

/** Uses a peer on a JDK that says that it is ready, and does nothing else. */
public class FirstRowLoadsItsCode {
    /** The first row of each peer, and of each API with a peer whose code is loaded. */
    public static void main(String[] args) throws Exception {
        Path home = Files.createTempDirectory(Paths.get("").toAbsolutePath(), "jdk");
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.write(java, "#!/bin/sh\necho ready\nexec cat\n".getBytes(StandardCharsets.US_ASCII));
        Check.that(java.toFile().setExecutable(true), "not executable: " + java);
        System.setProperty("interop.peer.jdk", home.toString());
        try (PeerProcess peer = new PeerProcess(home)) {
            loads(peer, true, "SSLSocket", "jsse");
            loads(peer, false, "SSLSocket", "jsse");
            loads(peer, true, "SSLSocket", "openssl");
            loads(peer, true, ClientSide.AZURE, "jsse");
            loads(peer, false, ClientSide.AZURE, "openssl");
        }
    }

    private static void loads(PeerProcess peer, boolean wanted, String api, String of) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(Row.API, api);
        values.put(Row.PEER, of);
        Row row = Row.of(values);
        Check.that(peer.loads(row) == wanted, row + (wanted ? " is" : " is not") + " a first one");
    }
}
