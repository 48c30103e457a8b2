// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Who has connected, and what went wrong? The part that all peers share: one thread accepts, and
 * each connection is served in a thread of its own. Once closed it reports no more failures,
 * because every connection then breaks.
 */
final class Listener implements Closeable {
    static final int BACKLOG = 128;

    /** What is done with one connection; its socket is closed afterwards. */
    interface Connection {
        /** @param number from 1, in the order of acceptance */
        void serve(Socket socket, int number) throws Exception;
    }

    private final String name;
    private final ServerSocket socket;
    private final Connection connection;
    private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger connections = new AtomicInteger();

    /**
     * Takes over a listening socket; {@link #start} begins to accept.
     *
     * @param name part of the names of its threads
     */
    Listener(String name, ServerSocket socket, Connection connection) {
        this.name = name;
        this.socket = socket;
        this.connection = connection;
    }

    void start() {
        TlsPeer.daemon(name + "-accept", this::acceptLoop).start();
    }

    InetSocketAddress address() {
        return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
    }

    int connections() {
        return connections.get();
    }

    /** What went wrong on single connections, such as a client that vanished. */
    Queue<String> failures() {
        return failures;
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket accepted : open) {
            accepted.close();
        }
    }

    private void acceptLoop() {
        while (!socket.isClosed()) {
            try {
                Socket accepted = socket.accept();
                accepted.setTcpNoDelay(true);
                open.add(accepted);
                int number = connections.incrementAndGet();
                TlsPeer.daemon(name + "-" + number, () -> serve(accepted, number)).start();
            } catch (IOException e) {
                fail("accept: " + e);
            }
        }
    }

    private void serve(Socket accepted, int number) {
        try (Socket closing = accepted) {
            connection.serve(closing, number);
        } catch (Exception e) {
            fail("connection " + number + ": " + e);
        } finally {
            open.remove(accepted);
        }
    }

    private void fail(String what) {
        if (!socket.isClosed()) {
            failures.add(what);
            System.err.println(name + ": " + what);
        }
    }
}
