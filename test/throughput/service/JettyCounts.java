// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.server.HttpConnection;

/** What does Jetty tell of connections and handshakes? */
final class JettyCounts implements Connection.Listener, SslHandshakeListener {
    private final ServiceCounters counters;

    JettyCounts(ServiceCounters counters) {
        this.counters = counters;
    }

    /** Over TLS that of HTTP/1.1 is opened on that of TLS, which counts. */
    @Override
    public void onOpened(Connection connection) {
        boolean isPlain = !(connection.getEndPoint() instanceof SslConnection.DecryptedEndPoint);
        if (connection instanceof SslConnection
                || connection instanceof HttpConnection && isPlain) {
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
