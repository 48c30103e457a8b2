// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;

/** What does Jetty report of connections and handshakes? Works with Jetty 9.4 and 12. */
final class JettyCounts implements Connection.Listener, SslHandshakeListener {
    private final ServiceCounters counters;

    JettyCounts(ServiceCounters counters) {
        this.counters = counters;
    }

    /**
     * Counts only the first connection on a socket: that of TLS, or of HTTP/1.1, which may switch
     * to HTTP/2. Jetty 12 has the class for HTTP/1.1 in another package.
     */
    @Override
    public void onOpened(Connection connection) {
        boolean isFirst = connection instanceof SslConnection
            || connection.getClass().getSimpleName().equals("HttpConnection");
        if (isFirst && connection.getEndPoint() instanceof SocketChannelEndPoint) {
            counters.peer.connections.increment();
        }
    }

    @Override
    public void onClosed(Connection connection) { }

    @Override
    public void handshakeSucceeded(Event event) {
        counters.handshake(event.getSSLEngine().getSession());
    }

    @Override
    public void handshakeFailed(Event event, Throwable failure) {
        counters.peer.failures.increment();
        System.err.println("handshake: " + failure);
    }
}
