// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLParameters;

/**
 * How does java.net.http, the JDK's own client since 11, make a request? One client for all
 * threads, over HTTP/1.1, with as many connections as there are requests at the same time.
 *
 * <p>A read timeout becomes the request's {@code timeout}, the only one there is: it bounds the
 * wait for the head of the reply (from JDK 26 on, of the whole), not each read.
 */
public final class JavaNetHttpClient implements LoadClient {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(20);

    private final Map<LoadTarget, HttpRequest> requests = new ConcurrentHashMap<>();
    private HttpClient client;

    @Override
    public void prepare(LoadSettings settings) {
        // Read once, before first use: without it, "Connection: close" cannot be sent.
        System.setProperty("jdk.httpclient.allowRestrictedHeaders", "connection");
        if (settings.someGroupCloses()) {
            checkThatItCanClose();
        }
        SSLParameters parameters = new SSLParameters();
        parameters.setProtocols(settings.protocols());
        client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(settings.sslContext())
            .sslParameters(parameters)
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    }

    @Override
    public long exchange(LoadTarget target) throws IOException, InterruptedException {
        HttpRequest request = requests.computeIfAbsent(target, JavaNetHttpClient::request);
        HttpResponse<Long> reply = client.send(request, head -> new CountedBody());
        if (reply.statusCode() != 200) {
            throw new IOException("status " + reply.statusCode());
        }
        return reply.body();
    }

    @Override
    public void close() { }

    /** 11.0.9.1 and 11.0.13 do not know the property yet; 11.0.24 and 17.0.3 do. */
    private static void checkThatItCanClose() {
        try {
            HttpRequest.newBuilder().header("Connection", "close");
        } catch (IllegalArgumentException e) {
            throw new UnsupportedOperationException(
                "java.net.http of this JDK lets nobody send \"Connection: close\"", e);
        }
    }

    private static HttpRequest request(LoadTarget target) {
        BodyPublisher body = target.requestBodyBytes > 0
            ? BodyPublishers.ofByteArray(new byte[target.requestBodyBytes])
            : BodyPublishers.noBody();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(target.url.toString()))
            .method(target.requestBodyBytes > 0 ? "POST" : "GET", body);
        if (target.readTimeoutMs > 0) {
            request.timeout(Duration.ofMillis(target.readTimeoutMs));
        }
        if (target.closeAfter) {
            request.header("Connection", "close");
        }
        return request.build();
    }
}
