// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URL;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Is what an application sets for HttpServer obeyed? */
final class ServerSettings implements Topic {
    private static final int WITHIN_MS = 15_000;

    @Override
    public String name() {
        return "setting";
    }

    @Override
    public void declare(TopicRows rows) {
        rows.row("setting.server.filter", "HttpServer: a filter of the application adds a field",
            ServerSettings::filtered);
        rows.row("setting.server.executor", "HttpServer: which thread runs a handler?", () ->
            ServedRaw.answer(exchange -> ServedRaw.reply(exchange, "by the executor's: "
                + Thread.currentThread().getName().startsWith("served")),
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
        rows.row("setting.server.two-at-once", "HttpServer: a request comes while a handler waits"
            + " for the next request", ServerSettings::atOnce).within(WITHIN_MS);
        for (boolean need : new boolean[] {true, false}) {
            rows.row("setting.https-server.client-" + (need ? "needed" : "not-needed"),
                "HttpsServer: its configurator " + (need ? "needs" : "needs no")
                + " certificate of a client, which has none", () -> httpsServer(need))
                .within(WITHIN_MS);
        }
    }

    private static String filtered() throws IOException {
        HttpServer server = ServedRaw.start("/never", ServedRaw::echo);
        try {
            Added.to(server);
            return ServedRaw.exchange(server, ServedRaw.PROBE);
        } finally {
            ServedRaw.stop(server);
        }
    }

    /** Of its own, as {@link ServerHandlers} says why. */
    private static final class Added extends Filter {
        static void to(HttpServer server) {
            server.createContext("/", ServedRaw::echo).getFilters().add(new Added());
        }

        @Override
        public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
            exchange.getResponseHeaders().set("X-Filter", "set");
            chain.doFilter(exchange);
        }

        @Override
        public String description() {
            return "adds a field";
        }
    }

    private static String atOnce() throws IOException {
        CountDownLatch second = new CountDownLatch(1);
        HttpServer server = ServedRaw.start("/first", exchange -> {
            try {
                ServedRaw.reply(exchange, second.await(WITHIN_MS / 4, TimeUnit.MILLISECONDS)
                    ? "the second came" : "no second came");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            server.createContext("/second", exchange -> {
                second.countDown();
                ServedRaw.reply(exchange, "ok");
            });
            Thread other = TlsPeer.daemon("second", () -> {
                try {
                    Thread.sleep(200);
                    ServedRaw.exchange(server, "GET /second HTTP/1.1\r\nHost: a\r\n"
                        + "Connection: close\r\n\r\n");
                } catch (IOException | InterruptedException e) {
                    second.getCount();      // the first says that no second came
                }
            });
            other.start();
            String seen = ServedRaw.exchange(server, "GET /first HTTP/1.1\r\nHost: a\r\n"
                + "Connection: close\r\n\r\n");
            other.interrupt();
            return seen;
        } finally {
            ServedRaw.stop(server);
        }
    }

    private static String httpsServer(boolean need) throws Exception {
        ExecutorService executor = Executors.newCachedThreadPool(
            task -> TlsPeer.daemon("served-tls", task));
        HttpsServer server = HttpsServer.create(
            new InetSocketAddress(TlsPeer.loopback(), 0), Listener.BACKLOG);
        server.setExecutor(executor);
        server.createContext("/", exchange -> ServedRaw.reply(exchange, "ok"));
        Asks.client(server, RowsIdentity.serverContext(), need);
        server.start();
        try {
            HttpsURLConnection connection = Settings.openTls(new URL("https", "127.0.0.1",
                server.getAddress().getPort(), "/x"));
            return connection.getResponseCode() + " 'ok'";
        } catch (IOException e) {
            return "no reply";      // which exception a client sees is a race
        } finally {
            server.stop(0);
            executor.shutdownNow();
        }
    }

    /** Of its own, too. */
    private static final class Asks extends HttpsConfigurator {
        private final boolean need;

        private Asks(SSLContext context, boolean need) {
            super(context);
            this.need = need;
        }

        static void client(HttpsServer server, SSLContext context, boolean need) {
            server.setHttpsConfigurator(new Asks(context, need));
        }

        @Override
        public void configure(HttpsParameters parameters) {
            SSLParameters tls = getSSLContext().getDefaultSSLParameters();
            tls.setNeedClientAuth(need);
            parameters.setSSLParameters(tls);
        }
    }
}
