// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Queue;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/**
 * What does the server answer, and over which connection? A small HTTP/1.1 server with keep-alive
 * over TLS, on an ephemeral port of 127.0.0.1. Each reply says, as the server sees it, its
 * connection, its position there, and the protocol and cipher negotiated. So the client needs no
 * listener or wrapper, either of which would change what is under test.
 *
 * <p>{@code /} is answered with {@code Connection: keep-alive} and {@code Keep-Alive: timeout=N}
 * (the JDK heeds the second only beside the first), {@code /close} with {@code Connection: close}.
 * {@code /stalled} announces a longer body, the rest of which never comes.
 */
final class TlsPeer implements Closeable {
    static final int BODY_BYTES = 64;
    private static final int MISSING_BYTES = 1024;

    private final int idleLifeSeconds;
    private final Listener listener;

    /**
     * Starts to listen at once.
     *
     * @param name part of the names of its threads
     * @param idleLifeSeconds the N of {@code Keep-Alive: timeout=N}
     */
    TlsPeer(String name, int idleLifeSeconds) throws IOException, GeneralSecurityException {
        this.idleLifeSeconds = idleLifeSeconds;
        listener = new Listener(name + "-peer", Identity.serverContext().getServerSocketFactory()
            .createServerSocket(0, Listener.BACKLOG, loopback()), this::serve);
        listener.start();
    }

    /** 127.0.0.1, whatever the machine prefers: URLs, relay and peer must use the same address. */
    static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    static Thread daemon(String threadName, Runnable task) {
        Thread thread = new Thread(task, threadName);
        thread.setDaemon(true);
        return thread;
    }

    InetSocketAddress address() {
        return listener.address();
    }

    URL url(String path) throws IOException {
        return new URL("https", "127.0.0.1", address().getPort(), path);
    }

    int connections() {
        return listener.connections();
    }

    /** What went wrong on single connections, such as a client that vanished. */
    Queue<String> failures() {
        return listener.failures();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void serve(Socket accepted, int connection) throws IOException {
        SSLSocket socket = (SSLSocket) accepted;
        InputStream in = new BufferedInputStream(socket.getInputStream());
        String path = requestPath(in);
        for (int ordinal = 1; path != null; ordinal++) {
            boolean last = path.startsWith("/close");
            int length = BODY_BYTES + (path.startsWith("/stalled") ? MISSING_BYTES : 0);
            // One write is one TLS record: once the client has read the head, nothing of the
            // reply is left on the wire.
            socket.getOutputStream().write(
                reply(socket.getSession(), connection, ordinal, length, last));
            path = last ? null : requestPath(in);
        }
    }

    private byte[] reply(SSLSession session, int connection, int ordinal, int length,
            boolean last) {
        String life = "keep-alive\r\nKeep-Alive: timeout=" + idleLifeSeconds;
        StringBuilder text = new StringBuilder("HTTP/1.1 200 OK\r\n")
            .append("Content-Type: text/plain\r\n")
            .append("Content-Length: ").append(length).append("\r\n")
            .append("X-Connection: ").append(connection).append("\r\n")
            .append("X-Ordinal: ").append(ordinal).append("\r\n")
            .append("X-Protocol: ").append(session.getProtocol()).append("\r\n")
            .append("X-Cipher: ").append(session.getCipherSuite()).append("\r\n")
            .append("Connection: ").append(last ? "close" : life).append("\r\n\r\n");
        for (int i = 0; i < BODY_BYTES; i++) {
            text.append('x');
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String requestPath(InputStream in) throws IOException {
        String head = RequestHead.read(in);
        return head == null ? null : head.split(" ", 3)[1];
    }
}
