// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.URL;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;

/** Is what an application sets for HttpURLConnection obeyed? */
final class Settings implements Topic {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    /** The address of loopback for which no certificate is. */
    private static final String OTHER_HOST = "127.0.0.2";
    private static final int WITHIN_MS = 15_000;
    private static final int TIMEOUT_MS = 300;

    @Override
    public String name() {
        return "setting";
    }

    @Override
    public void declare(TopicRows rows) {
        rows.row("setting.url.if-modified-since", "HttpURLConnection: setIfModifiedSince", () -> {
            try (WirePeer peer = WirePeer.answering(OK)) {
                HttpURLConnection connection = open(peer.url("/x"));
                connection.setIfModifiedSince(TimeUnit.DAYS.toMillis(365));
                return connection.getResponseCode() + "; " + peer.seen();
            }
        });
        rows.row("setting.url.follow-no", "HttpURLConnection: it must not follow a 302", () -> {
            try (WirePeer peer = WirePeer.answering("HTTP/1.1 302 Found\r\nLocation: /b\r\n"
                    + "Content-Length: 0\r\n\r\n", OK)) {
                HttpURLConnection connection = open(peer.url("/x"));
                connection.setInstanceFollowRedirects(false);
                return connection.getResponseCode() + "; requests " + peer.requests().size();
            }
        });
        rows.row("setting.url.short-body", "HttpURLConnection: a body of 3 bytes, where the length"
            + " is set to 5", () -> body(3));
        for (boolean accepts : new boolean[] {true, false}) {
            rows.row("setting.url.verifier-" + (accepts ? "accepts" : "refuses"),
                "HttpsURLConnection: the application's HostnameVerifier is asked of another host",
                () -> verified(accepts)).within(WITHIN_MS);
        }
        rows.row("setting.url.handshake-timeout", "HttpsURLConnection: a read time-out of "
            + TIMEOUT_MS + " ms, and a server that does not answer the hello", Settings::silent);
        for (int bytes : new int[] {0, 100, 5_000}) {
            rows.row("setting.url.chunks-of-" + bytes, "HttpURLConnection: setChunkedStreamingMode("
                + bytes + "), a body of 10,000 bytes in two pieces", () -> chunked(bytes));
        }
        for (boolean keeps : new boolean[] {true, false}) {
            rows.row("setting.url.caches-" + keeps, "HttpURLConnection: setUseCaches(" + keeps + ")",
                () -> {
                    try (WirePeer peer = WirePeer.answering(OK)) {
                        HttpURLConnection connection = open(peer.url("/x"));
                        connection.setUseCaches(keeps);
                        int status = connection.getResponseCode();
                        WireRequest request = peer.requests().get(0);
                        return status + "; Cache-Control '" + request.field("Cache-Control")
                            + "', Pragma '" + request.field("Pragma") + "'";
                    }
                });
        }
        rows.row("setting.url.long-body", "HttpURLConnection: a body of 7 bytes, where the length is"
            + " set to 5", () -> body(7));
        rows.row("setting.url.reuse-tls", "HttpsURLConnection: two requests to a host", () -> {
            try (TlsWire peer = new TlsWire("127.0.0.1", OK)) {
                SSLSocketFactory factory = RowsIdentity.clientContext().getSocketFactory();
                int bytes = 0;
                for (String path : new String[] {"/a", "/b"}) {
                    bytes += PlainClient.drain(openTls(peer.url(path), factory).getInputStream());
                }
                return bytes + " bytes; connections " + peer.connections();
            }
        }).within(WITHIN_MS);
    }

    private static HttpURLConnection open(URL url) throws IOException {
        return (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
    }

    static HttpsURLConnection openTls(URL url) throws Exception {
        return openTls(url, RowsIdentity.clientContext().getSocketFactory());
    }

    static HttpsURLConnection openTls(URL url, SSLSocketFactory factory)
            throws IOException {
        HttpsURLConnection connection = (HttpsURLConnection) open(url);
        connection.setSSLSocketFactory(factory);
        return connection;
    }

    private static String silent() throws Exception {
        try (ServerSocket server = new ServerSocket(0, Listener.BACKLOG, TlsPeer.loopback())) {
            HttpsURLConnection connection =
                openTls(new URL("https", "127.0.0.1", server.getLocalPort(), "/x"));
            connection.setReadTimeout(TIMEOUT_MS);
            return String.valueOf(connection.getResponseCode());
        }
    }

    private static String chunked(int bytes) throws IOException {
        try (WirePeer peer = WirePeer.answering(OK)) {
            HttpURLConnection connection = open(peer.url("/x"));
            connection.setDoOutput(true);
            connection.setChunkedStreamingMode(bytes);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(new byte[7_000]);
                out.write(new byte[3_000]);
            }
            int status = connection.getResponseCode();
            String[] sizes = peer.requests().get(0).body.replace("\0", "").trim().split("\\s+");
            return status + "; " + sizes.length + " chunks, the first of " + sizes[0];
        }
    }

    private static String body(int bytes) throws IOException {
        try (WirePeer peer = WirePeer.answering(OK)) {
            HttpURLConnection connection = open(peer.url("/x"));
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(5);
            try {
                OutputStream out = connection.getOutputStream();
                out.write(new byte[bytes]);
                out.close();
                return "closed without a word";
            } catch (IOException e) {
                return Failure.text(e);
            } finally {
                connection.disconnect();
            }
        }
    }

    private static String verified(boolean accepts) throws Exception {
        try (TlsWire peer = new TlsWire(OTHER_HOST, OK)) {
            HttpsURLConnection connection = openTls(peer.url("/x"));
            StringBuilder asked = new StringBuilder();
            connection.setHostnameVerifier((host, session) -> {
                asked.append("; asked of ").append(host);
                return accepts;
            });
            String seen;
            try {
                seen = String.valueOf(connection.getResponseCode());
            } catch (IOException e) {
                seen = Failure.text(e);
            }
            return seen + asked;
        }
    }
}
