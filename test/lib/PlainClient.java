// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;

/**
 * How does an ordinary application send requests without TLS? Over HttpURLConnection, reading each
 * body to its end.
 */
final class PlainClient {
    private PlainClient() { }

    /** One request and its whole reply, as a {@link ScriptedPeer} sends it by default. */
    static Reply get(URL url) throws IOException {
        return finish(open(url));
    }

    /** Sends the request and reads the head of the reply; the connection stays in use. */
    static HttpURLConnection open(URL url) throws IOException {
        HttpURLConnection connection = prepare(url);
        int status = connection.getResponseCode();
        if (status != 200) {
            throw new IOException("the peer answered " + status);
        }
        return connection;
    }

    /** A request not yet sent, with timeouts of {@link Client#PATIENCE_MS}. */
    static HttpURLConnection prepare(URL url) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        connection.setConnectTimeout(Client.PATIENCE_MS);
        connection.setReadTimeout(Client.PATIENCE_MS);
        return connection;
    }

    /** Reads the body to its end, which hands the connection back to the cache. */
    static Reply finish(HttpURLConnection connection) throws IOException {
        final Reply reply = new Reply(connection);
        int bytes = drain(connection.getInputStream());
        if (bytes != Exchange.BODY_BYTES) {
            throw new IOException("the body had " + bytes + " bytes, not " + Exchange.BODY_BYTES);
        }
        return reply;
    }

    /** @return how many bytes came before the end */
    static int drain(InputStream body) throws IOException {
        byte[] buffer = new byte[1024];
        int total = 0;
        for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
            total += n;
        }
        return total;
    }

    /** {@code count} requests one after the other. */
    static List<Reply> getEach(URL url, int count) throws IOException {
        List<Reply> replies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            replies.add(get(url));
        }
        return replies;
    }

    /** Begins {@code count} replies before it finishes one, so each has its own connection. */
    static List<Reply> getAtOnce(URL url, int count) throws IOException {
        List<HttpURLConnection> begun = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            begun.add(open(url));
        }
        List<Reply> replies = new ArrayList<>();
        for (HttpURLConnection connection : begun) {
            replies.add(finish(connection));
        }
        return replies;
    }
}
