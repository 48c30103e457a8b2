// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * How is a scenario run by hand? Peers and relays run in child processes, the load in this JVM.
 * Prints the sample, and fails if it is void or vetoed. Judges no speed: that takes two builds.
 */
final class ByHand {
    private ByHand() { }

    /**
     * Takes one sample, with HttpsURLConnection and a bare peer.
     *
     * @param args those of main: none, or the name of a control
     * @throws AssertionError if the sample does not count
     */
    static void run(String scenarioName, String[] args) throws Exception {
        Path sources = Paths.get(System.getProperty("test.src", "test/throughput"));
        Scenario scenario = new Scenario(sources.resolve("hand/scenarios.properties"),
            scenarioName, args.length == 0 ? null : args[0]);
        scenario.under("system.").forEach(System::setProperty);
        List<Child> children = new ArrayList<>();
        try {
            Properties properties = scenario.properties;
            properties.setProperty("out", new File("").getAbsolutePath());
            for (String host : properties.getProperty("hosts").split(",")) {
                start("host." + host, scenario, children);
            }
            load(properties);
        } finally {
            for (Child child : children) {
                child.close();
            }
        }
    }

    private static void start(String host, Scenario scenario, List<Child> children)
            throws IOException {
        Child peer = new Child(BarePeer.class.getName(), scenario.under(host + ".peer."));
        children.add(peer);
        Map<String, String> line = scenario.under(host + ".relay.");
        Properties properties = scenario.properties;
        properties.setProperty(host + ".peer_control", "127.0.0.1:" + peer.control);
        int port = peer.port;
        if (!line.isEmpty()) {
            line.put("target", "127.0.0.1:" + peer.port);
            Child relay = new Child(RelayProcess.class.getName(), line);
            children.add(relay);
            properties.setProperty(host + ".relay_control", "127.0.0.1:" + relay.control);
            port = relay.port;
        }
        properties.setProperty(host + ".url", "https://127.0.0.1:" + port);
    }

    private static void load(Properties properties) throws Exception {
        try (OutputStream out = new FileOutputStream("SAMPLE.properties")) {
            properties.store(out, null);
        }
        int exitCode = Load.run("SAMPLE.properties");
        String sample = exitCode == Load.BAD_ARGUMENTS ? "no sample" : new String(
            Files.readAllBytes(Paths.get("sample.json")), StandardCharsets.UTF_8);
        System.out.println(sample);
        if (exitCode != 0 || !sample.contains("\"vetoes\": []")) {
            throw new AssertionError("the sample does not count: see void or vetoes above");
        }
    }
}
