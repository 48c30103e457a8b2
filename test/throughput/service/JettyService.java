// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * What does a Jetty on the JDK under test cost? It echoes what is posted, over HTTP/1.1 and HTTP/2,
 * by the TLS that it is told. One connector: several in one JVM share what the compiler learnt.
 *
 * <pre>java -cp CLASSES:JARS JettyService [tls=none|jsse|conscrypt|haproxy] [tickets=true]
 * [program=HAPROXY]</pre>
 */
public final class JettyService implements PeerProcess.Program {
    // No connection ends because this side got tired of it.
    private static final long IDLE_MS = 3_600_000;
    private static final int BACKLOG = 16_384;

    private final ServiceCounters counters = new ServiceCounters();
    private TlsFront front;

    public static void main(String[] args) throws IOException {
        System.setProperty("org.eclipse.jetty.util.log.class",
            "org.eclipse.jetty.util.log.StdErrLog");
        System.setProperty("org.eclipse.jetty.LEVEL", "WARN");
        System.setProperty("org.eclipse.jetty.util.log.announce", "false");
        PeerProcess.run(args, new JettyService());
    }

    @Override
    public int start(Arguments arguments) throws Exception {
        ServiceTls tls = ServiceTls.of(
            arguments, ServiceTls.JSSE, ServiceTls.CONSCRYPT, ServiceTls.HAPROXY);
        boolean tickets = arguments.flag("tickets", true);
        String program = arguments.text("program", null);
        arguments.end();
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server, factories(tls, tickets));
        connector.setHost("127.0.0.1");
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(IDLE_MS);
        connector.addBean(new JettyCounts(counters));
        server.addConnector(connector);
        server.setHandler(new JettyEcho(counters.peer));
        server.start();
        if (tls != ServiceTls.HAPROXY) {
            return connector.getLocalPort();
        }
        front = new TlsFront(program, "127.0.0.1:" + connector.getLocalPort(), tickets);
        counters.add(front.pid);
        return front.port;
    }

    @Override
    public Map<String, Long> counters() {
        if (front != null && !front.isAlive()) {
            System.err.println("haproxy is gone");
            System.exit(1);
        }
        return counters.values();
    }

    private ConnectionFactory[] factories(ServiceTls tls, boolean tickets) throws Exception {
        HttpConfiguration settings = new HttpConfiguration();
        settings.setSendServerVersion(false);
        settings.setSendDateHeader(false);
        HttpConnectionFactory http = new HttpConnectionFactory(settings);
        if (tls == ServiceTls.NONE || tls == ServiceTls.HAPROXY) {
            return new ConnectionFactory[] {
                http, unlimited(new HTTP2CServerConnectionFactory(settings))
            };
        }
        SslContextFactory.Server ssl = new SslContextFactory.Server() {
            @Override
            public void customize(SSLEngine engine) {
                super.customize(engine);
                if (!tickets) {
                    tls.withoutTickets(engine);
                }
            }
        };
        ssl.setSslContext(tls.context(counters.keysChosen, tickets));
        // Jetty's own list leaves out what clients may choose; driver and JDK decide.
        ssl.setExcludeCipherSuites();
        ssl.setExcludeProtocols("SSLv3", "TLSv1", "TLSv1.1");
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory("h2", "http/1.1");
        alpn.setDefaultProtocol(http.getProtocol());
        return new ConnectionFactory[] {
            new SslConnectionFactory(ssl, alpn.getProtocol()), alpn,
            unlimited(new HTTP2ServerConnectionFactory(settings)), http
        };
    }

    /** A load is what Jetty's limit of frames a second takes for an attack. */
    private static <T extends org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory> T
            unlimited(T factory) {
        factory.setRateControlFactory(
            new org.eclipse.jetty.http2.parser.RateControl.Factory() { });
        return factory;
    }
}
