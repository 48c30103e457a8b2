// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.interop;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.util.BinaryData;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.Closeable;
import java.time.Duration;
import java.util.function.BiFunction;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import reactor.core.Exceptions;
import reactor.netty.resources.ConnectionProvider;

/**
 * The HTTP client below the Azure SDK for Java, azure-core-http-netty, on the JDK's TLS: posts a
 * body to a URL and returns the body of the reply. {@code test/interop/lib/ClientSide.java} finds
 * it by name.
 */
public final class AzureClient implements BiFunction<String, byte[], byte[]>, Closeable {
    private final ConnectionProvider connections = ConnectionProvider.newConnection();
    private final HttpClient client;

    /**
     * Does not connect yet; each request opens a new connection.
     *
     * @param keys the client's identity; null for none
     * @param timeout the most that may pass until connected, until the reply, and between two reads
     */
    public AzureClient(KeyManager keys, TrustManager trust, Duration timeout) throws SSLException {
        SslContextBuilder tls = SslContextBuilder.forClient()
            .sslProvider(SslProvider.JDK)
            .trustManager(trust)
            .endpointIdentificationAlgorithm("HTTPS");
        SslContext context = (keys == null ? tls : tls.keyManager(keys)).build();
        client = new NettyAsyncHttpClientBuilder(
            reactor.netty.http.client.HttpClient.create(connections)
                .secure(spec -> spec.sslContext(context)))
            .connectTimeout(timeout)
            .responseTimeout(timeout)
            .readTimeout(timeout)
            .build();
    }

    @Override
    public byte[] apply(String url, byte[] body) {
        HttpRequest request = new HttpRequest(HttpMethod.POST, url).setBody(BinaryData.fromBytes(body));
        try {
            byte[] reply = client.send(request).flatMap(it -> it.getBodyAsByteArray()).block();
            return reply == null ? new byte[0] : reply;
        } catch (RuntimeException e) {
            throw new IllegalStateException(Exceptions.unwrap(e));
        }
    }

    @Override
    public void close() {
        connections.dispose();
    }
}
