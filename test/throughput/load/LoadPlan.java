// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.net.MalformedURLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;

/** What is one sample to do? The properties of a sample, read and checked. */
final class LoadPlan {
    private static final long LONGEST_MS = 3_600_000;

    final String scenario;
    final String client;
    final String out;
    final boolean openLoop;
    final long ratePerSecond;
    final long warmUpMs;
    final long measureMs;
    /** Where this JVM gets its turns, as HOST:PORT; null if it measures in one go. */
    final String turns;
    /** Whether it rests between its turns, so that others may work. */
    final boolean pauses;
    /** Whether the hosts' costs are measured, and not those of this JVM, which then drives them. */
    final boolean costsOfHosts;
    final Map<String, LoadHost> hosts = new TreeMap<>();
    final List<LoadGroup> groups = new ArrayList<>();
    final Expectations expect;
    /** Settings of the driver of services. */
    final Values driver;

    /** @throws IllegalArgumentException if a property is missing or not accepted */
    LoadPlan(Properties given) throws MalformedURLException {
        Values values = new Values(given, "");
        scenario = values.text("scenario");
        client = values.text("client");
        out = values.text("out");
        openLoop = values.oneOf("pacing", "closed", "open").equals("open");
        ratePerSecond = openLoop ? values.number("rate_per_s", 1, Integer.MAX_VALUE) : 0;
        warmUpMs = values.number("warm_up_ms", 0, LONGEST_MS);
        measureMs = values.number("measure_ms", 1, LONGEST_MS);
        turns = values.text("turns", null);
        pauses = turns != null && values.flag("pauses", true);
        costsOfHosts = values.oneOf("costs_of", "load", "hosts").equals("hosts");
        for (String name : names(given, "host.")) {
            hosts.put(name, new LoadHost(name, values.under("host." + name + ".")));
        }
        for (String name : names(given, "group.")) {
            groups.add(new LoadGroup(name, values.under("group." + name + "."), hosts));
        }
        driver = values.under("driver.");
        expect = new Expectations(values.under("expect."), hosts.keySet());
        if (measuredThreads() == 0) {
            throw new IllegalArgumentException("no group is measured: set group.NAME.measured");
        }
    }

    int measuredThreads() {
        return groups.stream().filter(group -> group.measured)
            .mapToInt(group -> group.threads).sum();
    }

    /** Whether to count what single requests take: of a load that pauses, in HTTP/1.1. */
    boolean countsRequests() {
        return pauses && expect.alpn == null;
    }

    LoadGroup measuredGroup() {
        return groups.stream().filter(group -> group.measured).findFirst().get();
    }

    private static Iterable<String> names(Properties given, String prefix) {
        TreeSet<String> names = new TreeSet<>();
        for (String key : given.stringPropertyNames()) {
            if (key.startsWith(prefix)) {
                names.add(key.substring(prefix.length()).split("\\.")[0]);
            }
        }
        return names;
    }
}
