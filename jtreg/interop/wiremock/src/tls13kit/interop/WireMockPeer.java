// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.interop;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.extension.ResponseTransformerV2;
import com.github.tomakehurst.wiremock.http.Response;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;

/**
 * WireMock as users start it, over HTTP/1.1 or HTTP/2. It sends each body back and reports which
 * HTTP version was used. {@code test/interop/lib/NamedPeer.java} finds it by name.
 */
public final class WireMockPeer implements Callable<Map<String, String>>, IntSupplier, Closeable {
    private static final String HTTP_2 = "wiremock-h2";
    private static final String PASSWORD = "made for one row";

    private final WireMockServer server;
    private final Path store;

    /**
     * Starts to listen.
     *
     * @param row its {@code peer} gives the HTTP version, its {@code key} the certificate
     * @param identities a folder with that key and certificate, in PEM
     * @param port not used: negative, as this is a server
     */
    public WireMockPeer(Map<String, String> row, Path identities, int port)
            throws IOException, GeneralSecurityException {
        store = Files.createTempFile(identities, "wiremock", ".p12");
        save(row.get("key"), identities);
        server = new WireMockServer(WireMockConfiguration.options()
            .bindAddress("127.0.0.1")
            .httpDisabled(true)
            .dynamicHttpsPort()
            .keystorePath(store.toString())
            .keystoreType("PKCS12")
            .keystorePassword(PASSWORD)
            .keyManagerPassword(PASSWORD)
            .http2TlsDisabled(!row.get("peer").equals(HTTP_2))
            .extensions(new Echo()));
        server.start();
        server.stubFor(any(anyUrl()).willReturn(aResponse()));
    }

    /** The port on which it listens. */
    @Override
    public int getAsInt() {
        return server.httpsPort();
    }

    /** The HTTP version of a request, under {@code http}; empty if there was none. */
    @Override
    public Map<String, String> call() {
        List<ServeEvent> events = server.getAllServeEvents();
        return events.isEmpty() ? Map.of() : Map.of("http", events.get(0).getRequest().getProtocol());
    }

    @Override
    public void close() throws IOException {
        server.stop();
        Files.delete(store);
    }

    private void save(String name, Path identities) throws IOException, GeneralSecurityException {
        Certificate[] chain;
        try (InputStream in = Files.newInputStream(identities.resolve(name + ".crt"))) {
            chain = CertificateFactory.getInstance("X.509").generateCertificates(in)
                .toArray(Certificate[]::new);
        }
        String pem = Files.readString(identities.resolve(name + ".key"), StandardCharsets.US_ASCII);
        byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]*-----", ""));
        PrivateKey key = KeyFactory.getInstance(chain[0].getPublicKey().getAlgorithm())
            .generatePrivate(new PKCS8EncodedKeySpec(der));
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry(name, key, PASSWORD.toCharArray(), chain);
        try (OutputStream out = Files.newOutputStream(store)) {
            keys.store(out, PASSWORD.toCharArray());
        }
    }

    /** Sends the body of the request back as the body of the reply. */
    private static final class Echo implements ResponseTransformerV2 {
        @Override
        public Response transform(Response response, ServeEvent event) {
            return Response.Builder.like(response).but().body(event.getRequest().getBody()).build();
        }

        @Override
        public String getName() {
            return "echo";
        }
    }
}
