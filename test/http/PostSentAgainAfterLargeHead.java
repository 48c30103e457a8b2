// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8328286: HttpURLConnection sends a POST again if the head of its reply is too large, since
 * JDK-8328286
 *
 * What goes wrong: the head of a reply is larger than jdk.http.maxHeaderSize. The client refuses
 * it, as it should, but by an exception that it takes for a connection that has broken: it sends
 * the POST once more, over a new connection, and only then does it fail. The server has done twice
 * what it was asked for.
 *
 * What it takes: a POST, and a reply whose head is above the limit (384 KiB by default).
 *
 * Control: a head below the limit.
 *
 * Judged by a count of superfluous requests.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: sent 0 heads
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/http/PostSentAgainAfterLargeHead.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib http/PostSentAgainAfterLargeHead.java
 *     java -cp classes PostSentAgainAfterLargeHead [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.13+11, Eclipse Adoptium
 *     posts_too_many = 1 requests (bound 1)
 *       head_bytes: 400000
 *       status: 0
 *       failure: java.net.ProtocolException: Header size too big: 393217 > 393216
 *       requests: 2
 *       whole_posts: 2
 *     reproduced: The client sent the POST again when it had refused the head of its reply
 *         (posts_too_many 1, bound 1).
 * On a build before it:
 *     # java: 17.0.12+7, Eclipse Adoptium
 *     posts_too_many = 0 requests (bound 1)
 *       head_bytes: 400000
 *       status: 200
 *       failure:
 *       requests: 1
 *       whole_posts: 1
 *     not-reproduced: One POST was sent (posts_too_many 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the number of requests that the server got.
 */

/*
 * @test
 * @bug 8328286
 * @summary A POST must not be sent again because the head of its reply is too large
 * @key waits
 * @library /lib
 * @run main/othervm PostSentAgainAfterLargeHead control
 * @run main/othervm PostSentAgainAfterLargeHead subject
 */

import java.io.IOException;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.util.concurrent.atomic.AtomicInteger;

public class PostSentAgainAfterLargeHead {
    private static final int REQUEST_BYTES = 16;
    private static final int FIELD_BYTES = 4_000;
    // The limit is 393,216 bytes by default, each field counted with 32 more.
    private static final int FIELDS_ABOVE_LIMIT = 100;
    private static final int FIELDS_BELOW_LIMIT = 50;

    private static final AtomicInteger HEADS_SENT = new AtomicInteger();
    private static final AtomicInteger WHOLE_POSTS = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Reproducer.run("PostSentAgainAfterLargeHead", "JDK-8328286", args,
            PostSentAgainAfterLargeHead::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        int fields = which == Case.SUBJECT ? FIELDS_ABOVE_LIMIT : FIELDS_BELOW_LIMIT;
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(fields, exchange))) {
            HttpURLConnection connection = PlainClient.prepare(peer.url("/"));
            connection.setRequestMethod("POST");
            connection.setDoOutput(true);
            int status = 0;
            String failure = "";
            try (OutputStream body = connection.getOutputStream()) {
                body.write(new byte[REQUEST_BYTES]);
                status = connection.getResponseCode();
            } catch (IOException e) {
                failure = e.toString();
            }
            findings.fact("head_bytes", fields * FIELD_BYTES);
            findings.fact("status", status);
            findings.fact("failure", failure);
            findings.fact("requests", peer.requests());
            findings.fact("whole_posts", WHOLE_POSTS.get());
            findings.require(HEADS_SENT.get() > 0, "The peer had " + peer.requests()
                + " requests, and sent " + HEADS_SENT.get() + " heads of the script (bound 1).");
            findings.require(which == Case.SUBJECT || failure.isEmpty(),
                "A head below the limit was refused: " + failure + ".");
            findings.judgeCount("posts_too_many", WHOLE_POSTS.get() - 1, 1, "requests",
                "The client sent the POST again when it had refused the head of its reply",
                "One POST was sent");
        }
    }

    private static void answer(int fields, Exchange exchange) throws IOException {
        int bytes = exchange.readBody(REQUEST_BYTES);
        WHOLE_POSTS.addAndGet(bytes == REQUEST_BYTES && "POST".equals(exchange.method) ? 1 : 0);
        StringBuilder head = new StringBuilder("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n");
        for (int i = 0; i < fields; i++) {
            String name = "X-" + i + ": ";
            head.append(name).append(Exchange.body(FIELD_BYTES - name.length())).append("\r\n");
        }
        // Count first: the client may refuse the head, and end, before it is sent whole.
        HEADS_SENT.incrementAndGet();
        exchange.send(head.append("\r\n").toString());
    }
}
