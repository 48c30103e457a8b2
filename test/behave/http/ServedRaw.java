// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What does HttpServer answer to exactly these bytes? The client is a plain socket. */
final class ServedRaw {
    /** Sent behind each request: is it answered on the same connection? */
    static final String PROBE = "GET /probe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

    /** What an absolute rule looks for: a request is always answered. */
    static final String NO_ANSWER = "closed without an answer";

    private ServedRaw() { }

    /** A server on a port of the system's choice; its handlers run in a thread of their own. */
    static HttpServer start(String path, HttpHandler handler) throws IOException {
        HttpServer server =
            HttpServer.create(new InetSocketAddress(TlsPeer.loopback(), 0), Listener.BACKLOG);
        server.createContext(path, handler);
        server.setExecutor(Executors.newCachedThreadPool(
            task -> TlsPeer.daemon("served", task)));
        server.start();
        return server;
    }

    static void stop(HttpServer server) {
        server.stop(0);
        ((ExecutorService) server.getExecutor()).shutdownNow();
    }

    /** Sends the bytes (ISO 8859-1) and the probe,
        and says what a server with a handler answers. */
    static String answer(HttpHandler handler, String raw) throws IOException {
        HttpServer server = start("/", exchange -> {
            if (exchange.getRequestURI().getPath().equals("/probe")) {
                reply(exchange, "probed");
            } else {
                handler.handle(exchange);
            }
        });
        try {
            return exchange(server, raw + PROBE);
        } finally {
            stop(server);
        }
    }

    /** Sends the bytes, ends its side, and reads until the server ends the connection. */
    static String exchange(HttpServer server, String raw) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Socket socket = new Socket(TlsPeer.loopback(), server.getAddress().getPort())) {
            send(socket, raw);
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[8192];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                bytes.write(buffer, 0, n);
            }
        } catch (SocketException e) {
            // The server has reset the connection: with or without an answer before?
        }
        String text = new String(bytes.toByteArray(), StandardCharsets.ISO_8859_1);
        return text.isEmpty() ? NO_ANSWER
            : Masked.text(text.replace("\r\n", " | "));
    }

    private static void send(Socket socket, String raw) {
        try {
            socket.getOutputStream().write(raw.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
        } catch (IOException e) {
            // The server has ended the connection; what it answered is still to be read.
        }
    }

    /** Reads the request's body and says what the handler saw. */
    static void echo(HttpExchange exchange) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        String end = "";
        try {
            InputStream in = exchange.getRequestBody();
            for (int next = in.read(); next >= 0; next = in.read()) {
                body.write(next);
            }
        } catch (IOException e) {
            end = ", then " + Failure.text(e);
        }
        reply(exchange, exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
            + exchange.getProtocol() + ", Host " + exchange.getRequestHeaders().get("Host")
            + ", X-A " + exchange.getRequestHeaders().get("X-A") + ", body "
            + (body.size() > 20 ? body.size() + " bytes"
                : new String(body.toByteArray(), StandardCharsets.ISO_8859_1)) + end);
    }

    static void reply(HttpExchange exchange, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(200, isHead ? -1 : bytes.length);
        if (!isHead) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }
}
