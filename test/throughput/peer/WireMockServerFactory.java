// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.github.tomakehurst.wiremock.common.HttpsSettings;
import com.github.tomakehurst.wiremock.common.JettySettings;
import com.github.tomakehurst.wiremock.core.Options;
import com.github.tomakehurst.wiremock.http.AdminRequestHandler;
import com.github.tomakehurst.wiremock.http.HttpServer;
import com.github.tomakehurst.wiremock.http.HttpServerFactory;
import com.github.tomakehurst.wiremock.http.StubRequestHandler;
import com.github.tomakehurst.wiremock.jetty11.Jetty11HttpServer;
import javax.net.ssl.SSLContext;
import wiremock.org.eclipse.jetty.io.NetworkTrafficListener;
import wiremock.org.eclipse.jetty.server.HttpConfiguration;
import wiremock.org.eclipse.jetty.server.HttpConnectionFactory;
import wiremock.org.eclipse.jetty.server.ServerConnector;
import wiremock.org.eclipse.jetty.server.SslConnectionFactory;
import wiremock.org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * Which Jetty does WireMock run on? Its own, but with one HTTPS/1.1 connector of ours: WireMock's
 * would read a keystore from a file, offer HTTP/2, and report nothing about connections.
 */
final class WireMockServerFactory implements HttpServerFactory {
    /** One thread watches all connections and two cores do the rest. */
    private static final int SELECTORS = 1;

    private final SSLContext context;
    private final WireMockCounts counts;

    WireMockServerFactory(SSLContext context, WireMockCounts counts) {
        this.context = context;
        this.counts = counts;
    }

    @Override
    public HttpServer buildHttpServer(
            Options options, AdminRequestHandler admin, StubRequestHandler stubs) {
        return new Jetty11HttpServer(options, admin, stubs) {
            @Override
            protected ServerConnector createHttpsConnector(String address, HttpsSettings https,
                    JettySettings jetty, NetworkTrafficListener unused) {
                return connector(address, https, jetty);
            }

            private ServerConnector connector(
                    String address, HttpsSettings https, JettySettings jetty) {
                SslConnectionFactory tls = new SslConnectionFactory(tlsSettings(), "http/1.1");
                ServerConnector connector = new ServerConnector(
                    jettyServer, jetty.getAcceptors().orElseThrow(), SELECTORS, tls, http());
                connector.setHost(address);
                connector.setPort(https.port());
                connector.setAcceptQueueSize(jetty.getAcceptQueueSize().orElseThrow());
                connector.setIdleTimeout(jetty.getIdleTimeout().orElseThrow());
                connector.addBean(counts);
                return connector;
            }
        };
    }

    private SslContextFactory.Server tlsSettings() {
        SslContextFactory.Server settings = new SslContextFactory.Server();
        settings.setSslContext(context);
        // Jetty's list excludes suites that clients of other libraries may choose; the JDK decides.
        settings.setExcludeCipherSuites();
        settings.setExcludeProtocols("SSLv3", "TLSv1", "TLSv1.1");
        return settings;
    }

    private static HttpConnectionFactory http() {
        HttpConfiguration plain = new HttpConfiguration();
        plain.setSendServerVersion(false);
        plain.setSendDateHeader(false);
        return new HttpConnectionFactory(plain);
    }
}
