// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/**
 * What passes over one connection of a {@link Relay}? A thread for each direction reads until the
 * FIN. What the peer sends while it is held is read and kept, so that its FIN is seen all the same.
 */
final class RelayedConnection {
    /** What is done with bytes that were read. */
    private interface Sink {
        void write(byte[] bytes, int offset, int count) throws IOException;
    }

    /** One direction, until its end. */
    private interface Direction {
        void run() throws IOException;
    }

    private static final int CHUNK_BYTES = 16 * 1024;

    private final Relay relay;
    private final Socket client;
    private final Socket server;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private boolean held;
    private boolean peerEnded;
    private volatile boolean closed;

    RelayedConnection(Relay relay, Socket client, Socket server) throws IOException {
        this.relay = relay;
        this.client = client;
        this.server = server;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    void start() {
        TlsPeer.daemon("relay-up", () -> guard(this::up)).start();
        TlsPeer.daemon("relay-down", () -> guard(this::down)).start();
    }

    synchronized void hold() {
        held = true;
    }

    void release() {
        guard(this::passKept);
    }

    void close() {
        closed = true;
        try {
            client.close();
            server.close();
        } catch (IOException e) {
            relay.sawFailure("close: " + e);
        }
    }

    private void up() throws IOException {
        pump(client, server.getOutputStream()::write);
        relay.sawClientFin();
        server.shutdownOutput();
    }

    private void down() throws IOException {
        pump(server, this::passOrKeep);
        if (endOfPeer()) {
            relay.sawHeldFin();
        }
    }

    private void pump(Socket source, Sink sink) throws IOException {
        InputStream in = source.getInputStream();
        byte[] buffer = new byte[CHUNK_BYTES];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            sink.write(buffer, 0, n);
        }
    }

    private synchronized void passOrKeep(byte[] bytes, int offset, int count) throws IOException {
        if (held) {
            kept.write(bytes, offset, count);
        } else {
            client.getOutputStream().write(bytes, offset, count);
        }
    }

    /** @return whether the FIN is held */
    private synchronized boolean endOfPeer() throws IOException {
        peerEnded = true;
        if (!held) {
            client.shutdownOutput();
        }
        return held;
    }

    private synchronized void passKept() throws IOException {
        if (held) {
            held = false;
            client.getOutputStream().write(kept.toByteArray());
            kept.reset();
            if (peerEnded) {
                client.shutdownOutput();
            }
        }
    }

    /** If one socket breaks, both are closed: TCP cannot go on, and the other side is to see it. */
    private void guard(Direction direction) {
        try {
            direction.run();
        } catch (IOException e) {
            if (!closed) {
                relay.sawFailure(e.toString());
            }
            close();
        }
    }
}
