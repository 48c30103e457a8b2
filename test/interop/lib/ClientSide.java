// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;

/** The client of one row, with any of the JDK's APIs, or Azure's client on the JDK's TLS. */
final class ClientSide {
    static final String AZURE = "azure-core-http-netty";

    private final Row row;
    private final Path identities;
    private final Stack stack;
    private final int port;

    ClientSide(Row row, Path identities, Stack stack, int port) {
        this.row = row;
        this.identities = identities;
        this.stack = stack;
        this.port = port;
    }

    /** Does this API speak HTTP by itself? */
    static boolean isHttp(String api) {
        return api.startsWith("Http") || api.equals(AZURE);
    }

    /** Runs the client; returns what it has seen, nothing if its API does not report it. */
    Map<String, String> talk() throws Exception {
        Map<String, String> seen = new LinkedHashMap<>();
        long created = 0;
        HttpByName client = byName();
        for (int left = Conversation.connections(row); left > 0; left--) {
            if (row.has(Row.API, "HttpsURLConnection")) {
                byUrl();
            } else if (client != null) {
                needSame(client.post(uri(), sent()));
            } else {
                long begunMs = Conversation.after(created, 1);
                try (Tls tls = stack.connect(row, port)) {
                    tls.handshake();
                    ask(tls);
                    seen = tls.facts(begunMs);
                    // Only the server can report these.
                    seen.keySet().removeAll(Arrays.asList("client", "sni"));
                    created = tls.createdMs();
                }
            }
        }
        return seen;
    }

    private HttpByName byName() throws Exception {
        return row.has(Row.API, "HttpClient") ? new HttpClientByName(stack.context(), row)
            : row.has(Row.API, AZURE) ? azure() : null;
    }

    /** By the kit's own class, which jtreg alone does not have. */
    @SuppressWarnings("unchecked")
    private HttpByName azure() throws Exception {
        try {
            BiFunction<String, byte[], byte[]> client = (BiFunction<String, byte[], byte[]>)
                Class.forName("tls13kit.interop.AzureClient")
                    .getConstructor(KeyManager.class, TrustManager.class, Duration.class)
                    .newInstance(Identities.keyManager(identities, Peer.clientKey(row)),
                        Identities.trustManager(identities),
                        Duration.ofMillis(Conversation.READ_TIMEOUT_MS));
            return client::apply;
        } catch (ClassNotFoundException | NoClassDefFoundError e) {
            throw new PeerProcess.Lacking("no " + AZURE);
        }
    }

    private byte[] sent() {
        return Conversation.body(row.bodyBytes());
    }

    private String uri() {
        return "https://localhost:" + port + "/";
    }

    private void ask(Tls tls) throws IOException {
        String feature = row.get(Row.FEATURE);
        byte[] body = sent();
        int requests = feature.equals("keyupdate") ? 2 : 1;
        for (int n = 1; n <= requests; n++) {
            if (n > 1 && Conversation.updatesKeys(row, false)) {
                tls.handshake();
            }
            byte[] head = ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + body.length
                + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
            tls.out().write(head);
            tls.out().write(body);
            tls.out().flush();
            needSame(Conversation.message(tls.in(), "a reply"));
        }
        if (Conversation.serverClosesFirst(row)) {
            Conversation.needEnd(tls);
            if (feature.equals("close-server") && row.has(Row.PROTOCOL, "TLSv1.3")) {
                tls.out().write(Conversation.LAST_WORD);
                tls.out().flush();
            }
        }
        tls.closeOutput();
        Conversation.drain(tls);
    }

    private void byUrl() throws IOException {
        HttpsURLConnection connection = (HttpsURLConnection) new URL(uri()).openConnection();
        connection.setSSLSocketFactory(stack.context().getSocketFactory());
        connection.setConnectTimeout(Conversation.READ_TIMEOUT_MS);
        connection.setReadTimeout(Conversation.READ_TIMEOUT_MS);
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(row.bodyBytes());
        connection.getOutputStream().write(sent());
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        try (InputStream in = connection.getInputStream()) {
            byte[] part = new byte[8192];
            for (int count = in.read(part); count >= 0; count = in.read(part)) {
                received.write(part, 0, count);
            }
        }
        needSame(received.toByteArray());
    }

    private void needSame(byte[] received) throws IOException {
        if (!Arrays.equals(received, sent())) {
            throw new IOException("of " + row.bodyBytes() + " bytes sent, " + received.length
                + " came back, or others");
        }
    }

    /** A client that is loaded by name, as not every JDK has it. */
    private interface HttpByName {
        /** The body of the reply. */
        byte[] post(String uri, byte[] body) throws Exception;
    }

    /** java.net.http.HttpClient, which came with 11; these classes are compiled for Java 8. */
    private static final class HttpClientByName implements HttpByName {
        private final Object client;

        HttpClientByName(javax.net.ssl.SSLContext context, Row row) {
            try {
                Object builder = type("").getMethod("newBuilder").invoke(null);
                call(builder, "$Builder", "sslContext", javax.net.ssl.SSLContext.class, context);
                javax.net.ssl.SSLParameters parameters = context.getDefaultSSLParameters();
                call(builder, "$Builder", "sslParameters", javax.net.ssl.SSLParameters.class,
                    parameters);
                Object version = type("$Version").getField(
                    row.get(Row.PEER).endsWith("h2") ? "HTTP_2" : "HTTP_1_1").get(null);
                call(builder, "$Builder", "version", type("$Version"), version);
                client = type("$Builder").getMethod("build").invoke(builder);
            } catch (ReflectiveOperationException e) {
                throw new Unsupported("no java.net.http", e);
            }
        }

        @Override
        public byte[] post(String uri, byte[] body) throws Exception {
            try {
                Class<?> publisher = Class.forName("java.net.http.HttpRequest$BodyPublisher");
                Object sent = Class.forName("java.net.http.HttpRequest$BodyPublishers")
                    .getMethod("ofByteArray", byte[].class).invoke(null, (Object) body);
                Class<?> builderType = Class.forName("java.net.http.HttpRequest$Builder");
                Object builder = Class.forName("java.net.http.HttpRequest")
                    .getMethod("newBuilder", URI.class).invoke(null, URI.create(uri));
                builderType.getMethod("timeout", Duration.class)
                    .invoke(builder, Duration.ofMillis(Conversation.READ_TIMEOUT_MS));
                builderType.getMethod("POST", publisher).invoke(builder, sent);
                Object request = builderType.getMethod("build").invoke(builder);
                Object handler = Class.forName("java.net.http.HttpResponse$BodyHandlers")
                    .getMethod("ofByteArray").invoke(null);
                Object response = type("").getMethod("send",
                    Class.forName("java.net.http.HttpRequest"),
                    Class.forName("java.net.http.HttpResponse$BodyHandler"))
                    .invoke(client, request, handler);
                return (byte[]) Class.forName("java.net.http.HttpResponse").getMethod("body")
                    .invoke(response);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof Error) {        // not a refusal
                    throw (Error) e.getCause();
                }
                throw (Exception) e.getCause();
            }
        }

        private static Class<?> type(String inner) throws ClassNotFoundException {
            return Class.forName("java.net.http.HttpClient" + inner);
        }

        private static void call(Object on, String inner, String name, Class<?> type,
                Object argument) throws ReflectiveOperationException {
            type(inner).getMethod(name, type).invoke(on, argument);
        }
    }
}
