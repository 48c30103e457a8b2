// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.util.Map;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;

/**
 * What does Jetty on the JDK under test cost? It echoes request bodies over HTTP/1.1 and HTTP/2,
 * with the given TLS. One connector: several in one JVM would share what the compiler learnt.
 *
 * <pre>java -cp CLASSES:JARS JettyService [tls=none|jsse|conscrypt|haproxy] [key=ec|rsa]
 * [tickets=true] [program=HAPROXY]</pre>
 */
public final class JettyService implements PeerProcess.Program {
    // So long that this side closes no idle connection.
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
        ServiceSettings settings = new ServiceSettings(
            arguments, ServiceTls.JSSE, ServiceTls.CONSCRYPT, ServiceTls.HAPROXY);
        String program = arguments.text("program", null);
        arguments.end();
        counters.costs.collects(settings.collects);
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server, factories(settings));
        connector.setHost("127.0.0.1");
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(IDLE_MS);
        connector.addBean(new JettyCounts(counters));
        server.addConnector(connector);
        server.setHandler(new JettyEcho(counters));
        server.start();
        if (settings.tls != ServiceTls.HAPROXY) {
            return connector.getLocalPort();
        }
        front = new TlsFront(
            program, "127.0.0.1:" + connector.getLocalPort(), "h2,http/1.1", settings);
        counters.costs.add(front.pid);
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

    private ConnectionFactory[] factories(ServiceSettings tls) throws Exception {
        HttpConfiguration settings = new HttpConfiguration();
        settings.setSendServerVersion(false);
        settings.setSendDateHeader(false);
        HttpConnectionFactory http = new HttpConnectionFactory(settings);
        if (tls.tls == ServiceTls.NONE || tls.tls == ServiceTls.HAPROXY) {
            return new ConnectionFactory[] {
                http, unlimited(new HTTP2CServerConnectionFactory(settings))
            };
        }
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory("h2", "http/1.1");
        alpn.setDefaultProtocol(http.getProtocol());
        return new ConnectionFactory[] {
            new SslConnectionFactory(new JettyTls(tls, counters), alpn.getProtocol()), alpn,
            unlimited(new HTTP2ServerConnectionFactory(settings)), http
        };
    }

    /** Jetty's limit on frames a second would take a load for an attack. */
    private static <T extends org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory> T
            unlimited(T factory) {
        factory.setRateControlFactory(
            new org.eclipse.jetty.http2.parser.RateControl.Factory() { });
        return factory;
    }
}
