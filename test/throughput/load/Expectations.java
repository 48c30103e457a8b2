// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What must a sample show for its figures to count? Pure: counters in, vetoes out. */
final class Expectations {
    private static final String MOST_NEW = "max_new_connections_per_1000_requests";
    private static final String LEAST_NEW = "min_new_connections_per_1000_requests";
    private static final String LEAST_FINS = "min_client_fins";
    private static final long NOT_GIVEN = -1;
    private static final int PER = 1000;

    /** The only suite, group, key type and ALPN protocol that are accepted; null: any. */
    final String suite;
    final String group;
    final String key;
    final String alpn;
    private final String protocol;
    private final Values values;
    private final Map<String, Values> byHost = new TreeMap<>();

    Expectations(Values values, Set<String> hosts) {
        this.values = values;
        protocol = values.text("protocol", null);
        suite = values.text("suite", null);
        group = values.text("group", null);
        key = values.text("key", null);
        alpn = values.text("alpn", null);
        values.oneOf("resumed", "any", "all", "none");
        for (String host : hosts) {
            byHost.put(host, values.under(host + "."));
        }
    }

    /**
     * @param handshakes what the hosts counted since the first request
     * @param window what the hosts counted in the window
     * @param requests completed in the window, by host
     * @param threads that send requests, by host: each may make one connection and keep it
     * @return a sentence for each expectation that was not met
     */
    List<String> vetoes(List<HostReading> handshakes, List<HostReading> window,
            Map<String, Long> requests, Map<String, Long> threads) {
        List<String> vetoes = new ArrayList<>();
        if (protocol != null) {
            handshakes.forEach(host -> checkProtocol(host, vetoes));
        }
        for (HostReading host : window) {
            checkResumption(host, vetoes);
            checkReuse(host, requests.getOrDefault(host.host.name, 0L),
                threads.getOrDefault(host.host.name, 0L), vetoes);
            checkCloses(host, vetoes);
        }
        return vetoes;
    }

    private void checkProtocol(HostReading host, List<String> vetoes) {
        TreeSet<String> seen = host.seen("protocol.");
        if (seen.isEmpty()) {
            vetoes.add("Nothing tells which protocol was negotiated with host "
                + host.host.name + ".");
        } else if (seen.size() > 1 || !seen.contains(protocol)) {
            vetoes.add("Host " + host.host.name + " negotiated " + String.join(", ", seen)
                + ", not " + protocol + " alone.");
        }
    }

    private void checkResumption(HostReading host, List<String> vetoes) {
        String expected = either(host, "resumed", "any");
        if (expected.equals("any")) {
            return;
        }
        if (!host.knows("handshakes.full") || !host.knows("handshakes.resumed")) {
            vetoes.add("Nothing tells whether the handshakes with host " + host.host.name
                + " resumed.");
            return;
        }
        long full = host.get("handshakes.full");
        long resumed = host.get("handshakes.resumed");
        long wrong = expected.equals("all") ? full : resumed;
        if (wrong > 0 || full + resumed == 0) {
            vetoes.add("Of the handshakes with host " + host.host.name + " " + expected
                + " had to resume: " + resumed + " did, " + full + " were full.");
        }
    }

    private void checkReuse(HostReading host, long requests, long threads,
            List<String> vetoes) {
        long made = host.get("connections");
        long most = Long.parseLong(either(host, MOST_NEW, String.valueOf(NOT_GIVEN)));
        long least = Long.parseLong(either(host, LEAST_NEW, String.valueOf(NOT_GIVEN)));
        String fact = "Host " + host.host.name + " had " + made + " new connections for "
            + requests + " requests of " + threads + " threads, and ";
        if (most != NOT_GIVEN && (made - threads) * PER > most * requests) {
            vetoes.add(fact + most + " for 1000 are the most that is allowed: reuse failed.");
        }
        if (least != NOT_GIVEN && made * PER < least * requests) {
            vetoes.add(fact + least + " for 1000 are the least that is needed: too much reuse.");
        }
    }

    private void checkCloses(HostReading host, List<String> vetoes) {
        long least = Long.parseLong(either(host, LEAST_FINS, "0"));
        long closed = host.get("client_fins");
        if (closed < least) {
            vetoes.add("The client closed " + closed + " connections to host " + host.host.name
                + " in the window, and " + least + " are the least that is needed.");
        }
    }

    private String either(HostReading host, String key, String otherwise) {
        return byHost.get(host.host.name).text(key, values.text(key, otherwise));
    }
}
