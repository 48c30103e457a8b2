// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLParameters;

/** Is what an application sets for java.net.http obeyed? */
final class ClientSettings implements Topic {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String[] SUITES = {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384",
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"};
    private static final int TIMEOUT_MS = 500;
    private static final int DELAY_MS = 2_500;
    private static final int WITHIN_MS = 15_000;

    @Override
    public String name() {
        return "setting";
    }

    @Override
    public void declare(TopicRows rows) {
        rows.row("setting.net.timeout", "java.net.http: a request with a time-out of " + TIMEOUT_MS
            + " ms, whose reply comes after " + DELAY_MS + " ms", ClientSettings::timeout)
            .within(WITHIN_MS);
        for (HttpClient.Redirect policy : HttpClient.Redirect.values()) {
            rows.row("setting.net.to-plain-" + HttpUser.word(policy.name()),
                "java.net.http: a redirect from https to http, by the policy " + policy,
                () -> toPlain(policy)).within(WITHIN_MS);
        }
        for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
            rows.row("setting.net.protocol-" + HttpUser.word(protocol), "java.net.http: its"
                + " SSLParameters have " + protocol + " alone", () -> protocol(protocol)).within(WITHIN_MS);
        }
        for (String suite : SUITES) {
            rows.row("setting.net.suite-" + HttpUser.word(suite), "java.net.http: its SSLParameters have"
                + " the suite " + suite + " alone", () -> suite(suite)).within(WITHIN_MS);
        }
        for (boolean ofRequest : new boolean[] {true, false}) {
            rows.row("setting.net.handshake-" + (ofRequest ? "timeout" : "connect-timeout"),
                "java.net.http: a time-out " + (ofRequest ? "of the request" : "to connect")
                + ", and a server that does not answer the hello", () -> silent(ofRequest))
                .within(WITHIN_MS);
        }
        rows.row("setting.net.charset", "java.net.http: ofString() of a text in ISO 8859-1", () -> {
            try (WirePeer peer = WirePeer.answering("HTTP/1.1 200 OK\r\nContent-Type: text/plain;"
                    + " charset=ISO-8859-1\r\nContent-Length: 1\r\n\r\n\u00e4")) {
                String body = send(plain().build(), peer.url("/x")).body();
                return body.equals("\u00e4") ? "the right text" : "another text";
            }
        });
        rows.row("setting.net.reuse-tls", "java.net.http: two requests to a host over TLS", () -> {
            try (TlsWire peer = new TlsWire("127.0.0.1", OK)) {
                HttpClient client = trusting().build();
                return send(client, peer.url("/a")).body() + ", " + send(client, peer.url("/b")).body()
                    + "; connections " + peer.connections();
            }
        }).within(WITHIN_MS);
        rows.row("setting.net.executor", "java.net.http: which thread asks for the reply's body?",
            ClientSettings::executor);
    }

    private static HttpClient.Builder plain() throws GeneralSecurityException {
        return new NetUser().builder();
    }

    private static HttpClient.Builder trusting() throws GeneralSecurityException, IOException {
        return plain().sslContext(RowsIdentity.clientContext());
    }

    private static HttpResponse<String> send(HttpClient client, URL url)
            throws IOException, InterruptedException, URISyntaxException {
        return client.send(HttpRequest.newBuilder(url.toURI()).build(), BodyHandlers.ofString());
    }

    private static String timeout() throws Exception {
        try (WirePeer peer = new WirePeer(request -> {
            Thread.sleep(DELAY_MS);
            return OK;
        })) {
            HttpRequest request = HttpRequest.newBuilder(peer.url("/x").toURI())
                .timeout(Duration.ofMillis(TIMEOUT_MS)).build();
            try {
                return plain().build().send(request, BodyHandlers.ofString()).body();
            } catch (HttpTimeoutException e) {      // on a busy machine while it connects
                return "a time-out";
            }
        }
    }

    private static String toPlain(HttpClient.Redirect policy) throws Exception {
        try (WirePeer target = WirePeer.answering(OK);
                TlsWire peer = new TlsWire("127.0.0.1", "HTTP/1.1 302 Found\r\nLocation: "
                    + target.url("/b") + "\r\nContent-Length: 0\r\n\r\n")) {
            HttpResponse<String> reply =
                send(trusting().followRedirects(policy).build(), peer.url("/x"));
            return reply.statusCode() + "; requests over http " + target.requests().size();
        }
    }

    private static String protocol(String protocol) throws Exception {
        try (TlsWire peer = new TlsWire("127.0.0.1", OK)) {
            SSLParameters parameters = new SSLParameters();
            parameters.setProtocols(new String[] {protocol});
            HttpClient client = trusting().sslParameters(parameters).build();
            return send(client, peer.url("/x")).sslSession().get().getProtocol();
        }
    }

    private static String suite(String suite) throws Exception {
        SSLParameters parameters = new SSLParameters();
        parameters.setCipherSuites(new String[] {suite});
        return agreed(parameters);
    }

    private static String agreed(SSLParameters parameters) throws Exception {
        try (TlsWire peer = new TlsWire("127.0.0.1", OK)) {
            HttpClient client = trusting().sslParameters(parameters).build();
            return send(client, peer.url("/x")).sslSession().get().getCipherSuite();
        }
    }

    private static String silent(boolean ofRequest) throws Exception {
        try (ServerSocket server = new ServerSocket(0, Listener.BACKLOG, TlsPeer.loopback())) {
            HttpClient.Builder client = trusting();
            HttpRequest.Builder request = HttpRequest.newBuilder(
                new URL("https", "127.0.0.1", server.getLocalPort(), "/x").toURI());
            if (ofRequest) {
                request.timeout(Duration.ofMillis(TIMEOUT_MS));
            } else {
                client.connectTimeout(Duration.ofMillis(TIMEOUT_MS));
            }
            try {
                return client.build().send(request.build(), BodyHandlers.ofString()).body();
            } catch (HttpTimeoutException e) {
                return e.getClass().getSimpleName();
            }
        }
    }

    private static String executor() throws Exception {
        try (WirePeer peer = WirePeer.answering(OK)) {
            HttpClient client = plain().executor(task -> TlsPeer.daemon("of-executor", task).start())
                .build();
            CompletableFuture<String> thread = new CompletableFuture<>();
            client.sendAsync(HttpRequest.newBuilder(peer.url("/x").toURI()).build(), head -> {
                thread.complete(Thread.currentThread().getName());
                return HttpResponse.BodySubscribers.ofString(
                    StandardCharsets.UTF_8);
            }).join();
            return thread.get().startsWith("of-executor") ? "the executor's" : "another";
        }
    }
}
