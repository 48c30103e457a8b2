// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** What has a peer or relay counted? A reading of its control port, or computed from several. */
final class Counters {
    private static final int TIMEOUT_MS = 10_000;

    private final Map<String, Long> values = new TreeMap<>();

    private Counters() { }

    /**
     * Reads a control port to its end.
     *
     * @param who the peer or relay, as the message of a failure names it
     * @param control the control port, as HOST:PORT
     */
    static Counters read(String who, String control) throws IOException {
        int colon = control.lastIndexOf(':');
        Properties read = new Properties();
        try (Socket socket = new Socket(
                control.substring(0, colon), Integer.parseInt(control.substring(colon + 1)))) {
            socket.setSoTimeout(TIMEOUT_MS);
            read.load(socket.getInputStream());
            if (read.isEmpty()) {
                throw new EOFException("it has told nothing");
            }
        } catch (IOException e) {
            throw new IOException(who + " does not answer on " + control + ": " + e, e);
        }
        Counters counters = new Counters();
        for (String name : read.stringPropertyNames()) {
            counters.values.put(name, Long.valueOf(read.getProperty(name)));
        }
        return counters;
    }

    /** What was counted since an earlier reading. */
    Counters since(Counters earlier) {
        Counters difference = new Counters();
        values.forEach((name, value) -> difference.values.put(name,
            value - earlier.values.getOrDefault(name, 0L)));
        return difference;
    }

    Counters plus(Counters other) {
        Counters sum = new Counters();
        sum.values.putAll(values);
        other.values.forEach((name, value) -> sum.values.merge(name, value, Long::sum));
        return sum;
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    long get(String name) {
        return values.getOrDefault(name, 0L);
    }

    Map<String, Long> values() {
        return values;
    }
}
