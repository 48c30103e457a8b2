// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;

/**
 * How does an ordinary application send requests? Over HttpsURLConnection, with a read timeout,
 * reading each body to its end. All requests share one SSLSocketFactory: it is part of the cache's
 * key, so with a new one for each request no connection would ever be reused.
 */
final class Client {
    /** Read timeout in ms of requests that only set things up: they must work on a busy machine. */
    static final int PATIENCE_MS = 20_000;

    private final SSLSocketFactory factory;

    Client(SSLContext context) {
        factory = context.getSocketFactory();
    }

    SSLSocketFactory factory() {
        return factory;
    }

    /**
     * One request and its whole reply.
     *
     * @param readTimeoutMs as for setReadTimeout: 0 means none
     */
    Reply get(URL url, int readTimeoutMs) throws IOException {
        return finish(open(url, readTimeoutMs));
    }

    /** Sends the request and reads the head of the reply; the connection stays in use. */
    HttpsURLConnection open(URL url, int readTimeoutMs) throws IOException {
        HttpsURLConnection connection = (HttpsURLConnection) url.openConnection();
        connection.setSSLSocketFactory(factory);
        connection.setConnectTimeout(PATIENCE_MS);
        connection.setReadTimeout(readTimeoutMs);
        int status = connection.getResponseCode();
        if (status != 200) {
            throw new IOException("the peer answered " + status);
        }
        return connection;
    }

    /**
     * Reads the body to its end, which hands the connection back to the cache. The stream is not
     * closed: otherwise a later disconnect() would find nothing to do.
     */
    Reply finish(HttpsURLConnection connection) throws IOException {
        final Reply reply = new Reply(connection);
        InputStream body = connection.getInputStream();
        byte[] buffer = new byte[1024];
        int total = 0;
        for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
            total += n;
        }
        if (total != TlsPeer.BODY_BYTES) {
            throw new IOException("the body had " + total + " bytes, not " + TlsPeer.BODY_BYTES);
        }
        return reply;
    }

    /**
     * Leaves {@code count} idle connections to one host in the cache.
     *
     * @return the replies; those of a second call show that it reused the first call's connections
     */
    List<Reply> fillCache(URL url, int count, int readTimeoutMs) throws IOException {
        return finishAll(openAll(url, count, readTimeoutMs));
    }

    /** Begins {@code count} replies and finishes none, so each needs a connection of its own. */
    List<HttpsURLConnection> openAll(URL url, int count, int readTimeoutMs) throws IOException {
        List<HttpsURLConnection> begun = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            begun.add(open(url, readTimeoutMs));
        }
        return begun;
    }

    List<Reply> finishAll(List<HttpsURLConnection> begun) throws IOException {
        List<Reply> replies = new ArrayList<>();
        for (HttpsURLConnection connection : begun) {
            replies.add(finish(connection));
        }
        return replies;
    }
}
