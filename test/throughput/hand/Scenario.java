// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** What does one scenario ask for, or one of its controls, in the words of a sample? */
final class Scenario {
    private final String name;
    private final Map<String, Object> parameters;

    /**
     * @param file as {@link ScenarioFile} reads it
     * @param control the name of a control, or null for the scenario itself
     * @throws IllegalArgumentException for names that are not in the file
     */
    Scenario(Map<String, Object> file, String scenario, String control) {
        name = control == null ? scenario : scenario + "/" + control;
        parameters = map(named(map(file.get("scenarios")), "scenario", scenario));
        if (control != null) {
            Object change = named(map(parameters.get("controls")), "control", control);
            map(map(change).get("set")).forEach(this::set);
        }
    }

    /** The hosts by name: {@code peer}, {@code rtt-ms}, {@code settings} and so on. */
    Map<String, Object> hosts() {
        return map(parameters.get("hosts"));
    }

    /** What the load JVM needs as system properties. */
    Map<String, Object> systemProperties() {
        return map(parameters.get("system-properties"));
    }

    /** All but where the hosts are. */
    Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("scenario", name);
        for (String key : new String[] {
            "pacing", "rate-per-s", "warm-up-ms", "measure-ms", "protocols"}) {
            put(properties, key, parameters.get(key));
        }
        map(parameters.get("groups")).forEach(
            (group, values) -> put(properties, "group." + group, values));
        Map<String, Object> expect = new LinkedHashMap<>(map(parameters.get("expect")));
        map(expect.remove("hosts")).forEach(
            (host, values) -> put(properties, "expect." + host, values));
        put(properties, "expect", expect);
        return properties;
    }

    private void set(String path, Object value) {
        List<String> keys = new ArrayList<>();
        Collections.addAll(keys, path.split("\\."));
        Map<String, Object> place = parameters;
        for (String key : keys.subList(0, keys.size() - 1)) {
            place = map(place.get(key));
        }
        place.put(keys.get(keys.size() - 1), value);
    }

    private static void put(Properties properties, String key, Object value) {
        if (value instanceof Map) {
            map(value).forEach((inner, rest) -> put(properties, key + "." + inner, rest));
        } else if (value instanceof List) {
            List<String> texts = new ArrayList<>();
            ((List<?>) value).forEach(text -> texts.add(text.toString()));
            properties.setProperty(key.replace('-', '_'), String.join(",", texts));
        } else if (value != null) {
            properties.setProperty(key.replace('-', '_'), value.toString());
        }
    }

    private static Object named(Map<String, Object> of, String what, String name) {
        if (!of.containsKey(name)) {
            throw new IllegalArgumentException(
                "no " + what + " " + name + ": give one of " + of.keySet());
        }
        return of.get(name);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return value == null ? Collections.emptyMap() : (Map<String, Object>) value;
    }
}
