// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0
package tls13kit.digest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordedEvent;

/** What could this recording see? Settings in force at its end, from jdk.ActiveSetting. */
final class Settings {
    private static final String SAMPLE = "jdk.ExecutionSample";
    private static final List<String> TOLD = List.of(
            "jdk.JavaMonitorEnter", "jdk.ThreadPark", "jdk.SocketRead", "jdk.SocketWrite",
            "jdk.ThreadSleep", "jdk.JavaMonitorWait", "jdk.ThreadDump", SAMPLE);
    private static final Pattern TIME = Pattern.compile("(\\d+)\\s*(ns|us|ms|s|m|h|d)");
    private static final Map<String, Double> MS = Map.of("ns", 1e-6, "us", 1e-3, "ms", 1.0,
            "s", 1e3, "m", 60e3, "h", 3600e3, "d", 86_400e3);

    private record Value(long atNs, String text) {}

    private final Map<Long, String> names = new HashMap<>();
    private final Map<Long, Map<String, Value>> values = new HashMap<>();

    Settings(List<EventType> types) {
        for (EventType type : types) {
            if (TOLD.contains(type.getName())) {
                names.put(type.getId(), type.getName());
            }
        }
    }

    void accept(RecordedEvent event) {
        long id = event.getLong("id");
        if (names.containsKey(id)) {
            Value value = new Value(Times.ns(event.getStartTime()), event.getString("value"));
            values.computeIfAbsent(id, same -> new HashMap<>()).merge(event.getString("name"),
                    value, (old, newer) -> newer.atNs >= old.atNs ? newer : old);
        }
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new TreeMap<>();
        values.forEach((id, named) -> json.put(names.get(id), Json.object(
                "enabled", Boolean.parseBoolean(text(named, "enabled")),
                "threshold_ms", milliseconds(text(named, "threshold")),
                "stack_trace", Boolean.parseBoolean(text(named, "stackTrace")),
                "period", text(named, "period"), "throttle", text(named, "throttle"))));
        return json;
    }

    /** The time between samples of threads, in ms; null if the recording does not have it. */
    Double samplePeriodMs() {
        return values.entrySet().stream().filter(one -> names.get(one.getKey()).equals(SAMPLE))
                .map(one -> milliseconds(text(one.getValue(), "period")))
                .filter(Objects::nonNull).findFirst().orElse(null);
    }

    private static String text(Map<String, Value> named, String name) {
        Value value = named.get(name);
        return value == null ? null : value.text();
    }

    private static Double milliseconds(String text) {
        Matcher time = TIME.matcher(text == null ? "" : text.strip());
        return time.matches() ? Long.parseLong(time.group(1)) * MS.get(time.group(2)) : null;
    }
}
