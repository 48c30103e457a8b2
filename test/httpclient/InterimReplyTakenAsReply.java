// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8292044: HttpClient doesn't handle 102 or 103 properly
 *
 * What goes wrong: a server sends 103 (Early Hints) first, and 200 when it is done. Over HTTP/2 the
 * client takes the 103 for the reply. Over HTTP/1.1 it waits for ever, its timeout switched off by
 * the interim reply.
 *
 * What it takes: an interim reply other than 100.
 *
 * Control: no interim reply.
 *
 * Judged by a count of interim replies that were returned as the reply.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: sent 0 interim replies
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/InterimReplyTakenAsReply.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/InterimReplyTakenAsReply.java
 *     java -cp classes InterimReplyTakenAsReply [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     interim_replies_taken = 1 replies (bound 1)
 *       status: 103
 *       interim_replies: 1
 *     reproduced: An interim reply was taken for the final one (interim_replies_taken 1,
 *         bound 1).
 * On a fixed build:
 *     # java: 17.0.19+10-1-deb12u2-Debian, Debian
 *     interim_replies_taken = 0 replies (bound 1)
 *       status: 200
 *       interim_replies: 1
 *     not-reproduced: The final reply was returned (interim_replies_taken 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the status.
 */

/*
 * @test
 * @bug 8292044
 * @summary HttpClient must pass over an interim reply to the final one
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm InterimReplyTakenAsReply control
 * @run main/othervm InterimReplyTakenAsReply subject
 */

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.atomic.AtomicInteger;

public class InterimReplyTakenAsReply {
    private static final AtomicInteger INTERIM = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Reproducer.run("InterimReplyTakenAsReply", "JDK-8292044", args,
            InterimReplyTakenAsReply::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        try (H2cPeer peer = new H2cPeer(exchange -> answer(which, exchange))) {
            HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
            HttpRequest request = HttpRequest.newBuilder(peer.url().toURI()).build();
            int first = client.send(request, BodyHandlers.discarding()).statusCode();
            findings.require(first == 200, "The upgrade was answered with " + first + ".");
            int status = client.send(request, BodyHandlers.discarding()).statusCode();
            findings.fact("status", status);
            findings.fact("interim_replies", INTERIM.get());
            int sent = which == Case.SUBJECT ? 1 : 0;
            findings.require(INTERIM.get() == sent,
                "The peer sent " + INTERIM + " interim replies (bound " + sent + ").");
            findings.judgeCount("interim_replies_taken", status == 103 ? 1 : 0, 1, "replies",
                "An interim reply was taken for the final one", "The final reply was returned");
        }
    }

    private static void answer(Case which, H2cExchange exchange) throws IOException {
        if (which == Case.SUBJECT && exchange.ordinal > 1) {
            INTERIM.incrementAndGet();
            exchange.head(H2cPeer.STATUS_103, false);
        }
        exchange.reply();
    }
}
