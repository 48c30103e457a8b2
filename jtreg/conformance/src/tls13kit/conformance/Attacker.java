// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.conformance;

import de.rub.nds.tlsattacker.core.config.Config;
import de.rub.nds.tlsattacker.core.connection.InboundConnection;
import de.rub.nds.tlsattacker.core.connection.OutboundConnection;
import de.rub.nds.tlsattacker.core.constants.AlertDescription;
import de.rub.nds.tlsattacker.core.constants.AlertLevel;
import de.rub.nds.tlsattacker.core.constants.RunningModeType;
import de.rub.nds.tlsattacker.core.protocol.ProtocolMessage;
import de.rub.nds.tlsattacker.core.protocol.message.AlertMessage;
import de.rub.nds.tlsattacker.core.state.State;
import de.rub.nds.tlsattacker.core.workflow.DefaultWorkflowExecutor;
import de.rub.nds.tlsattacker.core.workflow.WorkflowTrace;
import de.rub.nds.tlsattacker.core.workflow.WorkflowTraceResultUtil;
import de.rub.nds.tlsattacker.transport.TransportHandler;
import de.rub.nds.tlsattacker.transport.tcp.ClientTcpTransportHandler;
import de.rub.nds.tlsattacker.transport.tcp.ServerTcpTransportHandler;
import de.rub.nds.x509attacker.context.X509Context;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Security;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;
import org.apache.logging.log4j.simple.SimpleLoggerContextFactory;
import org.bouncycastle.jce.provider.BouncyCastleProvider;

/**
 * A peer, built on TLS-Attacker, that breaks one rule of RFC 8446, or none, and reports how the
 * other side answers. {@code test/interop/lib/NamedPeer.java} finds it by name.
 */
public final class Attacker implements Callable<Map<String, String>>, IntSupplier, Closeable {
    private static final String MUST = "must-";
    private static final int TIMEOUT_MS = 5000;
    private static final int SILENCE_MS = 1000;

    static {
        // Log nothing: log4j-core, which would log otherwise, takes half a second to start.
        System.setProperty("log4j2.loggerContextFactory", SimpleLoggerContextFactory.class.getName());
        System.setProperty("org.apache.logging.log4j.simplelog.level", "OFF");
        Security.addProvider(new BouncyCastleProvider());
    }

    /** The rule for which the server has an RSA key. */
    private static final String OF_AN_RSA_KEY = "4.4.3-pkcs1-signature";

    private final ServerSocket listener;
    private final FutureTask<Map<String, String>> talk;

    /**
     * Starts to listen, or to connect; the exchange runs on a thread of its own.
     *
     * @param row its {@code feature} is {@code must-} and the name of the rule to break
     * @param identities a folder with ec256.key, ec256.crt, rsa.key and rsa.crt, in PEM
     * @param port the port of the server to connect to; negative to be the server
     */
    public Attacker(Map<String, String> row, Path identities, int port)
            throws IOException, GeneralSecurityException {
        String rule = row.get("feature").substring(MUST.length());
        Identity identity = rule.equals(OF_AN_RSA_KEY) ? Identity.ofRsa(identities)
            : Identity.ofEc(identities);
        boolean isServer = port < 0;
        listener = isServer ? new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1")) : null;
        Config config = Rules.config(isServer);
        config.setDefaultExplicitCertificateChain(identity.chain());
        if (isServer) {
            config.setDefaultServerConnection(
                new InboundConnection("server", listener.getLocalPort()));
        } else {
            config.setDefaultClientConnection(new OutboundConnection("client", port, "127.0.0.1"));
        }
        WorkflowTrace trace = Rules.trace(rule, config, isServer);
        State state = new State(config, trace);
        X509Context own = isServer ? state.getTlsContext().getServerX509Context()
            : state.getTlsContext().getClientX509Context();
        identity.giveTo(own);
        talk = new FutureTask<>(() -> run(state, trace, port));
        Thread thread = new Thread(talk, "attacker " + rule);
        thread.setDaemon(true);
        thread.start();
    }

    /** The port on which it listens. */
    @Override
    public int getAsInt() {
        return listener.getLocalPort();
    }

    /** How the other side answered: {@code answered=illegal_parameter}, or {@code none}. */
    @Override
    public Map<String, String> call() throws Exception {
        try {
            return talk.get(2 * TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        } catch (TimeoutException e) {
            throw new IOException("the attacker hangs", e);
        }
    }

    @Override
    public void close() throws IOException {
        if (listener != null) {
            listener.close();
        }
    }

    private Map<String, String> run(State state, WorkflowTrace trace, int port) throws IOException {
        if (listener != null) {
            listener.setSoTimeout(TIMEOUT_MS);
        }
        Heard heard = new Heard();
        TransportHandler tcp = listener == null ? client(port, heard) : server(heard);
        state.getTlsContext().setTransportHandler(tcp);
        tcp.initialize();
        try {
            new DefaultWorkflowExecutor(state).executeWorkflow();
            if (heard.plainAlert() < 0 && answer(trace).equals("none")) {
                tcp.fetchData();    // the alert may come only after the last action
            }
        } catch (IOException e) {
            // a reset: any answer has come before it
        } finally {
            tcp.closeConnection();
        }
        int plain = heard.plainAlert();
        Map<String, String> seen = new LinkedHashMap<>();
        seen.put("answered", plain < 0 ? answer(trace) : name((byte) plain));
        return seen;
    }

    private static TransportHandler client(int port, Heard heard) {
        return new ClientTcpTransportHandler(TIMEOUT_MS, SILENCE_MS, "127.0.0.1", port) {
            @Override
            public byte[] fetchData() throws IOException {
                return heard.add(super.fetchData());
            }

            @Override
            public byte[] fetchData(int amount) throws IOException {
                return heard.add(super.fetchData(amount));
            }
        };
    }

    private TransportHandler server(Heard heard) throws IOException {
        return new ServerTcpTransportHandler(TIMEOUT_MS, SILENCE_MS, listener) {
            @Override
            public byte[] fetchData() throws IOException {
                return heard.add(super.fetchData());
            }

            @Override
            public byte[] fetchData(int amount) throws IOException {
                return heard.add(super.fetchData(amount));
            }
        };
    }

    /** The alert received as a message: the first fatal one, otherwise the last. */
    private static String answer(WorkflowTrace trace) {
        String answer = "none";
        for (ProtocolMessage message : WorkflowTraceResultUtil.getAllReceivedMessages(trace)) {
            if (message instanceof AlertMessage) {
                AlertMessage alert = (AlertMessage) message;
                answer = name(alert.getDescription().getValue());
                if (alert.getLevel().getValue() == AlertLevel.FATAL.getValue()) {
                    return answer;
                }
            }
        }
        return answer;
    }

    private static String name(byte description) {
        AlertDescription found = AlertDescription.getAlertDescription(description);
        return found == null ? "unknown" : found.name().toLowerCase(Locale.ROOT);
    }
}
