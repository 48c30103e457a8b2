// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;

/**
 * How does HttpsURLConnection, the client that JDK-8293562 is about, make a request? All requests
 * share one factory, because it is part of the key under which connections are cached.
 */
public final class HttpsUrlConnectionClient implements LoadClient {
    private static final int CONNECT_TIMEOUT_MS = 20_000;
    private static final byte[] CHUNK = new byte[64 * 1024];

    private final ThreadLocal<byte[]> buffer = ThreadLocal.withInitial(() -> new byte[64 * 1024]);
    private SSLSocketFactory factory;

    @Override
    public void prepare(LoadSettings settings) {
        // The property, not a wrapped factory: a wrapper would be part of what is measured.
        System.setProperty("https.protocols", String.join(",", settings.protocols()));
        factory = settings.sslContext().getSocketFactory();
    }

    @Override
    public long exchange(LoadTarget target) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) target.url.openConnection();
        if (connection instanceof HttpsURLConnection) {  // it is not if the service has no TLS
            ((HttpsURLConnection) connection).setSSLSocketFactory(factory);
        }
        connection.setConnectTimeout(CONNECT_TIMEOUT_MS);
        connection.setReadTimeout(target.readTimeoutMs);
        if (target.closeAfter) {
            connection.setRequestProperty("Connection", "close");
        }
        if (target.requestBodyBytes > 0) {
            send(connection, target.requestBodyBytes);
        }
        int status = connection.getResponseCode();
        if (status != HttpURLConnection.HTTP_OK) {
            throw new IOException("status " + status);
        }
        return drain(connection.getInputStream());
    }

    @Override
    public void close() { }

    private static void send(HttpURLConnection connection, int bytes) throws IOException {
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(bytes);
        try (OutputStream body = connection.getOutputStream()) {
            for (int left = bytes; left > 0; left -= CHUNK.length) {
                body.write(CHUNK, 0, Math.min(left, CHUNK.length));
            }
        }
    }

    private long drain(InputStream body) throws IOException {
        byte[] into = buffer.get();
        long total = 0;
        for (int n = body.read(into); n >= 0; n = body.read(into)) {
            total += n;
        }
        return total;
    }
}
