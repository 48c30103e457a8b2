// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * KIT-2: java.net.http waits for ever after a WINDOW_UPDATE that it refuses
 *
 * What goes wrong: a server sends a WINDOW_UPDATE of 0 for a stream, which is an error of that
 * stream (RFC 9113 6.9). The client resets the stream, and never completes the request: send()
 * waits for ever, as its thread waits for a reply that can't come any more.
 *
 * What it takes: HTTP/2, and a WINDOW_UPDATE of 0, or one that overflows the stream's window,
 * before the reply has ended.
 *
 * Control: a WINDOW_UPDATE of 1.
 *
 * Judged by a count of requests that are not over though the client has reset their stream.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: sent 0 frames WINDOW_UPDATE
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/ZeroWindowUpdateHangs.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/ZeroWindowUpdateHangs.java
 *     java -cp classes ZeroWindowUpdateHangs [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 25.0.5.1+2-1-deb13u1-Debian, Debian
 *     requests_waiting = 1 requests (bound 1)
 *       increment: 0
 *       resets: 1
 *       requests: 2
 *       done: false
 *     reproduced: The client reset the stream at a WINDOW_UPDATE, and did not complete the request
 *         (requests_waiting 1, bound 1).
 * On a fixed build:
 *     none is known in November 2026; with an increment of 1, as the control:
 *     # java: 25.0.5.1+2-1-deb13u1-Debian, Debian
 *     requests_waiting = 0 requests (bound 1)
 *       increment: 1
 *       resets: 0
 *       requests: 2
 *       done: true
 *     not-reproduced: The request was completed (requests_waiting 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has whether the client reset the stream.
 */

/*
 * @test
 * @summary HttpClient must complete a request whose stream it resets at a WINDOW_UPDATE
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm ZeroWindowUpdateHangs control
 * @run main/othervm ZeroWindowUpdateHangs subject
 */

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

public class ZeroWindowUpdateHangs {
    private static final long LOOK_EVERY_MS = 20;

    // What is to be done then, waking a thread, takes well below a millisecond.
    private static final long AFTER_RESET_MS = 3_000;

    private static final AtomicInteger WINDOW_UPDATES = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Reproducer.run("ZeroWindowUpdateHangs", "KIT-2", args, ZeroWindowUpdateHangs::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        int increment = which == Case.SUBJECT ? 0 : 1;
        try (H2cPeer peer = new H2cPeer(exchange -> answer(increment, exchange))) {
            HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
            HttpRequest request = HttpRequest.newBuilder(peer.url().toURI()).build();
            // The first request makes the connection.
            client.send(request, BodyHandlers.discarding());
            CompletableFuture<HttpResponse<Void>> reply =
                client.sendAsync(request, BodyHandlers.discarding());
            await(reply, () -> peer.resets() > 0, new Patience(Client.PATIENCE_MS));
            await(reply, () -> false, new Patience(AFTER_RESET_MS));
            findings.fact("increment", increment);
            findings.fact("resets", peer.resets());
            findings.fact("requests", peer.requests());
            findings.fact("done", reply.isDone());
            findings.require(WINDOW_UPDATES.get() > 0, "The peer had " + peer.requests()
                + " requests, and sent " + WINDOW_UPDATES.get()
                + " frames WINDOW_UPDATE (bound 1).");
            findings.require(reply.isDone() || peer.resets() > 0,
                "The request was not over, and its stream was not reset.");
            findings.judgeCount("requests_waiting", reply.isDone() ? 0 : 1, 1, "requests",
                "The client reset the stream at a WINDOW_UPDATE, and did not complete the request",
                "The request was completed");
        }
    }

    /** What may end a wait for a reply. */
    private interface Event {
        boolean isSeen();
    }

    private static void await(CompletableFuture<?> reply, Event event, Patience patience)
            throws InterruptedException {
        while (!reply.isDone() && !event.isSeen() && patience.left()) {
            Thread.sleep(LOOK_EVERY_MS);
        }
    }

    private static void answer(int increment, H2cExchange exchange) throws IOException {
        if (exchange.ordinal == 2) {
            WINDOW_UPDATES.incrementAndGet();
            exchange.windowUpdate(increment);
        }
        exchange.reply();
    }
}
