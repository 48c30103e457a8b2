// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.core.util.BinaryData;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLEngine;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.netty.Connection;
import reactor.netty.resources.ConnectionProvider;

/**
 * How does the HTTP client below the Azure SDK for Java (azure-core-http-netty) make a request? One
 * pool of connections serves all threads; a thread waits for its reply, as in the SDK's synchronous
 * clients.
 *
 * <p>A read timeout becomes both of the library's: the one for the head of the reply
 * ({@code responseTimeout}) and the one between two reads ({@code readTimeout}).
 *
 * <p>Netty takes another TLS library if it does not find the one that it is given, so each
 * connection is checked: after one on the wrong library, all requests fail, whatever the reply.
 */
abstract class AzureNettyClient implements LoadClient {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(20);

    // The default of Azure's library (reactor-netty's for HTTP).
    private static final int MOST_CONNECTIONS = 500;

    private final SslProvider provider;
    private final Map<Integer, HttpClient> clients = new ConcurrentHashMap<>();
    private final Map<Integer, BinaryData> bodies = new ConcurrentHashMap<>();
    private ConnectionProvider connections;
    private reactor.netty.http.client.HttpClient netty;
    private volatile String wrongLibrary;

    AzureNettyClient(SslProvider provider) {
        this.provider = provider;
    }

    /** @return whether the engine is of the TLS library that this client must use */
    abstract boolean isOwn(SSLEngine engine);

    @Override
    public void prepare(LoadSettings settings) throws Exception {
        SslContext tls = SslContextBuilder.forClient()
            .sslProvider(provider)
            .trustManager(settings.trust())
            .protocols(settings.protocols())
            .endpointIdentificationAlgorithm("HTTPS")
            .build();
        connections = ConnectionProvider.create("load", MOST_CONNECTIONS);
        netty = reactor.netty.http.client.HttpClient.create(connections)
            .secure(spec -> spec.sslContext(tls))
            .doOnConnected(this::look);
    }

    @Override
    public long exchange(LoadTarget target) throws IOException, InterruptedException {
        HttpClient client = clients.computeIfAbsent(target.readTimeoutMs, this::client);
        try {
            long bytes = client.send(request(target)).flatMap(AzureNettyClient::drained).block();
            if (wrongLibrary != null) {
                throw new IOException("a connection on the wrong TLS library: " + wrongLibrary);
            }
            return bytes;
        } catch (RuntimeException e) {
            throw plain(Exceptions.unwrap(e));
        }
    }

    @Override
    public void close() {
        if (connections != null) {
            connections.dispose();
        }
    }

    private HttpClient client(int readTimeoutMs) {
        return new NettyAsyncHttpClientBuilder(netty)
            .connectTimeout(CONNECT_TIMEOUT)
            .responseTimeout(Duration.ofMillis(readTimeoutMs))
            .readTimeout(Duration.ofMillis(readTimeoutMs))
            .build();
    }

    private HttpRequest request(LoadTarget target) {
        HttpRequest request = new HttpRequest(
            target.requestBodyBytes > 0 ? HttpMethod.POST : HttpMethod.GET, target.url);
        if (target.requestBodyBytes > 0) {
            request.setBody(bodies.computeIfAbsent(
                target.requestBodyBytes, bytes -> BinaryData.fromBytes(new byte[bytes])));
        }
        if (target.closeAfter) {
            request.setHeader(HttpHeaderName.CONNECTION, "close");
        }
        return request;
    }

    private static Mono<Long> drained(HttpResponse reply) {
        Mono<Long> bytes = reply.getBody().reduce(0L, (sum, part) -> sum + part.remaining());
        return reply.getStatusCode() == 200 ? bytes
            : bytes.then(Mono.error(new IOException("status " + reply.getStatusCode())));
    }

    private void look(Connection connection) {
        SslHandler tls = connection.channel().pipeline().get(SslHandler.class);
        if (tls == null || !isOwn(tls.engine())) {
            wrongLibrary = tls == null ? "no TLS" : tls.engine().getClass().getName();
        }
    }

    private static IOException plain(Throwable failure) throws InterruptedException {
        if (failure instanceof IOException) {
            return (IOException) failure;
        }
        if (failure instanceof TimeoutException) {
            return (IOException) new SocketTimeoutException(failure.getMessage())
                .initCause(failure);
        }
        if (failure.getCause() instanceof InterruptedException) {
            throw (InterruptedException) failure.getCause();
        }
        return new IOException(failure.toString(), failure);
    }
}
