// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * KIT-1: java.net.http refuses each chunked reply with trailer fields
 *
 * What goes wrong: a chunked reply over HTTP/1.1 ends with a trailer field, as it may (RFC 9112
 * 7.1.2). The client fails the request and closes the connection: it takes the field for the end of
 * the body. Whatever was read of the body is lost.
 *
 * What it takes: a chunked reply with at least one trailer field, such as Server-Timing or a
 * checksum.
 *
 * Control: the same chunks, without a trailer field.
 *
 * Judged by a count of requests failed.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: sent 0 chunked replies
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/ReplyWithTrailersRefused.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/ReplyWithTrailersRefused.java
 *     java -cp classes ReplyWithTrailersRefused [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.21.1+2-1-deb12u1-Debian, Debian
 *     requests_failed = 1 requests (bound 1)
 *       trailer_fields: 1
 *       body:
 *       failure: java.net.ProtocolException: CR expected
 *       requests: 1
 *     reproduced: A reply with trailer fields was refused (requests_failed 1, bound 1).
 * On a build before it:
 *     # java: 17.0.20.1+1-1-deb11u1-Debian, Debian
 *     requests_failed = 0 requests (bound 1)
 *       trailer_fields: 1
 *       body: hello
 *       failure:
 *       requests: 1
 *     not-reproduced: The reply was returned (requests_failed 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has what the request failed with.
 */

/*
 * @test
 * @summary HttpClient must accept a chunked reply that has trailer fields
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm ReplyWithTrailersRefused control
 * @run main/othervm ReplyWithTrailersRefused subject
 */

import java.io.IOException;
import java.net.ProtocolException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.atomic.AtomicInteger;

public class ReplyWithTrailersRefused {
    private static final String BODY = "hello";
    private static final String TRAILER = "X-Sum: 1\r\n";

    private static final AtomicInteger CHUNKED_REPLIES = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Reproducer.run("ReplyWithTrailersRefused", "KIT-1", args,
            ReplyWithTrailersRefused::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            String body = "";
            String failure = "";
            boolean refused = false;
            try {
                body = client.send(HttpRequest.newBuilder(peer.url("/").toURI()).build(),
                    BodyHandlers.ofString()).body();
            } catch (IOException e) {
                failure = e.toString();
                refused = isRefusal(e);
            }
            findings.fact("trailer_fields", which == Case.SUBJECT ? 1 : 0);
            findings.fact("body", body);
            findings.fact("failure", failure);
            findings.fact("requests", peer.requests());
            findings.require(CHUNKED_REPLIES.get() > 0,
                "The peer had " + peer.requests() + " requests, and sent "
                + CHUNKED_REPLIES.get() + " chunked replies (bound 1).");
            findings.require(refused || body.equals(BODY), "The body was '" + body
                + "', and the request failed with '" + failure + "'.");
            findings.judgeCount("requests_failed", refused ? 1 : 0, 1, "requests",
                "A reply with trailer fields was refused", "The reply was returned");
        }
    }

    /** Other failures, such as a broken connection, say nothing about the reply. */
    private static boolean isRefusal(Throwable thrown) {
        Throwable cause = thrown;
        while (cause != null && !(cause instanceof ProtocolException)) {
            cause = cause.getCause();
        }
        return cause != null;
    }

    private static void answer(Case which, Exchange exchange) throws IOException {
        CHUNKED_REPLIES.incrementAndGet();
        exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + BODY.length() + "\r\n" + BODY + "\r\n0\r\n"
            + (which == Case.SUBJECT ? TRAILER : "") + "\r\n");
    }
}
