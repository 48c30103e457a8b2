// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8225647: HttpClient fails a request beyond the server's most concurrent streams
 *
 * What goes wrong: a server limits the number of concurrent requests on an HTTP/2 connection
 * (SETTINGS_MAX_CONCURRENT_STREAMS, RFC 9113 5.1.2). A request beyond the limit is neither queued
 * until another has ended, nor sent on a connection of its own: it fails at once, though the server
 * is well.
 *
 * What it takes: HTTP/2, and one concurrent request more than the server allows.
 *
 * Control: a server that allows one more.
 *
 * Judged by a count of requests failed.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: No request was under way at the server
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/RequestBeyondStreamsFails.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/RequestBeyondStreamsFails.java
 *     java -cp classes RequestBeyondStreamsFails [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     requests_failed = 1 requests (bound 1)
 *       streams: 1
 *       failure: java.io.IOException: too many concurrent streams
 *       requests_sent: 2
 *       connections: 1
 *     reproduced: A request beyond what the server allows at once failed, and was not sent
 *         (requests_failed 1, bound 1).
 * On a fixed build:
 *     none is known in November 2026; with one stream more, as the control:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     requests_failed = 0 requests (bound 1)
 *       streams: 2
 *       failure:
 *       requests_sent: 3
 *       connections: 1
 *     not-reproduced: Every request had its reply (requests_failed 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has what the request failed with.
 */

/*
 * @test
 * @bug 8225647
 * @summary A request of HttpClient beyond what the server allows at once must not fail
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm RequestBeyondStreamsFails control
 * @run main/othervm RequestBeyondStreamsFails subject
 */

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

public class RequestBeyondStreamsFails {
    private static final int STREAMS = 1;

    private static final long LOOK_EVERY_MS = 20;

    /** Tasks that the client has given its executor and that have not ended. */
    private static final AtomicInteger TASKS = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Reproducer.run("RequestBeyondStreamsFails", "JDK-8225647", args,
            RequestBeyondStreamsFails::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        int streams = which == Case.SUBJECT ? STREAMS : STREAMS + 1;
        BlockingQueue<H2cExchange> held = new LinkedBlockingQueue<>();
        try (H2cPeer peer = H2cPeer.withStreams(streams, exchange -> {
                if (exchange.connection == 1 && exchange.ordinal == 2) {
                    held.add(exchange);
                } else {
                    exchange.reply();
                }
            })) {
            HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2)
                .executor(RequestBeyondStreamsFails::begin).build();
            HttpRequest request = HttpRequest.newBuilder(peer.url().toURI()).build();
            // The first request makes the connection; at its end the server's settings are known.
            client.send(request, BodyHandlers.discarding());
            CompletableFuture<HttpResponse<Void>> under =
                client.sendAsync(request, BodyHandlers.discarding());
            H2cExchange atServer = held.poll(Client.PATIENCE_MS, TimeUnit.MILLISECONDS);
            findings.require(atServer != null, "No request was under way at the server.");
            CompletableFuture<HttpResponse<Void>> beyond =
                client.sendAsync(request, BodyHandlers.discarding());
            awaitTried(beyond);
            atServer.reply();
            String other = end(under);
            findings.require(other.isEmpty(), "The request under way ended with: " + other);
            String failure = end(beyond);
            int sent = peer.requests();
            findings.fact("streams", streams);
            findings.fact("failure", failure);
            findings.fact("requests_sent", sent);
            findings.fact("connections", peer.connections());
            findings.require(failure.isEmpty() || sent == 2,
                "The request came to the server, and ended with: " + failure);
            findings.judgeCount("requests_failed", failure.isEmpty() ? 0 : 1, 1, "requests",
                "A request beyond what the server allows at once failed, and was not sent",
                "Every request had its reply");
        }
    }

    private static void begin(Runnable task) {
        TASKS.incrementAndGet();
        TlsPeer.daemon("client", () -> {
            try {
                task.run();
            } finally {
                TASKS.decrementAndGet();
            }
        }).start();
    }

    /** Waits until the request has failed, or the client can do no more for it now. */
    private static void awaitTried(CompletableFuture<?> request) throws InterruptedException {
        Patience patience = new Patience(Client.PATIENCE_MS);
        while (!request.isDone() && TASKS.get() > 0) {
            if (!patience.left()) {
                throw new CaseEnd(Outcome.INCONCLUSIVE, "The client did not come to the request.");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
        }
    }

    /** @return what it failed with, or "" */
    private static String end(CompletableFuture<?> reply) throws InterruptedException {
        try {
            reply.get(Client.PATIENCE_MS, TimeUnit.MILLISECONDS);
            return "";
        } catch (TimeoutException e) {
            throw new CaseEnd(Outcome.INCONCLUSIVE, "A request had no reply after "
                + Client.PATIENCE_MS + " ms.");
        } catch (ExecutionException e) {
            return e.getCause().toString();
        }
    }
}
