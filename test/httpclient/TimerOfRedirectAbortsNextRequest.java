// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8304701: Request with timeout aborts later in-flight request on HTTP/1.1 cxn
 *
 * What goes wrong: a request with a timeout is redirected and ends well, but its timer goes on.
 * When the timer fires, it closes the connection. A later request without a timeout, which is on
 * that connection by then, is sent a second time, or fails.
 *
 * What it takes: timeout(), a redirect to the same host, and a later request that is under way on
 * the connection when the timer fires.
 *
 * Control: the first request is not redirected.
 *
 * Judged by a count of requests sent twice or failed.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: was redirected 0 times
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/TimerOfRedirectAbortsNextRequest.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/TimerOfRedirectAbortsNextRequest.java
 *     java -cp classes TimerOfRedirectAbortsNextRequest [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     requests_aborted = 1 requests (bound 1)
 *       first_status: 200
 *       redirects: 1
 *       connections_of_first: 1
 *       failure:
 *       next_requests: 2
 *     reproduced: The timer of the redirected request ended the next one
 *         (requests_aborted 1, bound 1).
 * On a fixed build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     requests_aborted = 0 requests (bound 1)
 *       first_status: 200
 *       redirects: 1
 *       connections_of_first: 1
 *       failure:
 *       next_requests: 1
 *     not-reproduced: The next request went on to its end (requests_aborted 0, bound
 *         1).
 *
 * Evidence: outcome.json beside the scratch files has the number of times that the server got the
 * next request.
 */

/*
 * @test
 * @bug 8304701
 * @summary The timeout of a redirected request of HttpClient must not end the next request
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm TimerOfRedirectAbortsNextRequest control
 * @run main/othervm TimerOfRedirectAbortsNextRequest subject
 */

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

public class TimerOfRedirectAbortsNextRequest {
    private static final String NEXT = "/next";

    // Long enough for a first request on a busy machine.
    private static final long TIMEOUT_MS = 6_000;

    // The reply to the next request comes this long after the timer has fired, as the timer was set
    // before the first request came.
    private static final long LATE_MS = 2_000;

    private static final AtomicInteger REDIRECTS = new AtomicInteger();
    private static final AtomicInteger NEXT_REQUESTS = new AtomicInteger();

    private static volatile long beginNanos;
    private static volatile long firstCameNanos;
    private static volatile long nextCameMs;

    public static void main(String[] args) throws Exception {
        Reproducer.run("TimerOfRedirectAbortsNextRequest", "JDK-8304701", args,
            TimerOfRedirectAbortsNextRequest::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.ALWAYS).build();
            beginNanos = System.nanoTime();
            int first = client.send(HttpRequest.newBuilder(peer.url("/").toURI())
                .timeout(Duration.ofMillis(TIMEOUT_MS)).build(),
                BodyHandlers.discarding()).statusCode();
            findings.fact("first_status", first);
            findings.fact("redirects", REDIRECTS.get());
            findings.fact("connections_of_first", peer.connections());
            findings.require(first == 200 && REDIRECTS.get() == (which == Case.SUBJECT ? 1 : 0),
                "The first request was redirected " + REDIRECTS.get() + " times, and answered with "
                + first + ".");
            findings.require(peer.connections() == 1, "The first request took "
                + peer.connections() + " connections (bound 1).");
            String failure = next(client, peer.url(NEXT).toURI());
            findings.fact("failure", failure);
            findings.fact("next_requests", NEXT_REQUESTS.get());
            findings.require(NEXT_REQUESTS.get() > 0 && nextCameMs < TIMEOUT_MS,
                "The next request was not under way when the timer fired: of "
                + NEXT_REQUESTS + " the first came after " + nextCameMs + " ms (bound "
                + TIMEOUT_MS + ").");
            findings.judgeCount("requests_aborted",
                NEXT_REQUESTS.get() - 1 + (failure.isEmpty() ? 0 : 1), 1, "requests",
                "The timer of the redirected request ended the next one",
                "The next request went on to its end");
        }
    }

    /** @return what it failed with, or "" */
    private static String next(HttpClient client, URI uri) throws InterruptedException {
        try {
            client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
            return "";
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void answer(Case which, Exchange exchange)
            throws IOException, InterruptedException {
        if (exchange.path.equals(NEXT)) {
            if (NEXT_REQUESTS.incrementAndGet() == 1) {
                nextCameMs = millisSince(beginNanos);
            }
            Thread.sleep(Math.max(0, TIMEOUT_MS - millisSince(firstCameNanos)) + LATE_MS);
            exchange.reply();
            return;
        }
        if (REDIRECTS.get() == 0) {
            firstCameNanos = System.nanoTime();
        }
        if (exchange.path.equals("/") && which == Case.SUBJECT) {
            REDIRECTS.incrementAndGet();
            exchange.send("HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n");
            return;
        }
        exchange.reply();
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }
}
