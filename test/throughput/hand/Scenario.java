// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;

/** What does a scenario, or one of its controls, ask for, as properties of a sample? */
final class Scenario {
    /** All except where the hosts are. */
    final Properties properties = new Properties();

    /**
     * @param file {@code scenarios.properties}
     * @param control the name of a control, or null for the scenario itself
     * @throws IllegalArgumentException for names that are not in the file
     */
    Scenario(Path file, String scenario, String control) throws IOException {
        Properties all = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            all.load(in);
        }
        String name = control == null ? scenario : scenario + "/" + control;
        for (String part : new String[] {scenario, name}) {
            if (!all.containsKey(part)) {
                String accepted = control == null ? "" : scenario + "/";
                all.keySet().removeIf(key -> !key.toString().startsWith(accepted));
                throw new IllegalArgumentException(
                    "no scenario " + part + ": give one of " + new TreeSet<>(all.keySet()));
            }
            properties.load(new StringReader(all.getProperty(part).replace(' ', '\n')));
        }
        properties.setProperty("scenario", name);
    }

    /** The properties under a prefix, by the rest of the key. */
    Map<String, String> under(String prefix) {
        Map<String, String> under = new TreeMap<>();
        for (String key : properties.stringPropertyNames()) {
            if (key.startsWith(prefix)) {
                under.put(key.substring(prefix.length()), properties.getProperty(key));
            }
        }
        return under;
    }
}
