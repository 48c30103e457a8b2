// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8170305: URLConnection doesn't handle HTTP/1.1 1xx (informational) messages
 *
 * What goes wrong: a server may send any number of 1xx replies before the final one (RFC 9110
 * 15.2), such as "103 Early Hints". The client takes the first one other than "100 Continue" for
 * the final reply: getResponseCode returns 103, and the real reply is read as its body, or not at
 * all.
 *
 * What it takes: a 103 before the 200; a plain GET is enough.
 *
 * Control: the server sends the 200 alone.
 *
 * Judged by a count of interim replies that were returned as the reply.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: sent 0 replies with status 103
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/http/InterimReplyTakenAsFinal.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib http/InterimReplyTakenAsFinal.java
 *     java -cp classes InterimReplyTakenAsFinal [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     interim_replies_returned = 1 replies (bound 1)
 *       status: 103
 *       hints_sent: 1
 *     reproduced: A 103 was returned as the final reply (interim_replies_returned 1, bound 1).
 * On a fixed build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     interim_replies_returned = 0 replies (bound 1)
 *       status: 200
 *       hints_sent: 1
 *     not-reproduced: The final reply was returned (interim_replies_returned 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the status that the client returned.
 */

/*
 * @test
 * @bug 8170305
 * @summary A 1xx reply must not be taken for the final one
 * @key waits
 * @library /lib
 * @run main/othervm InterimReplyTakenAsFinal control
 * @run main/othervm InterimReplyTakenAsFinal subject
 */

import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.concurrent.atomic.AtomicInteger;

public class InterimReplyTakenAsFinal {
    private static final int EARLY_HINTS = 103;
    private static final AtomicInteger HINTS_SENT = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Reproducer.run("InterimReplyTakenAsFinal", "JDK-8170305", args,
            InterimReplyTakenAsFinal::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            HttpURLConnection connection = PlainClient.prepare(peer.url("/"));
            int status = connection.getResponseCode();
            findings.fact("status", status);
            findings.fact("hints_sent", HINTS_SENT.get());
            findings.require(which == Case.CONTROL || HINTS_SENT.get() == 1,
                "The peer sent " + HINTS_SENT.get() + " replies with status 103 (bound 1).");
            findings.require(status == EARLY_HINTS || status == HttpURLConnection.HTTP_OK,
                "The client returned status " + status + " (bounds " + EARLY_HINTS + " and "
                + HttpURLConnection.HTTP_OK + ").");
            if (status == HttpURLConnection.HTTP_OK) {
                PlainClient.finish(connection);
            }
            connection.disconnect();
            findings.judgeCount("interim_replies_returned", status == EARLY_HINTS ? 1 : 0, 1,
                "replies", "A 103 was returned as the final reply",
                "The final reply was returned");
        }
    }

    private static void answer(Case which, Exchange exchange) throws IOException {
        if (which == Case.SUBJECT) {
            // Count first: an affected client returns before this thread gets to anything else.
            HINTS_SENT.incrementAndGet();
            exchange.send("HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n");
        }
        exchange.reply();
    }
}
