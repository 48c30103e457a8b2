// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.AlgorithmConstraints;
import java.security.AlgorithmParameters;
import java.security.CryptoPrimitive;
import java.security.Key;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Is what an application sets for a socket, an engine or a session obeyed? */
final class SocketSettings implements Topic {
    private static final int TIMEOUT_MS = 500;
    private static final int TOLD_WITHIN_S = 3;
    private static final int WITHIN_MS = 15_000;
    private static final int SESSION_TICKET = 35;
    private static final int LIFE_S = 1;

    @Override
    public String name() {
        return "setting";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String protocol : new String[] {"TLSv1.3", "TLSv1.2"}) {
            rows.row("setting.session.invalidated." + protocol, "a client of " + protocol
                + " invalidates its session; does its next hello offer it?",
                () -> again(protocol, "ended", (context, session) -> session.invalidate())).within(WITHIN_MS);
            rows.row("setting.session.timeout." + protocol, "a client of " + protocol + " keeps its"
                + " sessions for " + LIFE_S + " s; after that, does its next hello offer one?",
                () -> again(protocol, "old", (context, session) -> {
                    context.getClientSessionContext().setSessionTimeout(LIFE_S);
                    Thread.sleep(LIFE_S * 1_500);
                })).within(WITHIN_MS);
            rows.row("setting.session.peer." + protocol, "a client of " + protocol + " resumes its"
                + " session; whose certificates does it have?", () -> again(protocol, "kept", (context, session) -> { })).within(WITHIN_MS);
            for (String id : new String[] {"kept", "invalidated", "cache-of-1", "cut-to-1"}) {
                rows.row("setting.context." + id + "." + protocol, "a client of " + protocol
                    + " connects to two hosts; what has its SSLSessionContext, " + id + "?",
                    () -> context(protocol, id)).within(WITHIN_MS);
            }
        }
        rows.row("setting.finished.TLSv1.3", "a client of TLS 1.3 sends a wrong Finished", () -> {
            try (TlsServer server = new TlsServer(Identity.serverContext(), TlsServer::echo);
                    RawClient client = RawClient.withWrongFinished(server.address())) {
                return client.answer();
            }
        }).within(WITHIN_MS);
        rows.row("setting.socket.selector", "a server's SSLSocket chooses the application protocol"
            + " by a function", SocketSettings::selected).within(WITHIN_MS);
        rows.row("setting.socket.listener", "a HandshakeCompletedListener is told of a handshake",
            SocketSettings::listened).within(WITHIN_MS);
        for (String protocol : new String[] {"TLSv1.3", "TLSv1.2"}) {
            rows.row("setting.socket.listener-resumed." + protocol, "a HandshakeCompletedListener is"
                + " told of a handshake of " + protocol + " that resumes a session",
                () -> listenedAgain(protocol)).within(WITHIN_MS);
        }
        rows.row("setting.socket.timeout", "a handshake with a silent server, and a read time-out"
            + " of " + TIMEOUT_MS + " ms", SocketSettings::silent).within(WITHIN_MS);
        rows.row("setting.engine.constraints", "a client's AlgorithmConstraints permit no suite of"
            + " AES_256", SocketSettings::constrained).within(WITHIN_MS);
    }

    private static EngineTalk talk(SSLContext client, SSLContext server, String protocol,
            String host) {
        EngineTalk talk = new EngineTalk(client, server, host, 443).protocol(protocol).run();
        talk.client.send(new byte[1]);
        talk.server.send(new byte[1]);
        return talk.run();
    }

    /** What an application does with its session before it connects again. */
    private interface Between {
        void apply(SSLContext context, SSLSession session) throws Exception;
    }

    private static String again(String protocol, String name, Between between) throws Exception {
        SSLContext client = RowsIdentity.clientContext();
        SSLContext server = RowsIdentity.serverContext();
        // Of its own: a JDK whose contexts share a cache would mix the rows up.
        String host = name + "." + protocol + ".example";
        EngineTalk first = talk(client, server, protocol, host);
        byte[] firstId = first.client.engine.getSession().getId();
        between.apply(client, first.client.engine.getSession());
        EngineTalk next = talk(client, server, protocol, host);
        SSLSession session = next.client.engine.getSession();
        ClientHello hello = next.hello();
        byte[] ticket = hello.extension(SESSION_TICKET);
        boolean offers = hello.extension(ClientHello.PRE_SHARED_KEY) != null
            || ticket != null && ticket.length > 0
            || firstId.length > 0 && Arrays.equals(hello.sessionId, firstId);
        return (offers ? "offers a session" : "offers none") + "; " + next.client.end() + "; "
            + session.getPeerCertificates().length + " certificates of the server";
    }

    /** Is the last session in the context by its id, and is it one of the ids? */
    private static String context(String protocol, String id) throws Exception {
        SSLContext client = RowsIdentity.clientContext();
        SSLContext server = RowsIdentity.serverContext();
        SSLSessionContext sessions = client.getClientSessionContext();
        if (id.equals("cache-of-1")) {
            sessions.setSessionCacheSize(1);
        }
        SSLSession session = null;
        for (String host : new String[] {"first", "last"}) {
            session = talk(client, server, protocol, host + "." + id + "." + protocol + ".example")
                .client.engine.getSession();
        }
        if (id.equals("invalidated")) {
            session.invalidate();
        } else if (id.equals("cut-to-1")) {
            sessions.setSessionCacheSize(1);
        }
        boolean isListed = false;
        int count = 0;
        for (byte[] each : java.util.Collections.list(sessions.getIds())) {
            isListed |= Arrays.equals(each, session.getId());
            count++;
        }
        return count + " ids, its own " + (isListed ? "too" : "not") + "; got by its id "
            + (sessions.getSession(session.getId()) != null) + "; size " + sessions.getSessionCacheSize();
    }

    private static String selected() throws Exception {
        BiFunction<SSLSocket, List<String>, String> last =
            (socket, names) -> names.get(names.size() - 1);
        try (TlsServer server = new TlsServer(RowsIdentity.serverContext(), socket -> {
            SSLSocket.class.getMethod("setHandshakeApplicationProtocolSelector", BiFunction.class)
                .invoke(socket, last);
            TlsServer.echo(socket);
        }); SSLSocket socket = open(server.address())) {
            SSLParameters parameters = socket.getSSLParameters();
            SSLParameters.class.getMethod("setApplicationProtocols", String[].class)
                .invoke(parameters, (Object) new String[] {"first", "second"});
            socket.setSSLParameters(parameters);
            TlsClient.exchange(socket);
            return "chosen: "
                + SSLSocket.class.getMethod("getApplicationProtocol").invoke(socket);
        } catch (NoSuchMethodException e) {
            throw new Absent("ALPN");
        }
    }

    private static SSLSocket open(InetSocketAddress server) throws Exception {
        SSLSocketFactory factory = RowsIdentity.clientContext().getSocketFactory();
        return (SSLSocket) factory.createSocket(server.getAddress(), server.getPort());
    }

    private static String listened() throws Exception {
        try (TlsServer server = new TlsServer(RowsIdentity.serverContext(), TlsServer::echo);
                SSLSocket socket = open(server.address())) {
            CountDownLatch told = new CountDownLatch(1);
            socket.addHandshakeCompletedListener(event -> told.countDown());
            TlsClient.exchange(socket);
            return told.await(TOLD_WITHIN_S, TimeUnit.SECONDS) ? "it is told" : "it is not told";
        }
    }

    private static String listenedAgain(String protocol) throws Exception {
        SSLContext client = RowsIdentity.clientContext();
        SSLContext server = RowsIdentity.serverContext();
        String seen = "";
        for (int i = 0; i < 2; i++) {
            EnginePeer peer = new EnginePeer(server, false).thenText("a").thenClose();
            SSLSocket socket = (SSLSocket) client.getSocketFactory()
                .createSocket(new MemorySocket(peer), "listened." + protocol, 443, true);
            try {
                socket.setEnabledProtocols(new String[] {protocol});
            } catch (IllegalArgumentException e) {
                throw new Absent(protocol);
            }
            CountDownLatch told = new CountDownLatch(1);
            long[] begunMs = {System.currentTimeMillis()};
            boolean[] isOld = {false};
            socket.addHandshakeCompletedListener(event -> {
                isOld[0] = event.getSession().getCreationTime() < begunMs[0];
                told.countDown();
            });
            socket.startHandshake();
            socket.getInputStream().read();
            seen = (told.await(TOLD_WITHIN_S, TimeUnit.SECONDS) ? "it is told" : "it is not told")
                + (isOld[0] ? " of the old session" : " of none that is older");
            Thread.sleep(2);    // the next session is younger
        }
        return seen;
    }

    private static String silent() throws Exception {
        try (ServerSocket server = new ServerSocket(0, Listener.BACKLOG, TlsPeer.loopback());
                SSLSocket socket = open((InetSocketAddress) server.getLocalSocketAddress());
                Socket peer = server.accept()) {
            socket.setSoTimeout(TIMEOUT_MS);
            try {
                socket.startHandshake();
                return "a handshake with " + peer.getPort();
            } catch (IOException e) {
                return Failure.text(e);
            }
        }
    }

    private static String constrained() throws Exception {
        EngineTalk talk = EngineTalk.rsa("TLSv1.3");
        SSLParameters parameters = talk.client.engine.getSSLParameters();
        parameters.setAlgorithmConstraints(new NoAes256());
        talk.client.engine.setSSLParameters(parameters);
        return talk.run().ends();
    }

    /** Permits all that has no AES of 256 bits. */
    private static final class NoAes256 implements AlgorithmConstraints {
        @Override
        public boolean permits(Set<CryptoPrimitive> primitives, String algorithm,
                AlgorithmParameters parameters) {
            return !algorithm.contains("AES_256");
        }

        @Override
        public boolean permits(Set<CryptoPrimitive> primitives, Key key) {
            return true;
        }

        @Override
        public boolean permits(Set<CryptoPrimitive> primitives, String algorithm, Key key,
                AlgorithmParameters parameters) {
            return permits(primitives, algorithm, parameters);
        }
    }
}
