// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;

/**
 * Does the peer answer, and is it as fast as it will be? It sends itself requests for some time. A
 * peer that is still being compiled halves the rate of whichever build meets it first.
 */
final class PeerWarmUp {
    private static final int THREADS = 4;

    // One in this many requests ends its connection, so that handshakes are compiled too.
    private static final int REQUESTS_A_CONNECTION = 8;

    private PeerWarmUp() { }

    /**
     * @param ms how long; each thread makes at least one request
     * @throws IOException if a request fails
     */
    static void run(int port, long ms)
            throws IOException, GeneralSecurityException, InterruptedException {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
        URL url = new URL("https", "127.0.0.1", port, "/body?bytes=100");
        SSLSocketFactory factory = Identity.clientContext("TLS").getSocketFactory();
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            FutureTask<Void> task = new FutureTask<>(() -> loop(url, factory, endNanos));
            TlsPeer.daemon("warm-up", task).start();
            tasks.add(task);
        }
        for (FutureTask<Void> task : tasks) {
            try {
                task.get();
            } catch (ExecutionException e) {
                throw new IOException("the peer does not answer itself: " + e.getCause(), e);
            }
        }
    }

    private static Void loop(URL url, SSLSocketFactory factory, long endNanos)
            throws IOException {
        int count = 0;
        do {
            ask(url, factory, ++count % REQUESTS_A_CONNECTION == 0);
        } while (System.nanoTime() - endNanos < 0);
        return null;
    }

    private static void ask(URL url, SSLSocketFactory factory, boolean close)
            throws IOException {
        HttpsURLConnection connection = (HttpsURLConnection) url.openConnection();
        connection.setSSLSocketFactory(factory);
        if (close) {
            connection.setRequestProperty("Connection", "close");
        }
        if (connection.getResponseCode() != HttpsURLConnection.HTTP_OK) {
            throw new IOException("status " + connection.getResponseCode());
        }
        try (InputStream body = connection.getInputStream()) {
            while (body.read() >= 0) { }
        }
    }
}
