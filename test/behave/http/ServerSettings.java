// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

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
        rows.row("setting.server.filters", "HttpServer: in which order do two filters and a handler"
            + " run, and what follows them?", ServerSettings::ordered);
        rows.row("setting.server.filter-answers", "HttpServer: a filter answers, and does not go on",
            () -> {
                HttpServer server = ServedRaw.start("/never", ServedRaw::echo);
                try {
                    Added.answering(server);
                    return ServedRaw.exchange(server, ServedRaw.PROBE);
                } finally {
                    ServedRaw.stop(server);
                }
            });
        rows.row("setting.server.executor", "HttpServer: which thread runs a handler?", () ->
            ServedRaw.answer(exchange -> ServedRaw.reply(exchange, "by the executor's: "
                + Thread.currentThread().getName().startsWith("served")),
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
        rows.row("setting.server.two-at-once", "HttpServer: a request comes while a handler waits"
            + " for the next request", ServerSettings::atOnce).within(WITHIN_MS);
        for (boolean need : new boolean[] {true, false}) {
            rows.row("setting.https-server.client-" + (need ? "needed" : "not-needed"),
                "HttpsServer: its configurator " + (need ? "needs" : "needs no")
                + " certificate of a client, which has none", () -> {
                    String seen = httpsServer(false, (parameters, tls) -> {
                        tls.setNeedClientAuth(need);
                        parameters.setSSLParameters(tls);
                    });
                    return seen.startsWith("TLS") ? "200 'ok'" : seen;
                }).within(WITHIN_MS);
        }
        for (String way : new String[] {"need", "want", "need-in-parameters", "want-in-parameters"}) {
            for (boolean hasKey : new boolean[] {true, false}) {
                rows.row("setting.https-server." + way + (hasKey ? ".key" : ".no-key"), "HttpsServer: its"
                    + " configurator says " + "'" + way.substring(0, 4) + "' of a client's certificate, in "
                    + (way.length() > 4 ? "SSLParameters" : "HttpsParameters") + "; the client has "
                    + (hasKey ? "one" : "none"), () -> asking(way, hasKey)).within(WITHIN_MS);
            }
        }
        for (String setting : new String[] {"protocols", "suites"}) {
            for (boolean inParameters : new boolean[] {true, false}) {
                rows.row("setting.https-server." + setting + (inParameters ? "-in-parameters" : ""),
                    "HttpsServer: its configurator sets " + setting + " of "
                    + (inParameters ? "SSLParameters" : "HttpsParameters"),
                    () -> chosen(setting, inParameters)).within(WITHIN_MS);
            }
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

    private static String ordered() throws IOException {
        StringBuffer order = new StringBuffer();
        CountDownLatch over = new CountDownLatch(2);
        HttpServer server = ServedRaw.start("/never", ServedRaw::echo);
        try {
            Added.noting(server, order, over);
            ServedRaw.exchange(server, ServedRaw.PROBE);
            over.await();       // the client has its answer before the filters are left
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ServedRaw.stop(server);
        }
        return order.toString().trim();
    }

    /** What a filter does. */
    private interface Step {
        void run(HttpExchange exchange, Filter.Chain chain) throws IOException;
    }

    /** Of its own, as {@link ServerHandlers} says why. */
    private static final class Added extends Filter {
        private final Step step;

        private Added(Step step) {
            this.step = step;
        }

        static void to(HttpServer server) {
            server.createContext("/", ServedRaw::echo).getFilters().add(new Added(
                (exchange, chain) -> {
                    exchange.getResponseHeaders().set("X-Filter", "set");
                    chain.doFilter(exchange);
                }));
        }

        static void answering(HttpServer server) {
            server.createContext("/", ServedRaw::echo).getFilters().add(new Added(
                (exchange, chain) -> ServedRaw.reply(exchange, "by the filter")));
        }

        static void noting(HttpServer server, StringBuffer order, CountDownLatch over) {
            HttpContext context = server.createContext("/", exchange -> {
                order.append(" handler");
                ServedRaw.reply(exchange, "ok");
            });
            for (String name : new String[] {"first", "second"}) {
                context.getFilters().add(new Added((exchange, chain) -> {
                    order.append(' ').append(name);
                    chain.doFilter(exchange);
                    order.append(" after-").append(name);
                    over.countDown();
                }));
            }
        }

        @Override
        public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
            step.run(exchange, chain);
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

    /** Who asks for a client's certificate, and by which of the two kinds of parameters? */
    private static String asking(String way, boolean hasKey) throws Exception {
        boolean needs = way.startsWith("need");
        return httpsServer(hasKey, (parameters, tls) -> {
            if (way.equals("need")) {
                parameters.setNeedClientAuth(true);
            } else if (way.equals("want")) {
                parameters.setWantClientAuth(true);
            } else {
                if (needs) {
                    tls.setNeedClientAuth(true);
                } else {
                    tls.setWantClientAuth(true);
                }
                parameters.setSSLParameters(tls);
            }
        });
    }

    private static String chosen(String setting, boolean inParameters) throws Exception {
        String[] protocols = {"TLSv1.2"};
        String[] suites = {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"};
        return httpsServer(false, (parameters, tls) -> {
            if (inParameters) {
                if (setting.equals("protocols")) {
                    tls.setProtocols(protocols);
                } else {
                    tls.setCipherSuites(suites);
                }
                parameters.setSSLParameters(tls);
            } else if (setting.equals("protocols")) {
                parameters.setProtocols(protocols);
            } else {
                parameters.setCipherSuites(suites);
            }
        });
    }

    private static SSLContext context(boolean hasKey) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(hasKey ? RowsIdentity.keys() : null, RowsIdentity.trust(), null);
        return context;
    }

    /** What a configurator sets. */
    private interface Configuration {
        void set(HttpsParameters parameters, SSLParameters tls);
    }

    private static String httpsServer(boolean hasKey, Configuration configuration) throws Exception {
        ExecutorService executor = Executors.newCachedThreadPool(
            task -> TlsPeer.daemon("served-tls", task));
        HttpsServer server = HttpsServer.create(
            new InetSocketAddress(TlsPeer.loopback(), 0), Listener.BACKLOG);
        server.setExecutor(executor);
        server.createContext("/", exchange -> ServedRaw.reply(exchange,
            Asks.text(((HttpsExchange) exchange).getSSLSession())));
        Asks.configured(server, context(true), configuration);
        server.start();
        try {
            HttpsURLConnection connection = Settings.openTls(new URL("https", "127.0.0.1",
                server.getAddress().getPort(), "/x"), context(hasKey).getSocketFactory());
            try (InputStream in = connection.getInputStream()) {
                byte[] text = new byte[200];
                return new String(text, 0, in.read(text), StandardCharsets.ISO_8859_1);
            }
        } catch (IOException e) {
            return "no reply";      // which exception a client sees is a race
        } finally {
            server.stop(0);
            executor.shutdownNow();
        }
    }

    /** Of its own, too. */
    private static final class Asks extends HttpsConfigurator {
        private final Configuration configuration;

        private Asks(SSLContext context, Configuration configuration) {
            super(context);
            this.configuration = configuration;
        }

        static void configured(HttpsServer server, SSLContext context,
                Configuration configuration) {
            server.setHttpsConfigurator(new Asks(context, configuration));
        }

        static String text(SSLSession session) {
            int certificates;
            try {
                certificates = session.getPeerCertificates().length;
            } catch (SSLPeerUnverifiedException e) {
                certificates = 0;
            }
            return session.getProtocol() + ", " + session.getCipherSuite() + ", " + certificates
                + " certificates of the client";
        }

        @Override
        public void configure(HttpsParameters parameters) {
            configuration.set(parameters, getSSLContext().getDefaultSSLParameters());
        }
    }
}
