// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * KIT-4: HttpServer drops a request with trailer fields without an answer
 *
 * What goes wrong: a chunked request ends with a trailer field, as it may (RFC 9112 7.1.2). Reading
 * its body ends in an IOException, as it always did, and the handler answers nevertheless. Since
 * JDK-6968351 the head of its reply waits for the content; now the connection is closed before
 * either is sent, and the client gets no status, not even that its request is refused.
 *
 * What it takes: a chunked request with at least one trailer field, and a reply with content.
 *
 * Control: the same chunks, without a trailer field.
 *
 * Judged by a count of requests without an answer.
 *
 * Without its precondition
 *     with com.sun.net.httpserver.HttpServer -Drequest.trailers=off: inconclusive: sent 0 trailer
 *         fields
 *     without com.sun.net.httpserver.HttpServer -Drequest.trailers=off: not-applicable: no module
 *         jdk.httpserver
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpserver/TrailersDropTheRequest.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpserver/TrailersDropTheRequest.java
 *     java -cp classes TrailersDropTheRequest [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 25.0.5.1+2-1-deb13u1-Debian, Debian
 *     requests_unanswered = 1 requests (bound 1)
 *       trailer_fields: 1
 *       status_line:
 *       read: java.io.IOException: invalid chunk end
 *     reproduced: A request with a trailer field had no answer (requests_unanswered 1, bound 1).
 * On a build before it:
 *     # java: 25.0.4.1+1-LTS, Eclipse Adoptium
 *     requests_unanswered = 0 requests (bound 1)
 *       trailer_fields: 1
 *       status_line: HTTP/1.1 200 OK
 *       read: java.io.IOException: invalid chunk end
 *     not-reproduced: The request was answered (requests_unanswered 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the line with which the server answered.
 */

/*
 * @test
 * @summary HttpServer must answer a request that has trailer fields
 * @key waits
 * @library /lib
 * @run main/othervm TrailersDropTheRequest control
 * @run main/othervm TrailersDropTheRequest subject
 */

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

public class TrailersDropTheRequest {
    /** For the kit's own tests: a request that never has trailer fields. */
    private static final boolean TRAILERS = !"off".equals(System.getProperty("request.trailers"));

    private static final String HEAD =
        "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";

    private static final byte[] CONTENT = {'o', 'k'};

    private static final AtomicReference<String> READ = new AtomicReference<>("");

    public static void main(String[] args) throws Exception {
        Reproducer.run("TrailersDropTheRequest", "KIT-4", args, TrailersDropTheRequest::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("com.sun.net.httpserver.HttpServer", "jdk.httpserver");
        int fields = which == Case.SUBJECT && TRAILERS ? 1 : 0;
        HttpServer server = HttpServer.create(
            new InetSocketAddress(TlsPeer.loopback(), 0), Listener.BACKLOG);
        server.createContext("/", TrailersDropTheRequest::answer);
        server.start();
        String status;
        try (Socket socket = new Socket(TlsPeer.loopback(), server.getAddress().getPort())) {
            socket.setSoTimeout(Client.PATIENCE_MS);
            String request = HEAD + "5\r\nhello\r\n0\r\n" + (fields > 0 ? "X-Sum: 1\r\n" : "")
                + "\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            status = firstLine(socket);
        } finally {
            server.stop(0);
        }
        findings.fact("trailer_fields", fields);
        findings.fact("status_line", status);
        findings.fact("read", READ.get());
        findings.require(fields > 0 || which == Case.CONTROL,
            "The client sent " + fields + " trailer fields (bound 1).");
        findings.require(which == Case.SUBJECT || !status.isEmpty(),
            "A request without trailer fields had no answer.");
        findings.judgeCount("requests_unanswered", status.isEmpty() ? 1 : 0, 1, "requests",
            "A request with a trailer field had no answer", "The request was answered");
    }

    /** What the server answers first, or "" if it closes the connection before that. */
    private static String firstLine(Socket socket) throws IOException {
        try {
            String line = new BufferedReader(new InputStreamReader(socket.getInputStream(),
                StandardCharsets.ISO_8859_1)).readLine();
            return line == null ? "" : line;
        } catch (SocketException e) {
            return "";  // a reset: bytes of the request were left unread
        }
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try {
            PlainClient.drain(exchange.getRequestBody());
            READ.set("the whole body");
        } catch (IOException e) {
            READ.set(e.toString());
        }
        exchange.sendResponseHeaders(200, CONTENT.length);
        exchange.getResponseBody().write(CONTENT);
        exchange.close();
    }
}
