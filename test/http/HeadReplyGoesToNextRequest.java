// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8170305: URLConnection doesn't handle HTTP/1.1 1xx (informational) messages
 *
 * What goes wrong: a server answers HEAD with "103 Early Hints" and a moment later with 200. The
 * client takes the 103 for the final reply. As a reply to HEAD has no body, the connection goes
 * back to the cache at once. The next request over it is answered with the 200 that belongs to the
 * first: from then on each request gets the reply to the one before it, even if another caller sent
 * that.
 *
 * What it takes: HEAD, and the 200 in a later segment than the 103 (in the same segment it is
 * discarded with the buffer).
 *
 * Control: the server sends the 200 alone.
 *
 * Judged by a count of requests that got the reply to the one before.
 *
 * Without its precondition
 *     -Dhttp.keepAlive=false: inconclusive: The requests took 2 connections
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/http/HeadReplyGoesToNextRequest.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib http/HeadReplyGoesToNextRequest.java
 *     java -cp classes HeadReplyGoesToNextRequest [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     replies_to_the_wrong_request = 1 replies (bound 1)
 *       first_status: 103
 *       second_status: 200
 *       second_reply_is_for: /first
 *       hints_sent: 2
 *       connections: 1
 *     reproduced: A request was answered with the reply to the one before
 *         (replies_to_the_wrong_request 1, bound 1).
 * On a fixed build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     replies_to_the_wrong_request = 0 replies (bound 1)
 *       first_status: 200
 *       second_status: 200
 *       second_reply_is_for: /second
 *       hints_sent: 2
 *       connections: 1
 *     not-reproduced: Each request was answered with its own reply (replies_to_the_wrong_request 0,
 *         bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the path that the second reply was for.
 */

/*
 * @test
 * @bug 8170305
 * @summary A reply must not go to the next request
 * @key waits
 * @library /lib
 * @run main/othervm HeadReplyGoesToNextRequest control
 * @run main/othervm HeadReplyGoesToNextRequest subject
 */

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

public class HeadReplyGoesToNextRequest {
    // The final reply comes this long after its 103, or as soon as the client has returned.
    private static final int FINAL_REPLY_LATER_MS = 1_000;
    private static final int POLL_MS = 20;

    private static final int EARLY_HINTS = 103;

    private static final AtomicInteger HINTS_SENT = new AtomicInteger();
    private static final CountDownLatch FIRST_RETURNED = new CountDownLatch(1);
    private static final AtomicBoolean FINAL_REPLY_LATER = new AtomicBoolean();
    private static final CountDownLatch FIRST_ANSWERED = new CountDownLatch(1);

    public static void main(String[] args) throws Exception {
        Reproducer.run("HeadReplyGoesToNextRequest", "JDK-8170305", args,
            HeadReplyGoesToNextRequest::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            HttpURLConnection first = head(peer.url("/first"));
            findings.fact("first_status", first.getResponseCode());
            FIRST_RETURNED.countDown();
            findings.require(FIRST_ANSWERED.await(Client.PATIENCE_MS, TimeUnit.MILLISECONDS),
                "The peer did not come to its final reply to the first request.");
            HttpURLConnection second = head(peer.url("/second"));
            findings.fact("second_status", second.getResponseCode());
            String pathOfReply = second.getHeaderField("X-Path");
            findings.fact("second_reply_is_for", pathOfReply);
            findings.fact("hints_sent", HINTS_SENT.get());
            findings.fact("connections", peer.connections());
            findings.require(which == Case.CONTROL || HINTS_SENT.get() > 0,
                "The peer sent no reply with status 103 (bound 1).");
            findings.require(first.getResponseCode() != EARLY_HINTS || FINAL_REPLY_LATER.get(),
                "The final reply came before the client had returned the 103, and may have been"
                + " thrown away with it.");
            // On an affected build the reply may arrive before the peer has seen the request.
            findings.require(peer.connections() == 1 && pathOfReply != null,
                "The requests took " + peer.connections() + " connections, the second reply is for "
                + pathOfReply + " (bounds 1 and one of the paths).");
            findings.judgeCount("replies_to_the_wrong_request",
                "/second".equals(pathOfReply) ? 0 : 1, 1, "replies",
                "A request was answered with the reply to the one before",
                "Each request was answered with its own reply");
        }
    }

    private static HttpURLConnection head(URL url) throws IOException {
        HttpURLConnection connection = PlainClient.prepare(url);
        connection.setRequestMethod("HEAD");
        return connection;
    }

    private static void answer(Case which, Exchange exchange)
            throws IOException, InterruptedException {
        if (which == Case.SUBJECT) {
            // Count first: an affected client returns before this thread gets to anything else.
            HINTS_SENT.incrementAndGet();
            exchange.send("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n");
            Patience patience = new Patience(FINAL_REPLY_LATER_MS);
            while (!FIRST_RETURNED.await(POLL_MS, TimeUnit.MILLISECONDS) && patience.left()) { }
            FINAL_REPLY_LATER.set(FIRST_RETURNED.getCount() == 0);
        }
        exchange.reply();
        FIRST_ANSWERED.countDown();
    }
}
