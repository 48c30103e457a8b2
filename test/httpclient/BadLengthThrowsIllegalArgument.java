// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * KIT-3: java.net.http throws an IllegalArgumentException at a reply whose length is no number
 *
 * What goes wrong: the head of a reply over HTTP/2 has a content-length, or a :status, that is no
 * number. HttpClient.send() fails as it should, but by an IllegalArgumentException, which says that
 * the caller's request is wrong. A handler for IOException does not see it.
 *
 * What it takes: HTTP/2, and a content-length or :status that is no number.
 *
 * Control: a content-length of 0.
 *
 * Judged by a count of IllegalArgumentExceptions.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: sent 0 heads
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/BadLengthThrowsIllegalArgument.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/BadLengthThrowsIllegalArgument.java
 *     java -cp classes BadLengthThrowsIllegalArgument [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 25.0.5.1+2-1-deb13u1-Debian, Debian
 *     callers_blamed = 1 requests (bound 1)
 *       length: x
 *       failure: java.lang.IllegalArgumentException: For input string: "x"
 *       requests: 2
 *     reproduced: A reply whose length is no number ended in an IllegalArgumentException
 *         (callers_blamed 1, bound 1).
 * On a fixed build:
 *     # java: 26.0.2.1+1-1-Debian, Debian
 *     callers_blamed = 0 requests (bound 1)
 *       length: x
 *       failure: java.io.IOException: For input string: "x"
 *       requests: 2
 *     not-reproduced: No IllegalArgumentException was thrown (callers_blamed 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has what the request failed with.
 */

/*
 * @test
 * @summary HttpClient must not blame its caller for the length of a reply
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm BadLengthThrowsIllegalArgument control
 * @run main/othervm BadLengthThrowsIllegalArgument subject
 */

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

public class BadLengthThrowsIllegalArgument {
    // A literal without indexing, its name the 28th of RFC 7541 appendix A: content-length.
    private static final byte[] STATUS_200_AND_LENGTH =
        {H2cPeer.STATUS_200[0], 0x0f, 28 - 15, 1};

    private static final AtomicInteger HEADS = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Reproducer.run("BadLengthThrowsIllegalArgument", "KIT-3", args,
            BadLengthThrowsIllegalArgument::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        char length = which == Case.SUBJECT ? 'x' : '0';
        try (H2cPeer peer = new H2cPeer(exchange -> answer(length, exchange))) {
            HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
            HttpRequest request = HttpRequest.newBuilder(peer.url().toURI()).build();
            // The first request makes the connection.
            client.send(request, BodyHandlers.discarding());
            String failure = "";
            boolean isCallerBlamed = false;
            try {
                client.send(request, BodyHandlers.discarding());
            } catch (IOException | IllegalArgumentException e) {
                failure = e.toString();
                isCallerBlamed = e instanceof IllegalArgumentException;
            }
            findings.fact("length", String.valueOf(length));
            findings.fact("failure", failure);
            findings.fact("requests", peer.requests());
            findings.require(HEADS.get() > 0, "The peer had " + peer.requests()
                + " requests, and sent " + HEADS.get() + " heads of the script (bound 1).");
            findings.require(which == Case.SUBJECT || failure.isEmpty(),
                "A reply of length 0 was refused: " + failure + ".");
            findings.judgeCount("callers_blamed", isCallerBlamed ? 1 : 0, 1, "requests",
                "A reply whose length is no number ended in an IllegalArgumentException",
                "No IllegalArgumentException was thrown");
        }
    }

    private static void answer(char length, H2cExchange exchange) throws IOException {
        if (exchange.ordinal == 1) {
            exchange.reply();
            return;
        }
        HEADS.incrementAndGet();
        byte[] fields = Arrays.copyOf(STATUS_200_AND_LENGTH,
            STATUS_200_AND_LENGTH.length + 1);
        fields[fields.length - 1] = (byte) length;
        exchange.head(fields, true);
    }
}
