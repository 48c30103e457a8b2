// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLEngine;
import wiremock.org.eclipse.jetty.io.Connection;
import wiremock.org.eclipse.jetty.io.ssl.SslConnection;
import wiremock.org.eclipse.jetty.io.ssl.SslHandshakeListener;
import wiremock.org.eclipse.jetty.server.HttpChannel;
import wiremock.org.eclipse.jetty.server.HttpConnection;
import wiremock.org.eclipse.jetty.server.Request;

/** What does Jetty, inside WireMock, report of connections, handshakes and requests? */
final class WireMockCounts
        implements Connection.Listener, SslHandshakeListener, HttpChannel.Listener {
    private final PeerCounters counters = new PeerCounters();
    private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();
    private final EngineKeyUse keyUse;
    private final boolean tickets;

    WireMockCounts(EngineKeyUse keyUse, boolean tickets) {
        this.keyUse = keyUse;
        this.tickets = tickets;
    }

    /** Jetty counts bytes by connection: adds those of open ones to the sum of closed ones. */
    synchronized Map<String, Long> values() {
        Map<String, Long> values = counters.values();
        for (HttpConnection each : open) {
            values.merge("bytes.in", each.getBytesIn(), Long::sum);
            values.merge("bytes.out", each.getBytesOut(), Long::sum);
        }
        return values;
    }

    @Override
    public void onOpened(Connection connection) {
        if (connection instanceof SslConnection) {
            counters.connections.increment();
        } else if (connection instanceof HttpConnection) {
            open.add((HttpConnection) connection);
        }
    }

    @Override
    public synchronized void onClosed(Connection connection) {
        if (open.remove(connection)) {
            counters.bytesIn.add(((HttpConnection) connection).getBytesIn());
            counters.bytesOut.add(((HttpConnection) connection).getBytesOut());
        }
    }

    @Override
    public void handshakeSucceeded(Event event) {
        SSLEngine engine = event.getSSLEngine();
        counters.handshake(engine.getSession(), keyUse.taken(engine));
        if (!tickets) {
            // TLS 1.2 can resume by session id, without a ticket.
            engine.getSession().invalidate();
        }
    }

    @Override
    public void handshakeFailed(Event event, Throwable failure) {
        keyUse.taken(event.getSSLEngine());
        counters.failures.increment();
        System.err.println("handshake: " + failure);
    }

    @Override
    public void onRequestBegin(Request request) {
        counters.requests.increment();
    }
}
