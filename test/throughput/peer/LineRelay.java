// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * What if the peer is far away? A TCP relay on 127.0.0.1 between client and peer. It delays, paces
 * and watches bytes as its line says, for as many connections as a load needs, and counts FINs.
 * Reproducers, which hold back a peer's answer, use {@code lib/Relay}.
 */
final class LineRelay {
    private final InetSocketAddress target;
    private final RelayLine line;
    private final ServerSocket listener;
    private int connections;
    private int clientFins;
    private int peerFins;

    /** Starts to listen at once; connections are relayed to {@code target} as the line allows. */
    LineRelay(InetSocketAddress target, RelayLine line) throws IOException {
        this.target = target;
        this.line = line;
        listener = new ServerSocket(0, 128, TlsPeer.loopback());
        AcceptLoop.start("relay-accept", listener, this::add);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    /** Connections so far, including those that have ended. */
    synchronized int connections() {
        return connections;
    }

    /** Connections whose client has sent its FIN. */
    synchronized int clientFins() {
        return clientFins;
    }

    /** Connections whose peer has sent its FIN. */
    synchronized int peerFins() {
        return peerFins;
    }

    synchronized void sawClientFin() {
        clientFins++;
    }

    synchronized void sawPeerFin() {
        peerFins++;
    }

    void sawFailure(String what) {
        System.err.println("relay: " + what);
    }

    private void add(Socket client) throws IOException {
        try {
            Socket server = new Socket(target.getAddress(), target.getPort());
            RelayLink link;
            synchronized (this) {
                link = new RelayLink(this, ++connections, client, server, line);
            }
            link.start();
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }
}
