// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.EnumMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/** java.net.http as an application uses it. */
class NetUser implements HttpUser {
    private final Map<HttpClient.Redirect, HttpClient> clients = new EnumMap<>(HttpClient.Redirect.class);

    /** How the client is built: HTTP/1.1, no proxy, and nobody trusted,
        so no CA roots are loaded. */
    HttpClient.Builder builder() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[0], null);
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(context)
            .proxy(HttpClient.Builder.NO_PROXY);
    }

    /** Rows share a client: before 21, none can be closed. */
    private synchronized HttpClient client(boolean follows) throws GeneralSecurityException {
        HttpClient.Redirect policy = follows ? HttpClient.Redirect.NORMAL : HttpClient.Redirect.NEVER;
        HttpClient client = clients.get(policy);
        if (client == null) {
            client = builder().followRedirects(policy).build();
            clients.put(policy, client);
        }
        return client;
    }

    @Override
    public final String name() {
        return "net";
    }

    @Override
    public final String toString() {
        return "java.net.http";
    }

    @Override
    public final HttpAnswer send(Ask ask) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(ask.url.toURI())
            .method(ask.method, publisher(ask)).expectContinue(ask.expectContinue);
        for (String[] field : ask.fields) {
            request.header(field[0], field[1]);
        }
        HttpResponse<String> reply = client(ask.follow)
            .send(request.build(), BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
        return new HttpAnswer(reply.statusCode(), String.valueOf(reply.body()),
            reply.headers().map());
    }

    private static BodyPublisher publisher(Ask ask) {
        if (ask.body == null) {
            return BodyPublishers.noBody();
        }
        byte[] bytes = ask.body.getBytes(StandardCharsets.ISO_8859_1);
        BodyPublisher stream = BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes));
        switch (ask.kind) {
            case STREAMED:
                return BodyPublishers.fromPublisher(stream, bytes.length);
            case CHUNKED:
                return stream;
            default:
                return BodyPublishers.ofByteArray(bytes);
        }
    }
}
