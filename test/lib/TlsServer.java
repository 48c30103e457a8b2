// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Queue;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * What does the peer of a plain SSLSocket do? What the reproducer's handler does, in a thread for
 * each connection, on an ephemeral port of 127.0.0.1.
 */
final class TlsServer implements Closeable {
    /** What is done with one connection; the socket is closed afterwards. */
    interface Handler {
        void serve(SSLSocket socket) throws Exception;
    }

    private final Listener listener;

    /** Starts to listen at once. */
    TlsServer(SSLContext context, Handler handler) throws IOException {
        listener = new Listener("tls-server", context.getServerSocketFactory()
            .createServerSocket(0, Listener.BACKLOG, TlsPeer.loopback()),
            (socket, number) -> handler.serve((SSLSocket) socket));
        listener.start();
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
        return listener.address();
    }

    /** What went wrong on single connections, such as a client that vanished. */
    Queue<String> failures() {
        return listener.failures();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
