// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.CacheRequest;
import java.net.CacheResponse;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.ResponseCache;
import java.net.URI;
import java.net.URLConnection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** When does HttpURLConnection ask an application's ResponseCache, and what is kept in it? */
final class Caches implements Topic {
    private static final int[] STATUSES = {200, 203, 206, 300, 301, 404, 410, 500};

    /** How a connection is used. */
    private interface Use {
        void of(HttpURLConnection connection) throws IOException;
    }

    /** Has one reply, or none, and writes down what is asked. */
    private static final class Kept extends ResponseCache {
        private final List<String> events = Collections.synchronizedList(new ArrayList<>());
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private final boolean hasReply;

        Kept(boolean hasReply) {
            this.hasReply = hasReply;
        }

        @Override
        public CacheResponse get(URI uri, String method, Map<String, List<String>> fields) {
            events.add("asked for " + method);
            return !hasReply ? null : new CacheResponse() {
                @Override
                public Map<String, List<String>> getHeaders() {
                    Map<String, List<String>> head = new HashMap<>();
                    head.put(null, Collections.singletonList("HTTP/1.1 200 Kept"));
                    return head;
                }

                @Override
                public InputStream getBody() {
                    return new ByteArrayInputStream(new byte[] {'k'});
                }
            };
        }

        @Override
        public CacheRequest put(URI uri, URLConnection connection) {
            events.add("given a reply");
            return new CacheRequest() {
                @Override
                public OutputStream getBody() {
                    return kept;
                }

                @Override
                public void abort() {
                    events.add("aborted");
                }
            };
        }
    }

    @Override
    public String name() {
        return "cache";
    }

    @Override
    public boolean isAlone() {
        return true;
    }

    @Override
    public void declare(TopicRows rows) {
        Use reads = connection -> { };
        row(rows, "hit", "has the reply", true, reads);
        row(rows, "miss", "has no reply", false, reads);
        row(rows, "unused", "has the reply, and setUseCaches(false)", true,
            connection -> connection.setUseCaches(false));
        row(rows, "post", "has no reply, and the request is a POST", false, connection -> {
            connection.setDoOutput(true);
            connection.getOutputStream().write('x');
        });
        row(rows, "if-modified", "has the reply, and setIfModifiedSince", true,
            connection -> connection.setIfModifiedSince(1_000_000_000));
        row(rows, "closed-early", "has no reply, and the body is closed before its end", false,
            connection -> connection.getInputStream().close());
        row(rows, "disconnected", "has no reply, and the connection is ended before the body is"
            + " read", false, connection -> {
                connection.getInputStream();
                connection.disconnect();
            });
        for (int status : STATUSES) {
            rows.row("cache.status-" + status, "HttpURLConnection: is a reply " + status
                + " given to the ResponseCache?", () -> seen(new Kept(false), "HTTP/1.1 " + status
                    + " S\r\nContent-Length: 2\r\n\r\nok", reads));
        }
    }

    private static void row(TopicRows rows, String id, String does, boolean hasReply, Use use) {
        rows.row("cache." + id, "HttpURLConnection: the ResponseCache " + does,
            () -> seen(new Kept(hasReply), Redirected.OK, use));
    }

    private static String seen(Kept cache, String reply, Use use) throws Exception {
        try (WirePeer peer = WirePeer.answering(reply)) {
            ResponseCache.setDefault(cache);
            String seen;
            try {
                HttpURLConnection connection =
                    (HttpURLConnection) peer.url("/x").openConnection(Proxy.NO_PROXY);
                use.of(connection);
                seen = read(connection);
            } finally {
                ResponseCache.setDefault(null);
            }
            return seen + "; " + cache.events + "; kept " + cache.kept.size() + " bytes; requests "
                + peer.requests().size();
        }
    }

    private static String read(HttpURLConnection connection) {
        try {
            int status = connection.getResponseCode();
            InputStream body = status < HttpURLConnection.HTTP_BAD_REQUEST
                ? connection.getInputStream() : connection.getErrorStream();
            int bytes = PlainClient.drain(body);
            return status + ", " + bytes + " bytes";
        } catch (IOException e) {
            return Failure.text(e);
        }
    }
}
