// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.unixdomain.server.UnixDomainServerConnector;
import org.eclipse.jetty.util.Callback;

/**
 * What does Jetty 12 on the JDK under test (17+) cost? Like {@code JettyService}, but HAProxy
 * passes on only HTTP/1.1, over TCP or a Unix socket. Jetty supports the latter since the JDK has
 * such sockets (JEP 380).
 *
 * <pre>java -cp CLASSES:JARS Jetty12Service [tls=none|jsse|conscrypt|haproxy] [key=ec|rsa]
 * [tickets=true] [program=HAPROXY] [front=unix|tcp]</pre>
 */
public final class Jetty12Service implements PeerProcess.Program {
    private static final long IDLE_MS = 3_600_000;
    private static final int BACKLOG = 16_384;

    private final ServiceCounters counters = new ServiceCounters();
    private TlsFront front;

    public static void main(String[] args) throws IOException {
        System.setProperty("org.eclipse.jetty.LEVEL", "WARN");
        PeerProcess.run(args, new Jetty12Service());
    }

    @Override
    public int start(Arguments arguments) throws Exception {
        ServiceSettings tls = new ServiceSettings(
            arguments, ServiceTls.JSSE, ServiceTls.CONSCRYPT, ServiceTls.HAPROXY);
        String program = arguments.text("program", null);
        String way = arguments.text("front", "unix");
        arguments.end();
        if (!way.equals("unix") && !way.equals("tcp")) {
            throw new IllegalArgumentException("front=" + way + ": give unix or tcp");
        }
        counters.costs.collects(tls.collects);
        Server server = new Server();
        server.setHandler(new Echo());
        if (tls.tls != ServiceTls.HAPROXY) {
            return listening(server, tls);
        }
        String target = way.equals("unix")
            ? "unix@" + atSocket(server, tls) : "127.0.0.1:" + listening(server, tls);
        front = new TlsFront(program, target, "http/1.1", tls);
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

    private int listening(Server server, ServiceSettings tls) throws Exception {
        ServerConnector connector = new ServerConnector(server, factories(tls));
        connector.setHost("127.0.0.1");
        connector.setAcceptQueueSize(BACKLOG);
        start(server, connector);
        return connector.getLocalPort();
    }

    private Path atSocket(Server server, ServiceSettings tls) throws Exception {
        Path folder = Files.createTempDirectory("service");
        Path socket = folder.resolve("socket");
        folder.toFile().deleteOnExit();
        socket.toFile().deleteOnExit();
        UnixDomainServerConnector connector =
            new UnixDomainServerConnector(server, factories(tls));
        connector.setUnixDomainPath(socket);
        connector.setAcceptQueueSize(BACKLOG);
        start(server, connector);
        return socket;
    }

    private void start(Server server, AbstractConnector connector) throws Exception {
        connector.setIdleTimeout(IDLE_MS);
        connector.addBean(new JettyCounts(counters));
        server.addConnector(connector);
        server.start();
    }

    private ConnectionFactory[] factories(ServiceSettings tls) throws Exception {
        HttpConfiguration settings = new HttpConfiguration();
        settings.setSendServerVersion(false);
        settings.setSendDateHeader(false);
        HttpConnectionFactory http = new HttpConnectionFactory(settings);
        if (tls.tls == ServiceTls.NONE || tls.tls == ServiceTls.HAPROXY) {
            HTTP2CServerConnectionFactory h2c = new HTTP2CServerConnectionFactory(settings);
            h2c.setRateControlFactory(
                new org.eclipse.jetty.http2.RateControl.Factory() { });
            return new ConnectionFactory[] {http, h2c};
        }
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory("h2", "http/1.1");
        alpn.setDefaultProtocol(http.getProtocol());
        HTTP2ServerConnectionFactory h2 = new HTTP2ServerConnectionFactory(settings);
        h2.setRateControlFactory(new org.eclipse.jetty.http2.RateControl.Factory() { });
        return new ConnectionFactory[] {
            new SslConnectionFactory(new JettyTls(tls, counters), alpn.getProtocol()), alpn, h2, http
        };
    }

    private final class Echo extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback)
                throws IOException {
            counters.peer.requests.increment();
            response.getHeaders().put("Content-Type", "application/octet-stream");
            response.getHeaders().put("Content-Length", Math.max(0, request.getLength()));
            try (OutputStream out = Content.Sink.asOutputStream(response)) {
                counters.echo(Content.Source.asInputStream(request), out);
            }
            callback.succeeded();
            return true;
        }
    }
}
