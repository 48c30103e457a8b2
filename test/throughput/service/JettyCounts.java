// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;

/** What does Jetty tell of connections and handshakes? The same for Jetty 9.4 and 12. */
final class JettyCounts implements Connection.Listener, SslHandshakeListener {
    private final ServiceCounters counters;

    JettyCounts(ServiceCounters counters) {
        this.counters = counters;
    }

    /**
     * The first on its socket counts: that of TLS, or of HTTP/1.1, from which HTTP/2 may be agreed
     * upon. Jetty 12 has the latter's class in another package.
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
