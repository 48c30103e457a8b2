// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Which TLS records pass between a client and its peer, and in which order? A relay on 127.0.0.1
 * that counts whole records before it passes them on. Alerts do not count: whether that of a close
 * still comes is a matter of time.
 */
final class WireTap implements Closeable {
    private static final int BACKLOG = 16;
    /** An alert's two bytes, its type and the tag of an AEAD (RFC 8446, 5.2). */
    private static final int ENCRYPTED_ALERT_BYTES = 2 + 1 + 16;
    /** JSSE pads all that is not application data (RFC 8446, 5.4). */
    private static final int PADDING_BYTES = 16;

    private final InetSocketAddress target;
    private final ServerSocket listener;
    private long records;
    private long bytes;
    private long roundTrips;

    /** Starts to listen at once. */
    WireTap(InetSocketAddress target) throws IOException {
        this.target = target;
        listener = new ServerSocket(0, BACKLOG, TlsPeer.loopback());
        TlsPeer.daemon("wire-accept", this::accept).start();
    }

    int port() {
        return listener.getLocalPort();
    }

    /** What has passed so far, over all connections. */
    synchronized Passed passed() {
        return new Passed(records, bytes, roundTrips);
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                new Connection(listener.accept()).start();
            } catch (IOException e) {
                continue;  // closed, or the client learns it from its own socket
            }
        }
    }

    private static boolean isAlert(TlsRecord record) {
        return record.type() == TlsRecord.ALERT
            || record.type() == TlsRecord.APPLICATION_DATA
            && (record.bodyBytes() == ENCRYPTED_ALERT_BYTES
                || record.bodyBytes() == ENCRYPTED_ALERT_BYTES + PADDING_BYTES);
    }

    /** How many records, bytes of them, and times that a client waited for what it sent next. */
    static final class Passed {
        final long records;
        final long bytes;
        final long roundTrips;

        Passed(long records, long bytes, long roundTrips) {
            this.records = records;
            this.bytes = bytes;
            this.roundTrips = roundTrips;
        }
    }

    /** One connection: a round trip begins when the client sends after it has received. */
    private final class Connection {
        private final Socket client;
        private final Socket server;
        private boolean isUp;

        Connection(Socket client) throws IOException {
            this.client = client;
            try {
                server = new Socket(target.getAddress(), target.getPort());
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
            } catch (IOException e) {
                client.close();
                throw e;
            }
        }

        void start() {
            TlsPeer.daemon("wire-up", () -> pass(client, server, true)).start();
            TlsPeer.daemon("wire-down", () -> pass(server, client, false)).start();
        }

        private void pass(Socket source, Socket sink, boolean up) {
            try {
                TlsRecord record = TlsRecord.read(source.getInputStream());
                while (record != null) {
                    count(record, up);
                    sink.getOutputStream().write(record.bytes);
                    record = TlsRecord.read(source.getInputStream());
                }
                sink.shutdownOutput();
            } catch (IOException e) {
                end();
            }
        }

        private void count(TlsRecord record, boolean up) {
            if (isAlert(record)) {
                return;
            }
            synchronized (WireTap.this) {
                records++;
                bytes += record.bytes.length;
                // A client sends its change_cipher_spec while the peer's flight still comes.
                if (record.type() != TlsRecord.CHANGE_CIPHER_SPEC) {
                    roundTrips += up && !isUp ? 1 : 0;
                    isUp = up;
                }
            }
        }

        /** A TCP connection that broke cannot go on, so the other side must see it too. */
        private void end() {
            try {
                client.close();
                server.close();
            } catch (IOException gone) {
                return;
            }
        }
    }
}
