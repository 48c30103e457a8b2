// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8335181: Incorrect handling of HTTP/2 GOAWAY frames in HttpClient
 *
 * What goes wrong: a server that shuts down a connection says in GOAWAY up to which stream it has
 * read. It has not seen a request on a later stream, which may be sent again on another connection
 * (RFC 9113 6.8). Instead the client fails it, or waits for a reply that never comes.
 *
 * What it takes: HTTP/2, and a GOAWAY that crosses a request, as from a proxy that restarts.
 *
 * Control: no GOAWAY.
 *
 * Judged by a count of requests failed.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: GOAWAY refused 0 requests
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/RefusedByGoawayNotRetried.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/RefusedByGoawayNotRetried.java
 *     java -cp classes RefusedByGoawayNotRetried [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     requests_failed = 1 requests (bound 1)
 *       failure: java.io.IOException: /127.0.0.1:34044: GOAWAY received
 *       refused: 1
 *       answered: 1
 *       connections: 1
 *     reproduced: A request that the server had not seen failed, and was not sent again
 *         (requests_failed 1, bound 1).
 * On a fixed build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     requests_failed = 0 requests (bound 1)
 *       failure:
 *       refused: 1
 *       answered: 2
 *       connections: 2
 *     not-reproduced: Every request had its reply (requests_failed 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has what the request failed with.
 */

/*
 * @test
 * @bug 8335181
 * @summary A request of HttpClient that GOAWAY refuses must be sent again
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm RefusedByGoawayNotRetried control
 * @run main/othervm RefusedByGoawayNotRetried subject
 */

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

public class RefusedByGoawayNotRetried {
    private static final AtomicInteger REFUSED = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Reproducer.run("RefusedByGoawayNotRetried", "JDK-8335181", args,
            RefusedByGoawayNotRetried::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        try (H2cPeer peer = new H2cPeer(exchange -> answer(which, exchange))) {
            HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
            String first = get(client, peer.url().toURI(), findings);
            findings.require(first.isEmpty() && peer.connections() == 1, "The first request took "
                + peer.connections() + " connections, and ended with: " + first);
            String second = get(client, peer.url().toURI(), findings);
            findings.fact("failure", second);
            findings.fact("refused", REFUSED.get());
            findings.fact("answered", peer.requests() - REFUSED.get());
            findings.fact("connections", peer.connections());
            int refused = which == Case.SUBJECT ? 1 : 0;
            findings.require(REFUSED.get() == refused,
                "GOAWAY refused " + REFUSED + " requests (bound " + refused + ").");
            findings.require(second.isEmpty() || peer.connections() == 1,
                "The request was sent again, and ended with: " + second);
            findings.judgeCount("requests_failed", second.isEmpty() ? 0 : 1, 1, "requests",
                "A request that the server had not seen failed, and was not sent again",
                "Every request had its reply");
        }
    }

    private static void answer(Case which, H2cExchange exchange) throws IOException {
        if (which == Case.SUBJECT && exchange.connection == 1 && exchange.ordinal > 1) {
            REFUSED.incrementAndGet();
            exchange.goAwayAfterStream1();
        } else {
            exchange.reply();
        }
    }

    /** @return what it failed with, or "" */
    private static String get(HttpClient client, URI uri, Findings findings)
            throws InterruptedException {
        try {
            client.send(HttpRequest.newBuilder(uri)
                .timeout(Duration.ofMillis(Client.PATIENCE_MS)).build(), BodyHandlers.discarding());
            return "";
        } catch (IOException e) {
            findings.require(!(e instanceof HttpTimeoutException),
                "A request was not over after " + Client.PATIENCE_MS + " ms.");
            return e.toString();
        }
    }
}
