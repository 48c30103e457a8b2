// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.http2.Http2CConnectorFactory;
import io.dropwizard.http2.Http2ConnectorFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import io.dropwizard.logging.common.BootstrapLogging;
import io.dropwizard.request.logging.LogbackAccessRequestLogFactory;
import io.dropwizard.util.Duration;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.LoggerFactory;

/**
 * What does Dropwizard 5 on the JDK under test (17+) cost? Like {@code DropwizardService}, but with
 * Jakarta EE in place of Java EE, and only the echo, as a Jersey resource.
 *
 * <pre>java -cp CLASSES:JARS Dropwizard5Service [tls=none|jsse|conscrypt] [key=ec|rsa]
 * [tickets=true]</pre>
 */
public final class Dropwizard5Service implements PeerProcess.Program {
    private static final Duration IDLE = Duration.hours(1);
    private static final int BACKLOG = 16_384;

    private final ServiceCounters counters = new ServiceCounters();

    public static void main(String[] args) throws IOException {
        BootstrapLogging.bootstrap(Level.OFF);
        // As an application configures it; otherwise, Jetty builds all its debug messages.
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.INFO);
        PeerProcess.run(args, new Dropwizard5Service());
    }

    @Override
    public int start(Arguments arguments) throws Exception {
        ServiceSettings tls =
            new ServiceSettings(arguments, ServiceTls.JSSE, ServiceTls.CONSCRYPT);
        arguments.end();
        counters.costs.collects(tls.collects);
        LogbackAccessRequestLogFactory noLog = new LogbackAccessRequestLogFactory();
        noLog.setAppenders(List.of());
        DefaultServerFactory factory = new DefaultServerFactory();
        factory.setApplicationConnectors(List.of(connector(tls)));
        factory.setAdminConnectors(List.of());
        factory.setRegisterDefaultExceptionMappers(true);
        factory.setRequestLogFactory(noLog);
        Environment environment = new Environment("service");
        environment.jersey().register(new Echo5Resource(counters));
        Server server = factory.build(environment);
        ServerConnector connector = (ServerConnector) server.getConnectors()[0];
        connector.addBean(new JettyCounts(counters));
        server.start();
        return connector.getLocalPort();
    }

    @Override
    public Map<String, Long> counters() {
        return counters.values();
    }

    private HttpConnectorFactory connector(ServiceSettings tls) throws Exception {
        HttpConnectorFactory connector;
        if (tls.tls == ServiceTls.NONE) {
            connector = new Http2CConnectorFactory();
        } else {
            SslContextFactory.Server ssl = new JettyTls(tls, counters);
            connector = new Http2ConnectorFactory() {
                @Override
                protected SslContextFactory.Server configureSslContextFactory(
                        SslContextFactory own) {
                    return ssl;
                }
            };
        }
        connector.setPort(0);
        connector.setBindHost("127.0.0.1");
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(IDLE);
        return connector;
    }
}
