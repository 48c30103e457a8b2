// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Which TLS implementation does a side use? Here, {@code javax.net.ssl} with some provider;
 * subclasses have libraries with APIs of their own, and programs.
 */
class Stack {
    /** The ALPN protocol that both sides have. */
    static final String PROTOCOL_SPOKEN = "kit/1";

    private final SSLContext context;
    private final boolean isPinned;
    private final boolean hasEnginesOnly;

    /**
     * @param name the name of its key and certificate; empty for none
     * @param isPinned whether it must have only the row's protocol and suite
     */
    Stack(Path identities, String name, boolean isPinned)
            throws GeneralSecurityException, IOException {
        this(Identities.context(identities, name, null), isPinned, false);
    }

    /** @param hasEnginesOnly whether its sockets are unusable, as they cannot be half closed */
    Stack(SSLContext context, boolean isPinned, boolean hasEnginesOnly) {
        this.context = context;
        this.isPinned = isPinned;
        this.hasEnginesOnly = hasEnginesOnly;
    }

    SSLContext context() {
        return context;
    }

    /** A connection to the server at that port, before its handshake. */
    Tls connect(Row row, int port) throws IOException {
        Socket tcp = socket(row);
        try {
            tcp.connect(new InetSocketAddress("127.0.0.1", port), Conversation.READ_TIMEOUT_MS);
            return client(row, prepared(tcp));
        } catch (IOException | RuntimeException e) {
            tcp.close();
            throw e;
        }
    }

    /** Waits for clients of the row, at a port that the system chooses. */
    RowListener listen(Row row) throws IOException {
        InetAddress address = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        ServerSocket listener = new ServerSocket(0, 1, address) {
            @Override
            public Socket accept() throws IOException {
                Socket tcp = socket(row);
                implAccept(tcp);
                return tcp;
            }
        };
        listener.setSoTimeout(Conversation.READ_TIMEOUT_MS);
        return new RowListener() {
            @Override
            public int port() {
                return listener.getLocalPort();
            }

            @Override
            public Tls accept() throws IOException {
                return server(row, prepared(listener.accept()));
            }

            @Override
            public void close() throws IOException {
                listener.close();
            }
        };
    }

    /** Watched only for the JDK under test: another library may need a socket that is not ours. */
    private Socket socket(Row row) {
        boolean isWatched = row.has(Row.FEATURE, "keyupdate") || row.has(Row.FEATURE, "hrr");
        return isWatched && !isPinned ? new WatchedSocket() : new Socket();
    }

    private static Socket prepared(Socket tcp) throws IOException {
        tcp.setSoTimeout(Conversation.READ_TIMEOUT_MS);
        tcp.setTcpNoDelay(true);
        return tcp;
    }

    /** The client's side of a connection. */
    Tls client(Row row, Socket tcp) throws IOException {
        int port = tcp.getPort();
        if (byEngine(row)) {
            SSLEngine engine = context.createSSLEngine("localhost", port);
            engine.setUseClientMode(true);
            engine.setSSLParameters(ofClient(row, engine.getSSLParameters()));
            return new EngineTls(tcp, engine);
        }
        SSLSocket socket =
            (SSLSocket) context.getSocketFactory().createSocket(tcp, "localhost", port, true);
        socket.setSSLParameters(ofClient(row, socket.getSSLParameters()));
        return new SocketTls(tcp, socket);
    }

    /** The server's side of a connection. */
    Tls server(Row row, Socket tcp) throws IOException {
        if (byEngine(row)) {
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(false);
            engine.setSSLParameters(ofServer(row, engine.getSSLParameters()));
            return new EngineTls(tcp, engine);
        }
        SSLSocket socket =
            (SSLSocket) context.getSocketFactory().createSocket(tcp, null, tcp.getPort(), true);
        socket.setUseClientMode(false);
        socket.setSSLParameters(ofServer(row, socket.getSSLParameters()));
        return new SocketTls(tcp, socket);
    }

    private boolean byEngine(Row row) {
        return hasEnginesOnly || row.has(Row.API, "SSLEngine") && !isPinned;
    }

    SSLParameters ofClient(Row row, SSLParameters parameters) {
        pin(row, parameters);
        if (!isPinned) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        if (row.get(Row.FEATURE).endsWith("sni")) {
            parameters.setServerNames(Collections.singletonList(new SNIHostName(Minter.HOST)));
        }
        if (row.get(Row.FEATURE).endsWith("alpn")) {
            Tls.offer(parameters, protocolsOfClient(row).toArray(new String[0]));
        }
        return parameters;
    }

    SSLParameters ofServer(Row row, SSLParameters parameters) {
        pin(row, parameters);
        String feature = row.get(Row.FEATURE);
        if (feature.startsWith("client-cert") || feature.startsWith("refuse-client")
                || Musts.asksForCertificate(row)) {
            parameters.setNeedClientAuth(true);
        }
        if (feature.endsWith("alpn")) {
            Tls.offer(parameters, protocolsOfServer().toArray(new String[0]));
        }
        if (feature.equals("refuse-sni")) {
            parameters.setSNIMatchers(
                Collections.singletonList(SNIHostName.createSNIMatcher("www\\.other\\.test")));
        }
        return parameters;
    }

    static List<String> protocolsOfClient(Row row) {
        return row.has(Row.FEATURE, "refuse-alpn") ? Arrays.asList("kit/9")
            : Arrays.asList("kit/2", PROTOCOL_SPOKEN);
    }

    static List<String> protocolsOfServer() {
        return Arrays.asList(PROTOCOL_SPOKEN, "http/1.1");
    }

    private void pin(Row row, SSLParameters parameters) {
        if (isPinned && !row.has(Row.PROTOCOL, Row.ANY)) {
            parameters.setProtocols(new String[] {row.get(Row.PROTOCOL)});
        }
        if (isPinned && !row.has(Row.SUITE, Row.ANY)) {
            parameters.setCipherSuites(new String[] {row.get(Row.SUITE)});
        }
    }
}
