// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * How long does a peer or relay accept connections? Until it cannot: then its process ends. One
 * that lived on without answering would void every later sample, and would not be restarted.
 */
final class AcceptLoop {
    private static final int BROKEN = 2;

    /** What is done with each connection. */
    interface Taker {
        /** @throws IOException if something is wrong with this connection alone */
        void take(Socket connection) throws IOException;
    }

    private final String name;
    private final ServerSocket listener;
    private final Taker taker;

    private AcceptLoop(String name, ServerSocket listener, Taker taker) {
        this.name = name;
        this.listener = listener;
        this.taker = taker;
    }

    /** Starts to accept, in a thread of that name. */
    static void start(String name, ServerSocket listener, Taker taker) {
        TlsPeer.daemon(name, new AcceptLoop(name, listener, taker)::run).start();
    }

    private void run() {
        try {
            while (true) {
                takeOne(listener.accept());
            }
        } catch (Throwable e) {
            // Out of memory, threads or file descriptors. Not exit(): its hooks need a thread.
            System.err.println(name + " cannot go on: " + e);
            Runtime.getRuntime().halt(BROKEN);
        }
    }

    private void takeOne(Socket connection) {
        try {
            taker.take(connection);
        } catch (IOException e) {
            System.err.println(name + ": " + e);
        }
    }
}
