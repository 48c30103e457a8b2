// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.Socket;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/** One side of a TLS connection, with whichever API or library. */
interface Tls extends Closeable {
    InputStream in() throws IOException;

    OutputStream out() throws IOException;

    /** The first call makes the handshake; in TLS 1.3, a later one sends a KeyUpdate. */
    void handshake() throws IOException;

    /**
     * What was negotiated, and what a server knows of its client.
     *
     * @param begunMs a session that was created before this time is a resumed one
     */
    Map<String, String> facts(long begunMs);

    /** When the session was created, in milliseconds since the epoch; 0 if that is unknown. */
    long createdMs();

    /** Sends close_notify. */
    void closeOutput() throws IOException;

    /** What {@code javax.net.ssl} reports, and what was seen on the wire. */
    static Map<String, String> facts(SSLSession session, Object socketOrEngine, Socket tcp,
            long begunMs) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(Row.PROTOCOL, session.getProtocol());
        facts.put(Row.SUITE, session.getCipherSuite());
        facts.put("resumed", Boolean.toString(session.getCreationTime() < begunMs));
        facts.put("alpn", agreedOn(socketOrEngine));
        facts.put("sni", requestedName(session));
        facts.put("client", principal(session));
        if (tcp instanceof WatchedSocket) {
            facts.put("updated", ((WatchedSocket) tcp).keysUpdated());
            facts.put("retried", Boolean.toString(((WatchedSocket) tcp).hasRetried()));
        }
        return facts;
    }

    /** The name that a client asked for; empty if none. */
    static String requestedName(SSLSession session) {
        List<SNIServerName> names = session instanceof ExtendedSSLSession
            ? ((ExtendedSSLSession) session).getRequestedServerNames() : Collections.emptyList();
        return names.isEmpty() ? "" : ((SNIHostName) names.get(0)).getAsciiName();
    }

    /** The name of the other side; empty if it is not authenticated. */
    static String principal(SSLSession session) {
        try {
            return session.getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException e) {
            return "";
        }
    }

    /** By reflection: ALPN came with 9 and 8u252, so it is not in the API of Java 8. */
    static void offer(SSLParameters parameters, String... protocols) {
        try {
            SSLParameters.class.getMethod("setApplicationProtocols", String[].class)
                .invoke(parameters, (Object) protocols);
        } catch (ReflectiveOperationException e) {
            throw new Unsupported("no ALPN", e);
        }
    }

    static String agreedOn(Object socketOrEngine) {
        Class<?> type = socketOrEngine instanceof SSLEngine ? SSLEngine.class : SSLSocket.class;
        try {
            String agreed = (String) type.getMethod("getApplicationProtocol").invoke(socketOrEngine);
            return agreed == null ? "" : agreed;
        } catch (InvocationTargetException e) {
            return "";      // a stack without it
        } catch (ReflectiveOperationException e) {
            throw new Unsupported("no ALPN", e);
        }
    }
}
