// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;

/** HttpURLConnection as an application uses it. */
final class UrlUser implements HttpUser {
    private static final int CHUNK_BYTES = 16;

    private final Proxy proxy;

    UrlUser() {
        this(Proxy.NO_PROXY);
    }

    UrlUser(Proxy proxy) {
        this.proxy = proxy;
    }

    @Override
    public String name() {
        return "url";
    }

    @Override
    public String toString() {
        return "HttpURLConnection";
    }

    @Override
    public HttpAnswer send(Ask ask) throws IOException {
        HttpURLConnection connection = prepare(ask);
        if (ask.body != null) {
            try (OutputStream out = connection.getOutputStream()) {
                out.write(ask.body.getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        int status = connection.getResponseCode();
        InputStream in = status >= HttpURLConnection.HTTP_BAD_REQUEST
            ? connection.getErrorStream() : connection.getInputStream();
        return new HttpAnswer(status, in == null ? "" : all(in), connection.getHeaderFields());
    }

    private HttpURLConnection prepare(Ask ask) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) ask.url.openConnection(proxy);
        connection.setInstanceFollowRedirects(ask.follow);
        connection.setConnectTimeout(Client.PATIENCE_MS);
        connection.setRequestMethod(ask.method);
        for (String[] field : ask.fields) {
            connection.addRequestProperty(field[0], field[1]);
        }
        if (ask.expectContinue) {
            connection.setRequestProperty("Expect", "100-continue");
        }
        if (ask.body != null) {
            connection.setDoOutput(true);
            if (ask.kind == Ask.BodyKind.STREAMED) {
                connection.setFixedLengthStreamingMode(ask.body.length());
            } else if (ask.kind == Ask.BodyKind.CHUNKED) {
                connection.setChunkedStreamingMode(CHUNK_BYTES);
            }
        }
        return connection;
    }

    private static String all(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[1024];
        try (InputStream closed = in) {
            for (int n = closed.read(buffer); n >= 0; n = closed.read(buffer)) {
                bytes.write(buffer, 0, n);
            }
        }
        return new String(bytes.toByteArray(), StandardCharsets.ISO_8859_1);
    }
}
