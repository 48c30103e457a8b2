// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.facts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long does this JDK keep what it knows of a host's name, and does it keep it? From 9 on,
 * names are looked up in a file, which changes between two look-ups; no name server is asked.
 */
final class NameCache {

    private static final String FILE_PROPERTY = "jdk.net.hosts.file";
    private static final String KEPT = "kept";
    private static final String FORGOTTEN = "asked again";

    private NameCache() {
    }

    /**
     * Asks the policy, which is internal (9 and later need its package exported), then the cache.
     * To be called before anything else looks up a name.
     */
    static Map<String, String> read() throws ReflectiveOperationException, IOException {
        Map<String, String> settings = new LinkedHashMap<>();
        if (!System.getProperty("java.specification.version").startsWith("1.")) {
            behaviour(settings);
        }
        Class<?> policy = Class.forName("sun.net.InetAddressCachePolicy");
        settings.put("addresses, s", String.valueOf(policy.getMethod("get").invoke(null)));
        settings.put("failures, s", String.valueOf(policy.getMethod("getNegative").invoke(null)));
        return settings;
    }

    private static void behaviour(Map<String, String> settings) throws IOException {
        Path hosts = Files.createTempFile("hosts", null);
        try {
            System.setProperty(FILE_PROPERTY, hosts.toString());
            write(hosts, "192.0.2.1 here.test");
            String address = lookUp("here.test");
            String failure = lookUp("later.test");
            write(hosts, "192.0.2.2 here.test\n192.0.2.3 later.test");
            settings.put("an address", lookUp("here.test").equals(address) ? KEPT : FORGOTTEN);
            settings.put("a failure", lookUp("later.test").equals(failure) ? KEPT : FORGOTTEN);
        } finally {
            System.clearProperty(FILE_PROPERTY);
            Files.delete(hosts);
        }
    }

    private static String lookUp(String host) {
        try {
            return InetAddress.getByName(host).getHostAddress();
        } catch (UnknownHostException e) {
            return "none";
        }
    }

    private static void write(Path hosts, String lines) throws IOException {
        Files.write(hosts, (lines + "\n").getBytes(StandardCharsets.US_ASCII));
    }
}
