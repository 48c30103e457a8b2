// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-6968351: httpserver clashes with delayed TCP ACKs for low Content-Length
 *
 * What goes wrong: com.sun.net.httpserver sends a reply's head and small body in two segments. The
 * system holds back the second (Nagle, RFC 9293 3.7.4) until the client has acknowledged the first.
 * A client that waits for the rest does that after 40 ms: 25 replies a second.
 *
 * What it takes: a connection that is kept open, and a body that is written after the head.
 * (Setting the property sun.net.httpserver.nodelay avoids the delay.)
 *
 * Control: replies without a body.
 *
 * Judged by a count of bodies that came 30 ms or more after a head that came by itself; a fixed
 * build never sends such a head.
 *
 * Without its precondition
 *     with com.sun.net.httpserver.HttpServer -Dserver.bodies=off: inconclusive: Of 100 replies 0
 *         had a body
 *     without com.sun.net.httpserver.HttpServer -Dserver.bodies=off: not-applicable: no module
 *         jdk.httpserver
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpserver/SmallReplyWaitsForAcknowledgement.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpserver/SmallReplyWaitsForAcknowledgement.java
 *     java -cp classes SmallReplyWaitsForAcknowledgement [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     late_bodies = 99 replies (bound 50)
 *       replies: 100
 *       replies_in_two_reads: 99
 *     reproduced: The bodies of small replies came 30 ms or more after their heads
 *         (late_bodies 99, bound 50).
 * On a fixed build:
 *     # java: 25.0.2+10-LTS, Eclipse Adoptium
 *     late_bodies = 0 replies (bound 50)
 *       replies: 100
 *       replies_in_two_reads: 0
 *     not-reproduced: Small replies came whole (late_bodies 0, bound 50).
 *
 * Evidence: outcome.json beside the scratch files has the number of replies that came in two reads.
 */

/*
 * @test
 * @bug 6968351
 * @summary A small reply of HttpServer must not wait for an acknowledgement
 * @key waits
 * @library /lib
 * @run main/othervm SmallReplyWaitsForAcknowledgement control
 * @run main/othervm SmallReplyWaitsForAcknowledgement subject
 */

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

public class SmallReplyWaitsForAcknowledgement {
    /** For the kit's own tests: a server that answers without bodies. */
    private static final boolean BODIES = !"off".equals(System.getProperty("server.bodies"));

    private static final int REPLIES = 100;
    private static final int BODY_BYTES = 64;
    private static final String END_OF_HEAD = "\r\n\r\n";
    private static final Pattern LENGTH =
        Pattern.compile("^Content-length: *(\\d+)", Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);
    private static final byte[] REQUEST =
        "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    // Linux acknowledges after 40 ms, other systems later; all acknowledge the first few at once.
    private static final long LATE_MS = 30;
    private static final long BOUND = REPLIES / 2;

    public static void main(String[] args) throws Exception {
        Reproducer.run("SmallReplyWaitsForAcknowledgement", "JDK-6968351", args,
            SmallReplyWaitsForAcknowledgement::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("com.sun.net.httpserver.HttpServer", "jdk.httpserver");
        HttpServer server = HttpServer.create(
            new InetSocketAddress(TlsPeer.loopback(), 0), Listener.BACKLOG);
        server.createContext("/", exchange -> answer(which, exchange));
        server.start();
        int late = 0;
        int bodies = 0;
        int inTwo = 0;
        try (Socket socket = new Socket(TlsPeer.loopback(), server.getAddress().getPort())) {
            socket.setSoTimeout(Client.PATIENCE_MS);
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            byte[] reply = new byte[4096];
            for (int i = 0; i < REPLIES; i++) {
                socket.getOutputStream().write(REQUEST);
                int bytes = more(in, reply, 0);
                final long headNanos = System.nanoTime();
                boolean isWhole = missing(reply, bytes) == 0;
                while (missing(reply, bytes) > 0) {
                    bytes = more(in, reply, bytes);
                }
                long waitedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - headNanos);
                inTwo += isWhole ? 0 : 1;
                bodies += announced(reply, bytes) == BODY_BYTES ? 1 : 0;
                late += !isWhole && waitedMs >= LATE_MS ? 1 : 0;
            }
        } finally {
            server.stop(0);
        }
        findings.fact("replies", REPLIES);
        findings.fact("replies_in_two_reads", inTwo);
        int expected = which == Case.SUBJECT ? REPLIES : 0;
        findings.require(bodies == expected, "Of " + REPLIES + " replies " + bodies
            + " had a body of " + BODY_BYTES + " bytes (bound " + expected + ").");
        findings.judgeCount("late_bodies", late, BOUND, "replies",
            "The bodies of small replies came " + LATE_MS + " ms or more after their heads",
            "Small replies came whole");
    }

    private static void answer(Case which, HttpExchange exchange) throws IOException {
        PlainClient.drain(exchange.getRequestBody());
        if (which == Case.CONTROL || !BODIES) {
            exchange.sendResponseHeaders(200, -1);
            return;  // before 17.0.10, a close would end the connection
        }
        exchange.sendResponseHeaders(200, BODY_BYTES);
        exchange.getResponseBody().write(new byte[BODY_BYTES]);
        exchange.getResponseBody().close();
    }

    private static int more(InputStream in, byte[] reply, int have) throws IOException {
        int count = in.read(reply, have, reply.length - have);
        if (count < 0) {
            throw new IOException("the server ended the connection");
        }
        return have + count;
    }

    /** How many bytes are still to come; 1 if the head is not complete yet. */
    private static int missing(byte[] reply, int bytes) {
        int head = text(reply, bytes).indexOf(END_OF_HEAD);
        return head < 0 ? 1
            : head + END_OF_HEAD.length() + announced(reply, bytes) - bytes;
    }

    private static int announced(byte[] reply, int bytes) {
        Matcher length = LENGTH.matcher(text(reply, bytes));
        return length.find() ? Integer.parseInt(length.group(1)) : 0;
    }

    private static String text(byte[] reply, int bytes) {
        return new String(reply, 0, bytes, StandardCharsets.ISO_8859_1);
    }
}
