// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8303965: java.net.http.HttpClient should reset the stream if response headers contain
 * malformed header fields
 *
 * What goes wrong: a reply over HTTP/2 has a forbidden field, such as one with a capital letter in
 * its name. It is malformed, and its stream must be reset (RFC 9113 8.1.1, 8.2.1). The client
 * returns the reply as if all were well. What a proxy in front made of the field is another
 * question.
 *
 * What it takes: HTTP/2, and a server that sends such a field.
 *
 * Control: the field's name is in lower case.
 *
 * Judged by a count of replies with a malformed field that were returned.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: The field did not come
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/MalformedHeadAccepted.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/MalformedHeadAccepted.java
 *     java -cp classes MalformedHeadAccepted [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     malformed_replies_accepted = 1 replies (bound 1)
 *       field: X
 *       failure:
 *       field_seen: true
 *       requests: 2
 *     reproduced: A malformed reply was returned as any other (malformed_replies_accepted
 *         1, bound 1).
 * On a fixed build:
 *     # java: 17.0.19+10-1-deb12u2-Debian, Debian
 *     malformed_replies_accepted = 0 replies (bound 1)
 *       field: X
 *       failure: java.io.IOException: malformed response: Bad header name 'X'
 *       field_seen: false
 *       requests: 2
 *     not-reproduced: No malformed reply was accepted (malformed_replies_accepted 0, bound
 *         1).
 *
 * Evidence: outcome.json beside the scratch files has how the request ended.
 */

/*
 * @test
 * @bug 8303965
 * @summary HttpClient must refuse a reply that has a malformed header field
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm MalformedHeadAccepted control
 * @run main/othervm MalformedHeadAccepted subject
 */

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

public class MalformedHeadAccepted {
    // Status 200, and a literal without indexing, X: b or x: b (RFC 7541 6.2.2).
    private static final byte[] MALFORMED = {(byte) 0x88, 0, 1, 'X', 1, 'b'};
    private static final byte[] SOUND = {(byte) 0x88, 0, 1, 'x', 1, 'b'};

    public static void main(String[] args) throws Exception {
        Reproducer.run("MalformedHeadAccepted", "JDK-8303965", args,
            MalformedHeadAccepted::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        byte[] fields = which == Case.SUBJECT ? MALFORMED : SOUND;
        try (H2cPeer peer = new H2cPeer(exchange -> answer(exchange, fields))) {
            HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
            HttpRequest request = HttpRequest.newBuilder(peer.url().toURI()).build();
            int upgrade = client.send(request, BodyHandlers.discarding()).statusCode();
            boolean seen = false;
            String failure = "";
            try {
                HttpResponse<?> reply = client.send(request, BodyHandlers.discarding());
                seen = reply.headers().firstValue("x").isPresent();
            } catch (IOException e) {
                failure = e.toString();
            }
            findings.fact("field", which == Case.SUBJECT ? "X" : "x");
            findings.fact("failure", failure);
            findings.fact("field_seen", seen);
            findings.fact("requests", peer.requests());
            findings.require(upgrade == 200 && peer.requests() == 2,
                "The peer had " + peer.requests() + " requests (bound 2).");
            findings.require(seen || which == Case.SUBJECT && !failure.isEmpty(),
                "The field did not come, and the request failed with: " + failure + ".");
            findings.judgeCount("malformed_replies_accepted",
                which == Case.SUBJECT && seen ? 1 : 0, 1, "replies",
                "A malformed reply was returned as any other", "No malformed reply was accepted");
        }
    }

    private static void answer(H2cExchange exchange, byte[] fields) throws IOException {
        exchange.head(exchange.ordinal > 1 ? fields : H2cPeer.STATUS_200, true);
    }
}
