// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * How does a peer or relay go on taking connections? Until it can't: then its process ends, for one
 * that lived on and answered nobody would void every later sample, and not be started again.
 */
final class AcceptLoop {
    private static final int BROKEN = 2;

    /** What is done with each connection. */
    interface Taker {
        /** @throws IOException for what is wrong with this connection alone */
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

    /** Begins in a thread of that name. */
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
