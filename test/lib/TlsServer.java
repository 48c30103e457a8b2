// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/**
 * What does the peer of a plain SSLSocket do? Whatever the reproducer hands in, in a thread for
 * each connection, on an ephemeral port of 127.0.0.1.
 */
final class TlsServer implements Closeable {
    /** What is done with one connection; the socket is closed after the return. */
    interface Handler {
        void serve(SSLSocket socket) throws Exception;
    }

    private final Handler handler;
    private final SSLServerSocket listener;
    private final Queue<SSLSocket> open = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    /** Starts to listen at once. */
    TlsServer(SSLContext context, Handler handler) throws IOException {
        this.handler = handler;
        listener = (SSLServerSocket) context.getServerSocketFactory()
            .createServerSocket(0, 128, TlsPeer.loopback());
        TlsPeer.daemon("tls-server-accept", this::acceptLoop).start();
    }

    /** Sends back each byte until the client has ended its side. */
    static void echo(SSLSocket socket) throws IOException {
        byte[] buffer = new byte[1024];
        for (int n = socket.getInputStream().read(buffer); n >= 0;
                n = socket.getInputStream().read(buffer)) {
            socket.getOutputStream().write(buffer, 0, n);
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    /** What went wrong on single connections; a client that vanishes belongs here. */
    Queue<String> failures() {
        return failures;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (SSLSocket socket : open) {
            socket.close();
        }
    }

    private void acceptLoop() {
        while (!listener.isClosed()) {
            try {
                SSLSocket socket = (SSLSocket) listener.accept();
                socket.setTcpNoDelay(true);
                open.add(socket);
                TlsPeer.daemon("tls-server-connection", () -> serve(socket)).start();
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    failures.add("accept: " + e);
                }
            }
        }
    }

    private void serve(SSLSocket socket) {
        try (SSLSocket closing = socket) {
            handler.serve(closing);
        } catch (Exception e) {
            failures.add(e.toString());
        } finally {
            open.remove(socket);
        }
    }
}
