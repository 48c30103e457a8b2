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
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/**
 * What does the server answer, and over which connection? A small HTTPS/1.1 server with keep-alive
 * on an ephemeral port of 127.0.0.1. Each reply says, from the server's side, on which connection
 * it went, the how-manieth it is there, and which protocol and cipher were negotiated: so the
 * client needs no listener or wrapper, either of which would change what is under test.
 *
 * <p>{@code /} is answered with {@code Connection: keep-alive} and {@code Keep-Alive: timeout=N}
 * (the JDK heeds the second only beside the first), {@code /close} with {@code Connection: close}.
 * {@code /stalled} announces a longer body, of which the rest never comes.
 */
final class TlsPeer implements Closeable {
    static final int BODY_BYTES = 64;
    private static final int MISSING_BYTES = 1024;

    private final String name;
    private final int idleLifeSeconds;
    private final SSLServerSocket listener;
    private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();

    /**
     * Starts to listen at once.
     *
     * @param name part of the names of its threads
     * @param idleLifeSeconds the N of {@code Keep-Alive: timeout=N}
     */
    TlsPeer(String name, int idleLifeSeconds) throws IOException, GeneralSecurityException {
        this.name = name;
        this.idleLifeSeconds = idleLifeSeconds;
        listener = (SSLServerSocket) Identity.serverContext().getServerSocketFactory()
            .createServerSocket(0, 128, loopback());
        daemon(name + "-peer-accept", this::acceptLoop).start();
    }

    /** 127.0.0.1, whatever the machine prefers: URLs, relay and peer must mean one address. */
    static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    static Thread daemon(String threadName, Runnable task) {
        Thread thread = new Thread(task, threadName);
        thread.setDaemon(true);
        return thread;
    }

    InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    URL url(String path) throws IOException {
        return new URL("https", "127.0.0.1", listener.getLocalPort(), path);
    }

    int connections() {
        return connections.get();
    }

    int requests() {
        return requests.get();
    }

    /** What went wrong on single connections; a client that vanishes belongs here. */
    Queue<String> failures() {
        return failures;
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void acceptLoop() {
        while (!listener.isClosed()) {
            try {
                SSLSocket socket = (SSLSocket) listener.accept();
                socket.setTcpNoDelay(true);
                open.add(socket);
                int number = connections.incrementAndGet();
                daemon(name + "-peer-" + number, () -> serve(socket, number)).start();
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    fail("accept: " + e);
                }
            }
        }
    }

    private void serve(SSLSocket socket, int connection) {
        try (SSLSocket closing = socket) {
            InputStream in = new BufferedInputStream(closing.getInputStream());
            String path = requestPath(in);
            for (int ordinal = 1; path != null; ordinal++) {
                requests.incrementAndGet();
                boolean last = path.startsWith("/close");
                int length = BODY_BYTES + (path.startsWith("/stalled") ? MISSING_BYTES : 0);
                // One write is one TLS record: once the client has read the head, nothing of the
                // reply is left on the wire.
                closing.getOutputStream().write(
                    reply(closing.getSession(), connection, ordinal, length, last));
                path = last ? null : requestPath(in);
            }
        } catch (IOException e) {
            if (!listener.isClosed()) {
                fail("connection " + connection + ": " + e);
            }
        } finally {
            open.remove(socket);
        }
    }

    private void fail(String what) {
        failures.add(what);
        System.err.println(name + " peer: " + what);
    }

    private byte[] reply(SSLSession session, int connection, int ordinal, int length,
            boolean last) {
        StringBuilder text = new StringBuilder("HTTP/1.1 200 OK\r\n")
            .append("Content-Type: text/plain\r\n")
            .append("Content-Length: ").append(length).append("\r\n")
            .append("X-Connection: ").append(connection).append("\r\n")
            .append("X-Ordinal: ").append(ordinal).append("\r\n")
            .append("X-Protocol: ").append(session.getProtocol()).append("\r\n")
            .append("X-Cipher: ").append(session.getCipherSuite()).append("\r\n");
        if (last) {
            text.append("Connection: close\r\n");
        } else {
            text.append("Connection: keep-alive\r\nKeep-Alive: timeout=")
                .append(idleLifeSeconds).append("\r\n");
        }
        text.append("\r\n");
        for (int i = 0; i < BODY_BYTES; i++) {
            text.append('x');
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Reads one request head; null where the client has ended the connection. */
    private static String requestPath(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                if (head.length() > 0) {
                    throw new IOException("request ended in its head: " + head);
                }
                return null;
            }
            head.append((char) next);
        }
        return head.toString().split(" ", 3)[1];
    }
}
