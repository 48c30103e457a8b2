// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8314978: Multiple server call from connection failing with expect100 in getOutputStream
 *
 * What goes wrong: a POST announces its body with "Expect: 100-continue", and the server refuses it
 * (RFC 9110 10.1.1). getOutputStream throws, as it should. If the caller then asks for a header of
 * the refusal, the client sends the request a second time.
 *
 * What it takes: a final reply in place of the 100, and a look at its headers after the exception.
 *
 * Control: the server sends the 100, and the body follows.
 *
 * Judged by a count of superfluous requests.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: returned status 200
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/http/RejectedExpectContinueSentTwice.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib http/RejectedExpectContinueSentTwice.java
 *     java -cp classes RejectedExpectContinueSentTwice [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     requests_too_many = 1 requests (bound 1)
 *       refused: true
 *       status: 404
 *       header: /
 *       requests_that_expect_100: 2
 *     reproduced: To tell a header of the refusal the client sent the request again
 *         (requests_too_many 1, bound 1).
 * On a fixed build:
 *     # java: 17.0.19+10-1-deb12u2-Debian, Debian
 *     requests_too_many = 0 requests (bound 1)
 *       refused: true
 *       status: 404
 *       header: /
 *       requests_that_expect_100: 1
 *     not-reproduced: One request was sent (requests_too_many 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the number of requests that the server got.
 */

/*
 * @test
 * @bug 8314978
 * @summary A refused Expect: 100-continue must not be sent again to learn its headers
 * @key waits
 * @library /lib
 * @run main/othervm RejectedExpectContinueSentTwice control
 * @run main/othervm RejectedExpectContinueSentTwice subject
 */

import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.ProtocolException;
import java.net.URL;
import java.util.concurrent.atomic.AtomicInteger;

public class RejectedExpectContinueSentTwice {
    private static final int REQUEST_BYTES = 16;
    private static final String EXPECT = "100-Continue";
    private static final AtomicInteger EXPECTING = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Reproducer.run("RejectedExpectContinueSentTwice", "JDK-8314978", args,
            RejectedExpectContinueSentTwice::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            HttpURLConnection connection = prepare(peer.url("/"));
            boolean refused = !sendsBody(connection);
            int status = connection.getResponseCode();
            String path = connection.getHeaderField("X-Path");
            findings.fact("refused", refused);
            findings.fact("status", status);
            findings.fact("header", String.valueOf(path));
            findings.fact("requests_that_expect_100", EXPECTING.get());
            findings.require(refused == (which == Case.SUBJECT), "The client was "
                + (refused ? "" : "not ") + "told that its body is refused.");
            int expected = refused ? HttpURLConnection.HTTP_NOT_FOUND : HttpURLConnection.HTTP_OK;
            findings.require(status == expected,
                "The client returned status " + status + " (bound " + expected + ").");
            findings.require(EXPECTING.get() > 0, "No request had Expect: " + EXPECT + ".");
            findings.judgeCount("requests_too_many", peer.requests() - 1, 1, "requests",
                "To tell a header of the refusal the client sent the request again",
                "One request was sent");
        }
    }

    private static void answer(Case which, Exchange exchange) throws IOException {
        EXPECTING.addAndGet(exchange.asks("Expect: " + EXPECT) ? 1 : 0);
        if (which == Case.SUBJECT) {
            exchange.send("HTTP/1.1 404 Not Found\r\nX-Path: /\r\nContent-Length: 0\r\n\r\n");
            return;
        }
        exchange.send("HTTP/1.1 100 Continue\r\n\r\n");
        exchange.readBody(REQUEST_BYTES);
        exchange.reply();
    }

    private static HttpURLConnection prepare(URL url) throws IOException {
        HttpURLConnection connection = PlainClient.prepare(url);
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setRequestProperty("Expect", EXPECT);
        connection.setFixedLengthStreamingMode(REQUEST_BYTES);
        return connection;
    }

    private static boolean sendsBody(HttpURLConnection connection) throws IOException {
        try (OutputStream body = connection.getOutputStream()) {
            body.write(new byte[REQUEST_BYTES]);
            return true;
        } catch (ProtocolException refused) {
            return false;
        }
    }
}
