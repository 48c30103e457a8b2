// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.Socket;
import java.security.AlgorithmConstraints;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/**
 * Does each setting of SSLParameters stay, wherever it is set, and has an accepted socket those of
 * its server socket? What two of them do on the wire, too, and what has no setter there.
 */
final class ParametersKept implements Topic {
    private static final int WITHIN_MS = 15_000;
    private static final int PACKET_BYTES = 1_000;
    private static final String HOST = "www.example.com";
    private static final Map<String, Object> SETTINGS = settings();
    private static final String[] HOLDERS = {"engine", "socket", "server-socket", "accepted"};

    private static Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("CipherSuites", new String[] {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"});
        settings.put("Protocols", new String[] {"TLSv1.2"});
        settings.put("NeedClientAuth", true);
        settings.put("WantClientAuth", true);
        settings.put("UseCipherSuitesOrder", false);
        settings.put("EndpointIdentificationAlgorithm", "LDAPS");
        settings.put("ServerNames", Collections.singletonList(new SNIHostName(HOST)));
        settings.put("SNIMatchers", Collections.singletonList(SNIHostName.createSNIMatcher("a")));
        settings.put("AlgorithmConstraints", new Permitting());
        settings.put("ApplicationProtocols", new String[] {"first", "second"});
        settings.put("MaximumPacketSize", 4_000);
        settings.put("EnableRetransmissions", false);
        settings.put("SignatureSchemes", new String[] {"rsa_pss_rsae_sha256"});
        settings.put("NamedGroups", new String[] {"secp256r1"});
        return settings;
    }

    @Override
    public String name() {
        return "parameter";
    }

    @Override
    public void declare(TopicRows rows) {
        for (String setting : SETTINGS.keySet()) {
            for (String holder : HOLDERS) {
                rows.row("parameter." + setting + "." + holder, "SSLParameters.set" + setting
                    + (holder.equals("accepted") ? " is set for a server's socket; what has a"
                        + " socket that it accepts?" : "; what does the " + holder + " name"
                        + " afterwards?"), () -> kept(setting, holder)).within(WITHIN_MS);
            }
        }
        for (String protocol : new String[] {"TLSv1.3", "TLSv1.2"}) {
            for (boolean isSocket : new boolean[] {true, false}) {
                rows.row("parameter.packet-size." + (isSocket ? "socket." : "engine.") + protocol,
                    (isSocket ? "an SSLSocket" : "an SSLEngine") + " of " + protocol + " sends 10,000"
                    + " bytes, its packets are to have " + PACKET_BYTES,
                    () -> isSocket ? socketRecords(protocol) : engineRecords(protocol))
                    .within(WITHIN_MS);
            }
            for (String side : new String[] {"client", "server", "client-again", "server-again"}) {
                rows.row("parameter.no-new-session." + side + "." + protocol, "a " + side.substring(0, 6)
                    + " of " + protocol + " must make no new session"
                    + (side.endsWith("again") ? ", and there was one before" : ""),
                    () -> noNewSession(protocol, side)).within(WITHIN_MS);
            }
        }
        rows.row("parameter.chosen-by-accepted", "the application protocols of a server's socket;"
            + " which is chosen for a client?", ParametersKept::chosen).within(WITHIN_MS);
    }

    /** Permits all. */
    private static final class Permitting implements AlgorithmConstraints {
        @Override
        public boolean permits(java.util.Set<java.security.CryptoPrimitive> primitives,
                String algorithm, java.security.AlgorithmParameters parameters) {
            return true;
        }

        @Override
        public boolean permits(java.util.Set<java.security.CryptoPrimitive> primitives,
                java.security.Key key) {
            return true;
        }

        @Override
        public boolean permits(java.util.Set<java.security.CryptoPrimitive> primitives,
                String algorithm, java.security.Key key,
                java.security.AlgorithmParameters parameters) {
            return true;
        }

        @Override
        public String toString() {
            return "its own";
        }
    }

    private static Method method(String prefix, String setting) {
        for (Method method : SSLParameters.class.getMethods()) {
            if (method.getName().equals(prefix + setting)) {
                return method;
            }
        }
        throw new Absent("SSLParameters." + prefix + setting);
    }

    private static void set(SSLParameters parameters, String setting) throws Exception {
        try {
            method("set", setting).invoke(parameters, SETTINGS.get(setting));
        } catch (InvocationTargetException e) {
            throw (Exception) e.getCause();
        }
    }

    private static String get(SSLParameters parameters, String setting) throws Exception {
        Object got = method("get", setting).invoke(parameters);
        if (got instanceof Object[]) {
            return Arrays.toString((Object[]) got);
        }
        return got instanceof Collection && setting.equals("SNIMatchers")
            ? ((Collection<?>) got).size() + " matchers" : String.valueOf(got);
    }

    private static String kept(String setting, String holder) throws Exception {
        SSLContext context = RowsIdentity.serverContext();
        method("set", setting);
        if (holder.equals("engine")) {
            SSLEngine engine = context.createSSLEngine();
            SSLParameters parameters = engine.getSSLParameters();
            set(parameters, setting);
            engine.setSSLParameters(parameters);
            return get(engine.getSSLParameters(), setting);
        }
        if (holder.equals("socket")) {
            SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket();
            SSLParameters parameters = socket.getSSLParameters();
            set(parameters, setting);
            socket.setSSLParameters(parameters);
            return get(socket.getSSLParameters(), setting);
        }
        try (SSLServerSocket listener = listener(context)) {
            SSLParameters parameters = listener.getSSLParameters();
            set(parameters, setting);
            listener.setSSLParameters(parameters);
            if (holder.equals("server-socket")) {
                return get(listener.getSSLParameters(), setting);
            }
            try (Socket client = new Socket(TlsPeer.loopback(), listener.getLocalPort());
                    SSLSocket accepted = (SSLSocket) listener.accept()) {
                return get(accepted.getSSLParameters(), setting);
            }
        }
    }

    private static SSLServerSocket listener(SSLContext context) throws IOException {
        return (SSLServerSocket) context.getServerSocketFactory()
            .createServerSocket(0, Listener.BACKLOG, TlsPeer.loopback());
    }

    private static String chosen() throws Exception {
        SSLServerSocket listener = listener(RowsIdentity.serverContext());
        SSLParameters parameters = listener.getSSLParameters();
        set(parameters, "ApplicationProtocols");
        listener.setSSLParameters(parameters);
        try (Listener server = new Listener("chosen", listener,
                (socket, number) -> TlsServer.echo((SSLSocket) socket))) {
            server.start();
            try (SSLSocket socket = (SSLSocket) RowsIdentity.clientContext().getSocketFactory()
                    .createSocket(TlsPeer.loopback(), server.address().getPort())) {
                SSLParameters own = socket.getSSLParameters();
                set(own, "ApplicationProtocols");
                socket.setSSLParameters(own);
                TlsClient.exchange(socket);
                return String.valueOf(
                    SSLSocket.class.getMethod("getApplicationProtocol").invoke(socket));
            }
        }
    }

    private static String engineRecords(String protocol) throws Exception {
        EngineTalk talk = EngineTalk.rsa(protocol);
        setPacketSize(talk.client.engine.getSSLParameters(), talk.client.engine::setSSLParameters);
        talk.run();
        if (!talk.client.failure.isEmpty() || !talk.server.failure.isEmpty()) {
            return talk.ends();
        }
        int begin = talk.client.sent.size();
        talk.client.send(new byte[10_000]);
        return lengths(Arrays.copyOfRange(talk.client.sent.toByteArray(), begin,
            talk.client.sent.size())) + talk.run().server.read.size() + " bytes read";
    }

    private static String socketRecords(String protocol) throws Exception {
        EnginePeer peer = new EnginePeer(RowsIdentity.serverContext(), false);
        MemorySocket below = new MemorySocket(peer);
        SSLSocket socket = (SSLSocket) RowsIdentity.clientContext().getSocketFactory()
            .createSocket(below, "localhost", 443, true);
        try {
            socket.setEnabledProtocols(new String[] {protocol});
        } catch (IllegalArgumentException e) {
            throw new Absent(protocol);
        }
        setPacketSize(socket.getSSLParameters(), socket::setSSLParameters);
        socket.startHandshake();
        int begin = below.sent().length;
        socket.getOutputStream().write(new byte[10_000]);
        byte[] sent = below.sent();
        peer.answer(sent);
        return lengths(Arrays.copyOfRange(sent, begin, sent.length)) + peer.text().length()
            + " bytes read";
    }

    private static void setPacketSize(SSLParameters parameters,
            java.util.function.Consumer<SSLParameters> holder) throws Exception {
        method("set", "MaximumPacketSize").invoke(parameters, PACKET_BYTES);
        holder.accept(parameters);
    }

    /** CBC splits the first record in two against BEAST; the rest is of one length. */
    private static String lengths(byte[] records) {
        int count = 0;
        int longest = 0;
        for (int at = 0; at + 5 <= records.length; count++) {
            int length = 5 + ((records[at + 3] & 0xff) << 8 | records[at + 4] & 0xff);
            longest = Math.max(longest, length);
            at += length;
        }
        return count + " records, the longest of " + longest + "; ";
    }

    private static String noNewSession(String protocol, String side) throws Exception {
        SSLContext client = RowsIdentity.clientContext();
        SSLContext server = RowsIdentity.serverContext();
        String host = side + "." + protocol + ".no-new-session.example";
        if (side.endsWith("again")) {
            EngineTalk talk = new EngineTalk(client, server, host, 443).protocol(protocol).run();
            talk.client.send(new byte[1]);
            talk.run();
        }
        EngineTalk talk = new EngineTalk(client, server, host, 443).protocol(protocol);
        (side.startsWith("client") ? talk.client : talk.server).engine.setEnableSessionCreation(false);
        return talk.run().ends().replaceAll(" TLS_\\w+", "");
    }
}
