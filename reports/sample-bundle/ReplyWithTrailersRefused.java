/*
 * Copyright (c) 2026, The TLS 1.3 regression kit contributors. All rights reserved.
 * DO NOT ALTER OR REMOVE COPYRIGHT NOTICES OR THIS FILE HEADER.
 *
 * This code is free software; you can redistribute it and/or modify it
 * under the terms of the GNU General Public License version 2 only, as
 * published by the Free Software Foundation.
 *
 * This code is distributed in the hope that it will be useful, but WITHOUT
 * ANY WARRANTY; without even the implied warranty of MERCHANTABILITY or
 * FITNESS FOR A PARTICULAR PURPOSE.  See the GNU General Public License
 * version 2 for more details (a copy is included in the LICENSE file that
 * accompanied this code).
 *
 * You should have received a copy of the GNU General Public License version
 * 2 along with this work; if not, write to the Free Software Foundation,
 * Inc., 51 Franklin St, Fifth Floor, Boston, MA 02110-1301 USA.
 *
 * Please contact Oracle, 500 Oracle Parkway, Redwood Shores, CA 94065 USA
 * or visit www.oracle.com if you need additional information or have any
 * questions.
 */

/*
 * @test
 * @summary HttpClient must accept a chunked reply that has trailer fields
 * @requires jdk.version.major >= 11
 * @modules java.net.http
 * @run main/othervm ReplyWithTrailersRefused
 */

import java.io.*;
import java.net.*;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/*
 * A chunked reply over HTTP/1.1 ends with a trailer field, as it may (RFC 9112 7.1.2). The
 * client fails the request and closes the connection: it takes the field for the end of the
 * body. Whatever was read of the body is lost. It takes a chunked reply with at least one
 * trailer field, such as Server-Timing or a checksum.
 */
public class ReplyWithTrailersRefused {
    private static final String END = "\r\n\r\n";

    private static final String BODY = "hello";
    private static final String TRAILER = "X-Sum: 1\r\n";

    private static final AtomicInteger CHUNKED_REPLIES = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        measure();
    }

    private static void measure() throws Exception {
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(exchange))) {
            HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            String body = "";
            String failure = "";
            boolean refused = false;
            try {
                body = client.send(HttpRequest.newBuilder(peer.url("/").toURI()).build(),
                    BodyHandlers.ofString()).body();
            } catch (IOException e) {
                failure = e.toString();
                refused = isRefusal(e);
            }
            if (CHUNKED_REPLIES.get() <= 0) {
                throw new IllegalStateException("The peer had " + peer.requests()
                    + " requests, and sent " + CHUNKED_REPLIES.get() + " chunked replies.");
            }
            if (!refused && !body.equals(BODY)) {
                throw new IllegalStateException("The body was '" + body
                    + "', and the request failed with '" + failure + "'.");
            }
            if (refused) {
                throw new RuntimeException("A reply with trailer fields was refused");
            }
            System.out.println("The reply was returned");
        }
    }

    private static boolean isRefusal(Throwable thrown) {
        Throwable cause = thrown;
        while (cause != null && !(cause instanceof ProtocolException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    private static void answer(Exchange exchange) throws IOException {
        CHUNKED_REPLIES.incrementAndGet();
        exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + BODY.length() + "\r\n" + BODY + "\r\n0\r\n"
            + TRAILER + "\r\n");
    }

    private static String read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf(END, head.length() - END.length()) < 0) {
            int next = in.read();
            if (next < 0) {
                if (head.length() > 0) {
                    throw new IOException("request ended in its head: " + head);
                }
                return null;
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    private static Thread daemon(String threadName, Runnable task) {
        Thread thread = new Thread(task, threadName);
        thread.setDaemon(true);
        return thread;
    }

    private static final class Exchange {
        final int ordinal;

        private final Socket socket;

        private Exchange(Socket socket, int ordinal) {
            this.socket = socket;
            this.ordinal = ordinal;
        }

        static Exchange next(Socket socket, int ordinal) throws IOException {
            String head = read(socket.getInputStream());
            return head == null ? null : new Exchange(socket, ordinal);
        }

        void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    /**
     * The part that all peers share: one thread accepts, and each connection is served in a thread
     * of its own. Once closed it reports no more failures, because every connection then breaks.
     */
    private static final class Listener implements Closeable {
        static final int BACKLOG = 128;

        interface Connection {
            void serve(Socket socket, int number) throws Exception;
        }

        private final String name;
        private final ServerSocket socket;
        private final Connection connection;
        private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
        private final AtomicInteger connections = new AtomicInteger();

        Listener(String name, ServerSocket socket, Connection connection) {
            this.name = name;
            this.socket = socket;
            this.connection = connection;
        }

        void start() {
            daemon(name + "-accept", this::acceptLoop).start();
        }

        InetSocketAddress address() {
            return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
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
                    daemon(name + "-" + number, () -> serve(accepted, number)).start();
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
                System.err.println(name + ": " + what);
            }
        }
    }

    /**
     * A plain-HTTP server on an ephemeral port of 127.0.0.1: a script answers each request, in as
     * many segments as it likes, correctly or not. It counts connections, requests, and the
     * connections that the client has ended.
     */
    private static final class ScriptedPeer implements Closeable {
        interface Script {
            void answer(Exchange exchange) throws IOException, InterruptedException;
        }

        private final Script script;
        private final Listener listener;
        private int requests;

        ScriptedPeer(String name, Script script) throws IOException {
            this.script = script;
            listener = new Listener(name + "-peer",
                new ServerSocket(0, Listener.BACKLOG, loopback()), this::serve);
            listener.start();
        }

        InetSocketAddress address() {
            return listener.address();
        }

        URL url(String path) throws IOException {
            return new URL("http", "127.0.0.1", address().getPort(), path);
        }

        synchronized int requests() {
            return requests;
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }

        private void serve(Socket socket, int connection) throws IOException, InterruptedException {
            Exchange exchange = Exchange.next(socket, 1);
            while (exchange != null) {
                countRequest();
                script.answer(exchange);
                exchange = Exchange.next(socket, exchange.ordinal + 1);
            }
        }

        private synchronized void countRequest() {
            requests++;
        }
    }
}
