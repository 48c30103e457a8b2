// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import ch.qos.logback.access.spi.IAccessEvent;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.dropwizard.Configuration;
import io.dropwizard.http2.Http2CConnectorFactory;
import io.dropwizard.http2.Http2ConnectorFactory;
import io.dropwizard.jetty.ConnectorFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import io.dropwizard.logging.BootstrapLogging;
import io.dropwizard.logging.FileAppenderFactory;
import io.dropwizard.request.logging.LogbackAccessRequestLogFactory;
import io.dropwizard.server.DefaultServerFactory;
import io.dropwizard.setup.Environment;
import io.dropwizard.util.Duration;
import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.LoggerFactory;

/**
 * What does Dropwizard on the JDK under test cost, and what does each of its layers? To compare,
 * the same Jetty answers by a handler or a servlet alone. One connector, for HTTP/1.1 and HTTP/2.
 *
 * <pre>java -cp CLASSES:JARS DropwizardService [tls=none|jsse|conscrypt] [key=ec|rsa]
 * [tickets=true] [as=jetty-handler|jetty-servlet|servlet|streaming|writer|sample]
 * [log_queue=0]</pre>
 *
 * <p>{@code streaming}, {@code writer} and {@code sample} are a Jersey resource that writes JSON by
 * itself, with a serializer of its own, and with Dropwizard's. With a {@code log_queue}, requests
 * are logged to a file through a queue of that length.
 */
public final class DropwizardService implements PeerProcess.Program {
    private static final List<String> KINDS = Arrays.asList(
        "jetty-handler", "jetty-servlet", "servlet", "streaming", "writer", "sample");
    private static final Duration IDLE = Duration.hours(1);
    private static final int BACKLOG = 16_384;
    private static final int LONGEST_QUEUE = 1 << 20;

    private final ServiceCounters counters = new ServiceCounters();
    private String as;
    private ServiceSettings tls;
    private int logQueue;

    public static void main(String[] args) throws IOException {
        BootstrapLogging.bootstrap(Level.OFF);
        // As an application configures it; otherwise, Jetty builds all its debug messages.
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.INFO);
        PeerProcess.run(args, new DropwizardService());
    }

    @Override
    public int start(Arguments arguments) throws Exception {
        tls = new ServiceSettings(arguments, ServiceTls.JSSE, ServiceTls.CONSCRYPT);
        as = arguments.text("as", "sample");
        logQueue = (int) arguments.number("log_queue", 0, LONGEST_QUEUE);
        arguments.end();
        counters.costs.collects(tls.collects);
        if (!KINDS.contains(as)) {
            throw new IllegalArgumentException("as=" + as + ": give one of " + KINDS);
        }
        Server server = as.startsWith("jetty-") ? jetty() : dropwizard();
        server.getConnectors()[0].addBean(new JettyCounts(counters));
        server.start();
        return ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    }

    @Override
    public Map<String, Long> counters() {
        return counters.values();
    }

    private Server jetty() {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(IDLE.toMilliseconds());
        server.addConnector(connector);
        AnswerServlet servlet = new AnswerServlet(counters);
        if (as.equals("jetty-servlet")) {
            ServletContextHandler context = new ServletContextHandler();
            context.addServlet(new ServletHolder(servlet), "/*");
            server.setHandler(context);
            return server;
        }
        server.setHandler(new AbstractHandler() {
            @Override
            public void handle(String target, Request base, HttpServletRequest request,
                    HttpServletResponse response) throws IOException, ServletException {
                base.setHandled(true);
                servlet.service(request, response);
            }
        });
        return server;
    }

    private Server dropwizard() throws Exception {
        DefaultServerFactory factory = new DefaultServerFactory();
        factory.setApplicationConnectors(Collections.singletonList(connector()));
        factory.setAdminConnectors(Collections.emptyList());
        factory.setRegisterDefaultExceptionMappers(true);
        factory.setRequestLogFactory(requestLog());
        Configuration configuration = new Configuration();
        configuration.setServerFactory(factory);
        Environment environment = new Environment("service");
        if (as.equals("servlet")) {
            environment.jersey().disable();
            environment.servlets().addServlet("answers", new AnswerServlet(counters))
                .addMapping("/*");
        } else {
            if (as.equals("writer")) {
                environment.jersey().register(new SayingWriter());
            }
            environment.jersey()
                .register(new AnswerResource(counters, as.equals("streaming")));
        }
        return factory.build(environment);
    }

    private ConnectorFactory connector() throws Exception {
        HttpConnectorFactory connector;
        if (tls.tls == ServiceTls.NONE) {
            connector = new Http2CConnectorFactory();
        } else {
            SslContextFactory ssl = new JettyTls(tls, counters);
            connector = new Http2ConnectorFactory() {
                @Override
                protected SslContextFactory configureSslContextFactory(SslContextFactory own) {
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

    private LogbackAccessRequestLogFactory requestLog() throws IOException {
        LogbackAccessRequestLogFactory log = new LogbackAccessRequestLogFactory();
        if (logQueue == 0) {
            log.setAppenders(Collections.emptyList());
            return log;
        }
        File file = File.createTempFile("requests-", ".log");
        file.deleteOnExit();
        FileAppenderFactory<IAccessEvent> appender = new FileAppenderFactory<>();
        appender.setCurrentLogFilename(file.getPath());
        appender.setArchive(false);
        appender.setQueueSize(logQueue);
        log.setAppenders(Collections.singletonList(appender));
        return log;
    }
}
