// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.Socket;

/** One relayed connection: two sockets, and a pipe and a valve in each direction. */
final class RelayLink {
    private final RelayValve toClient;
    private final RelayValve toServer = new RelayValve(0);
    private final LineRelay relay;
    private final Socket client;
    private final Socket server;
    private final RelayPipe down;
    private final RelayPipe up;
    private int pipesLeft = 2;
    private boolean closed;

    RelayLink(LineRelay relay, int number, Socket client, Socket server, RelayLine line)
            throws IOException {
        this.relay = relay;
        this.client = client;
        this.server = server;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        toClient = new RelayValve(line.lateFinMs);
        RelayTap tap = line.taps.get();
        down = new RelayPipe("relay-" + number + "-down", server, client, toClient,
            line.delayNanos, line.down, tap::down, this);
        up = new RelayPipe("relay-" + number + "-up", client, server, toServer,
            line.delayNanos, line.up, tap::up, this);
    }

    void start() {
        down.start();
        up.start();
    }

    /** The source of a pipe has sent its FIN. */
    void finished(RelayPipe pipe) {
        if (pipe == down) {
            relay.sawPeerFin();
        } else {
            toClient.clientFinished(System.nanoTime());
            relay.sawClientFin();
        }
    }

    /** A pipe has passed on its FIN. */
    void ended() {
        if (countDown() == 0) {
            close();
        }
    }

    /** A socket broke: a TCP connection cannot go on then, so the other side must see it too. */
    void failed(String what) {
        if (!isClosed()) {
            relay.sawFailure(what);
        }
        close();
    }

    private void close() {
        synchronized (this) {
            closed = true;
        }
        try {
            client.close();
            server.close();
        } catch (IOException e) {
            relay.sawFailure("close: " + e);
        }
    }

    private synchronized int countDown() {
        return --pipesLeft;
    }

    private synchronized boolean isClosed() {
        return closed;
    }
}
