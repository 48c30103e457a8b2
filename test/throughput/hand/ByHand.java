// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.File;
import java.io.FileOutputStream;
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
 * How is a scenario run by hand? Peers and relays in child processes, the load in this JVM; prints
 * the sample and fails if it is void or vetoed. It judges no speed: that takes two builds.
 */
final class ByHand {
    private static final String[] RELAY_KEYS = {"rtt-ms", "late-fin-ms", "bandwidth-bytes-per-s"};

    private ByHand() { }

    /**
     * Takes one sample, with HttpsURLConnection and a bare peer.
     *
     * @param args of main: none, or the name of a control
     * @throws AssertionError if the sample does not count
     */
    static void run(String scenarioName, String[] args) throws Exception {
        Path sources = Paths.get(System.getProperty("test.src", "test/throughput"));
        Scenario scenario = new Scenario(ScenarioFile.read(sources.resolve("scenarios.yaml")),
            scenarioName, args.length == 0 ? null : args[0]);
        scenario.systemProperties().forEach(
            (name, value) -> System.setProperty(name, value.toString()));
        List<Child> children = new ArrayList<>();
        try {
            Properties properties = scenario.properties();
            properties.setProperty("client", HttpsUrlConnectionClient.class.getName());
            properties.setProperty("out", new File("").getAbsolutePath());
            for (Map.Entry<String, Object> host : scenario.hosts().entrySet()) {
                start(host.getKey(), (Map<?, ?>) host.getValue(), properties, children);
            }
            load(properties);
        } finally {
            for (Child child : children) {
                child.close();
            }
        }
    }

    private static void start(String name, Map<?, ?> host, Properties properties,
            List<Child> children) throws Exception {
        List<String> settings = new ArrayList<>();
        if (host.containsKey("settings")) {
            ((Map<?, ?>) host.get("settings")).forEach(
                (key, value) -> settings.add(key + "=" + value));
        }
        Child peer = new Child(BarePeer.class.getName(), settings);
        children.add(peer);
        properties.setProperty("host." + name + ".peer_control", "127.0.0.1:" + peer.control);
        int port = peer.port;
        if (host.containsKey("relay")) {
            List<String> line = new ArrayList<>();
            line.add("target=127.0.0.1:" + peer.port);
            for (String key : RELAY_KEYS) {
                if (host.containsKey(key)) {
                    line.add(key.replace('-', '_') + "=" + host.get(key));
                }
            }
            Child relay = new Child(RelayProcess.class.getName(), line);
            children.add(relay);
            properties.setProperty(
                "host." + name + ".relay_control", "127.0.0.1:" + relay.control);
            port = relay.port;
        }
        properties.setProperty("host." + name + ".url", "https://127.0.0.1:" + port);
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
