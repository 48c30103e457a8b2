// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What if the peer answers late, or never? A TCP relay on 127.0.0.1 between client and peer that
 * can hold the peer's bytes and FIN back from the client, and counts what it sees. A peer on
 * loopback answers a close at once, so without a relay a wait for it never shows.
 *
 * <p>Call {@link #hold} <em>before</em> the client closes. A JSSE peer answers the client's
 * close_notify before the relay even sees the client's FIN, so a relay that began to hold at the
 * FIN would have let the answer through.
 */
final class Relay implements Closeable {
    /** For the kit's own tests: if the relay never holds, no test may pass. */
    private static final boolean DISARMED = "off".equals(System.getProperty("relay.hold"));

    private final InetSocketAddress target;
    private final ServerSocket listener;
    private final List<RelayedConnection> relayed = new ArrayList<>();
    private final List<Long> clientFinNanos = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private int heldFins;

    /** Starts to listen at once, for connections to {@code target}. */
    Relay(InetSocketAddress target) throws IOException {
        this.target = target;
        listener = new ServerSocket(0, 128, TlsPeer.loopback());
        TlsPeer.daemon("relay-accept", this::acceptLoop).start();
    }

    InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    URL url(String path) throws IOException {
        return new URL("https", "127.0.0.1", listener.getLocalPort(), path);
    }

    /**
     * From now on keeps back the peer's bytes and FIN on the present connections; later ones pass
     * freely. Once this has returned, nothing passes. It waits for a write in progress, so call it
     * only while the client reads or nothing is on its way.
     */
    void hold() {
        if (!DISARMED) {
            snapshot().forEach(RelayedConnection::hold);
        }
    }

    /** Passes on what is held, and holds no longer. */
    void release() {
        snapshot().forEach(RelayedConnection::release);
    }

    /** Connections so far, including those that have ended. */
    int connections() {
        return snapshot().size();
    }

    /** Connections whose client has sent its FIN. */
    synchronized int clientFins() {
        return clientFinNanos.size();
    }

    /** When the clients' FINs came, by System.nanoTime(), in order of arrival. */
    synchronized List<Long> clientFinNanos() {
        return new ArrayList<>(clientFinNanos);
    }

    /** FINs of the peer that came while its direction was held. */
    synchronized int heldFins() {
        return heldFins;
    }

    /** Errors of single connections, such as a reset. */
    synchronized List<String> failures() {
        return new ArrayList<>(failures);
    }

    /** @return whether {@code count} clients' FINs have come within {@code timeoutMs} */
    synchronized boolean awaitClientFins(int count, long timeoutMs) throws InterruptedException {
        Patience patience = new Patience(timeoutMs);
        while (clientFinNanos.size() < count && patience.waitOn(this)) { }
        return clientFinNanos.size() >= count;
    }

    /** @return whether {@code count} FINs of the peer were held within {@code timeoutMs} */
    synchronized boolean awaitHeldFins(int count, long timeoutMs) throws InterruptedException {
        Patience patience = new Patience(timeoutMs);
        while (heldFins < count && patience.waitOn(this)) { }
        return heldFins >= count;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        snapshot().forEach(RelayedConnection::close);
    }

    synchronized void sawClientFin() {
        clientFinNanos.add(System.nanoTime());
        notifyAll();
    }

    synchronized void sawHeldFin() {
        heldFins++;
        notifyAll();
    }

    synchronized void sawFailure(String what) {
        failures.add(what);
        System.err.println("relay: " + what);
    }

    // Connections have locks of their own and call back, so none is locked from within this lock.
    private synchronized List<RelayedConnection> snapshot() {
        return new ArrayList<>(relayed);
    }

    private void acceptLoop() {
        while (!listener.isClosed()) {
            try {
                add(listener.accept());
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    sawFailure("accept: " + e);
                }
            }
        }
    }

    private void add(Socket client) throws IOException {
        try {
            Socket server = new Socket(target.getAddress(), target.getPort());
            RelayedConnection connection = new RelayedConnection(this, client, server);
            synchronized (this) {
                relayed.add(connection);
            }
            connection.start();
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }
}
