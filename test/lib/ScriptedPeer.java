// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.util.Queue;
import java.util.TreeSet;

/**
 * What if a server answers with exactly these bytes? A plain-HTTP server on an ephemeral port of
 * 127.0.0.1: a script answers each request, in as many segments as it likes, correctly or not. It
 * counts connections, requests, and the connections that the client has ended.
 */
final class ScriptedPeer implements Closeable {
    /** What does the peer answer to one request? It then reads the next one, unless it ended. */
    interface Script {
        void answer(Exchange exchange) throws IOException, InterruptedException;
    }

    /** For the kit's own tests: if the peer answers like any other, no test may pass. */
    private static final boolean DISARMED = "off".equals(System.getProperty("peer.script"));

    private final Script script;
    private final Listener listener;
    private final TreeSet<Integer> endedByClient = new TreeSet<>();
    private int requests;

    /**
     * Starts to listen at once.
     *
     * @param name part of the names of its threads
     */
    ScriptedPeer(String name, Script script) throws IOException {
        this.script = DISARMED ? exchange -> exchange.reply() : script;
        listener = new Listener(name + "-peer",
            new ServerSocket(0, Listener.BACKLOG, TlsPeer.loopback()), this::serve);
        listener.start();
    }

    InetSocketAddress address() {
        return listener.address();
    }

    URL url(String path) throws IOException {
        return new URL("http", "127.0.0.1", address().getPort(), path);
    }

    int connections() {
        return listener.connections();
    }

    synchronized int requests() {
        return requests;
    }

    /** The numbers, from 1, of the connections that the client has ended. */
    synchronized TreeSet<Integer> endedByClient() {
        return new TreeSet<>(endedByClient);
    }

    /** @return whether the client has ended {@code count} connections within {@code timeoutMs} */
    synchronized boolean awaitEndedByClient(int count, long timeoutMs)
            throws InterruptedException {
        Patience patience = new Patience(timeoutMs);
        while (endedByClient.size() < count && patience.waitOn(this)) { }
        return endedByClient.size() >= count;
    }

    /** What went wrong on single connections. */
    Queue<String> failures() {
        return listener.failures();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void serve(Socket socket, int connection) throws IOException, InterruptedException {
        Exchange exchange = Exchange.next(socket, connection, 1);
        while (exchange != null) {
            countRequest();
            script.answer(exchange);
            if (exchange.ended()) {
                return;
            }
            exchange = Exchange.next(socket, connection, exchange.ordinal + 1);
        }
        clientEnded(connection);
    }

    private synchronized void countRequest() {
        requests++;
    }

    private synchronized void clientEnded(int connection) {
        endedByClient.add(connection);
        notifyAll();
    }
}
