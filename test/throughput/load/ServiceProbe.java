// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.Arrays;
import java.util.Random;
import javax.net.ssl.HttpsURLConnection;

/**
 * Is a service what the scenario says? One exchange with each host before the load and one after:
 * the reply must be what was sent, and suite and kind of key must be the pinned ones. A JVM that
 * drives offers only the pinned group ({@code jdk.tls.namedGroups}), so no other can have been
 * negotiated; h2load reports the group.
 */
final class ServiceProbe {
    private static final int TIMEOUT_MS = 10_000;
    private static final int BODY_BYTES = 20_000;

    private final LoadPlan plan;
    private final LoadSettings settings;

    ServiceProbe(LoadPlan plan, LoadSettings settings) {
        this.plan = plan;
        this.settings = settings;
    }

    /** @throws VoidSample if anything differs; the message says what */
    void run() throws VoidSample {
        for (LoadHost host : plan.hosts.values()) {
            try {
                ask(host);
            } catch (IOException e) {
                throw new VoidSample("host " + host.name + " does not echo: " + e);
            }
        }
    }

    private void ask(LoadHost host) throws IOException, VoidSample {
        byte[] body = new byte[BODY_BYTES];
        new Random(BODY_BYTES).nextBytes(body);
        HttpURLConnection connection =
            (HttpURLConnection) new URL(host.url + "/echo").openConnection();
        connection.setReadTimeout(TIMEOUT_MS);
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(body.length);
        connection.setRequestProperty("Connection", "close");
        if (connection instanceof HttpsURLConnection) {
            ((HttpsURLConnection) connection)
                .setSSLSocketFactory(settings.sslContext().getSocketFactory());
        }
        try (OutputStream out = connection.getOutputStream()) {
            out.write(body);
        }
        if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
            throw new VoidSample(
                "host " + host.name + " answers with status " + connection.getResponseCode());
        }
        if (!Arrays.equals(body, read(connection.getInputStream()))) {
            throw new VoidSample("host " + host.name + " echoes other bytes than it was sent");
        }
        if (connection instanceof HttpsURLConnection) {
            check(host, (HttpsURLConnection) connection);
        }
    }

    private static byte[] read(InputStream in) throws IOException {
        byte[] read = new byte[BODY_BYTES + 1];
        int total = 0;
        for (int n = in.read(read); n > 0; n = in.read(read, total, read.length - total)) {
            total += n;
        }
        return Arrays.copyOf(read, total);
    }

    private void check(LoadHost host, HttpsURLConnection connection)
            throws IOException, VoidSample {
        same(host, "suite", plan.expect.suite, connection.getCipherSuite());
        same(host, "kind of key", plan.expect.key,
            connection.getServerCertificates()[0].getPublicKey().getAlgorithm());
    }

    private static void same(LoadHost host, String what, String wanted, String found)
            throws VoidSample {
        if (wanted != null && !wanted.equals(found)) {
            throw new VoidSample("host " + host.name + " has the " + what + " " + found + ", not "
                + wanted);
        }
    }
}
