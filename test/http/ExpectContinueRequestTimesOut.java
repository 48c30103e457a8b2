// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8054022: HttpURLConnection timeouts with Expect: 100-Continue and no chunking
 *
 * What goes wrong: a client sends "Expect: 100-Continue" and the server, as RFC 9110 10.1.1 allows,
 * sends no "100 Continue". The client should send its body after a while all the same. With a read
 * timeout set, it waits for all of that, then gives up with SocketTimeoutException: the body is
 * never sent.
 *
 * What it takes: fixed-length or chunked streaming, a read timeout (without one every build sends
 * the body after 5 s), and a server that waits for the body.
 *
 * Control: the server does send "100 Continue"; the body is sent at once on any build.
 *
 * Judged by a count of requests given up without their body.
 *
 * Without its precondition
 *     -Dpeer.script=off: error: Server rejected operation
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/http/ExpectContinueRequestTimesOut.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib http/ExpectContinueRequestTimesOut.java
 *     java -cp classes ExpectContinueRequestTimesOut [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     requests_given_up = 1 requests (bound 1)
 *       thrown: java.net.SocketTimeoutException: Read timed out
 *       request_ms: 3063
 *       requests_that_expect_100: 1
 *       body_bytes_received: 0
 *     reproduced: The client timed out waiting for 100 Continue and never sent its body
 *         (requests_given_up 1, bound 1).
 * On a fixed build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     requests_given_up = 0 requests (bound 1)
 *       thrown:
 *       request_ms: 3049
 *       requests_that_expect_100: 1
 *       body_bytes_received: 16
 *     not-reproduced: The client sent its body (requests_given_up 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has what getOutputStream threw and how long the
 * request took.
 */

/*
 * @test
 * @bug 8054022
 * @summary A server that sends no 100 Continue gets the body all the same
 * @key waits
 * @library /lib
 * @run main/othervm ExpectContinueRequestTimesOut control
 * @run main/othervm ExpectContinueRequestTimesOut subject
 */

import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

public class ExpectContinueRequestTimesOut {
    private static final int REQUEST_BYTES = 16;
    private static final String EXPECT = "100-Continue";

    // On any build, the client waits this long for a 100 that does not come.
    private static final int READ_TIMEOUT_MS = 3_000;

    private static final AtomicInteger EXPECTING = new AtomicInteger();
    private static final AtomicInteger BODY_BYTES = new AtomicInteger();
    private static final CountDownLatch BODY_READ = new CountDownLatch(1);

    public static void main(String[] args) throws Exception {
        Reproducer.run("ExpectContinueRequestTimesOut", "JDK-8054022", args,
            ExpectContinueRequestTimesOut::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            long begin = System.nanoTime();
            String thrown = request(peer.url("/"),
                which == Case.SUBJECT ? READ_TIMEOUT_MS : Client.PATIENCE_MS);
            findings.fact("thrown", thrown);
            findings.fact("request_ms",
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
            findings.fact("requests_that_expect_100", EXPECTING.get());
            findings.fact("body_bytes_received", BODY_BYTES.get());
            findings.require(EXPECTING.get() == 1 && peer.requests() == 1, "Of " + peer.requests()
                + " requests " + EXPECTING.get() + " had Expect: " + EXPECT
                + " (bounds 1 and 1).");
            findings.require(!thrown.isEmpty() || BODY_BYTES.get() == REQUEST_BYTES,
                "The peer read " + BODY_BYTES.get() + " bytes of the body (bound " + REQUEST_BYTES
                + ").");
            findings.judgeCount("requests_given_up", thrown.isEmpty() ? 0 : 1, 1, "requests",
                "The client timed out waiting for 100 Continue and never sent its body",
                "The client sent its body");
        }
    }

    private static void answer(Case which, Exchange exchange) throws IOException {
        EXPECTING.addAndGet(exchange.asks("Expect: " + EXPECT) ? 1 : 0);
        if (which == Case.CONTROL) {
            exchange.send("HTTP/1.1 100 Continue\r\n\r\n");
        }
        BODY_BYTES.addAndGet(exchange.readBody(REQUEST_BYTES));
        BODY_READ.countDown();
    }

    /** @return what getOutputStream threw as no 100 came, or "" if the body was sent */
    private static String request(URL url, int readTimeoutMs)
            throws IOException, InterruptedException {
        HttpURLConnection connection = PlainClient.prepare(url);
        connection.setReadTimeout(readTimeoutMs);
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setRequestProperty("Expect", EXPECT);
        connection.setFixedLengthStreamingMode(REQUEST_BYTES);
        OutputStream body;
        try {
            body = connection.getOutputStream();
        } catch (SocketTimeoutException e) {
            return e.toString();
        }
        body.write(new byte[REQUEST_BYTES]);
        body.close();
        // Reads no reply: it would have to come within the short read timeout.
        BODY_READ.await(Client.PATIENCE_MS, TimeUnit.MILLISECONDS);
        return "";
    }
}
