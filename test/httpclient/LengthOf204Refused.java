// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8218662: Allow 204 responses with Content-Length:0
 *
 * What goes wrong: a server answers 204 with Content-Length: 0. It must not send that field (RFC
 * 9110 8.6), but many do, and the client fails a request that was granted.
 *
 * What it takes: a 204 with Content-Length: 0.
 *
 * Control: a 204 without Content-Length.
 *
 * Judged by a count of requests failed.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: and answered 200
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/LengthOf204Refused.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/LengthOf204Refused.java
 *     java -cp classes LengthOf204Refused [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.5+10-LTS, Azul Systems, Inc.
 *     requests_failed = 1 requests (bound 1)
 *       status: 0
 *       failure: java.io.IOException: unexpected content length header with 204 response
 *       requests: 1
 *     reproduced: A request that was answered with 204 failed (requests_failed 1, bound
 *         1).
 * On a fixed build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     requests_failed = 0 requests (bound 1)
 *       status: 204
 *       failure:
 *       requests: 1
 *     not-reproduced: The 204 was returned (requests_failed 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has what the request failed with.
 */

/*
 * @test
 * @bug 8218662
 * @summary HttpClient must accept a 204 that says Content-Length: 0
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm LengthOf204Refused control
 * @run main/othervm LengthOf204Refused subject
 */

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

public class LengthOf204Refused {
    public static void main(String[] args) throws Exception {
        Reproducer.run("LengthOf204Refused", "JDK-8218662", args,
            LengthOf204Refused::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            int status = 0;
            String failure = "";
            try {
                status = client.send(HttpRequest.newBuilder(peer.url("/").toURI()).build(),
                    BodyHandlers.discarding()).statusCode();
            } catch (IOException e) {
                failure = e.toString();
            }
            findings.fact("status", status);
            findings.fact("failure", failure);
            findings.fact("requests", peer.requests());
            findings.require(peer.requests() > 0 && status != 200,
                "The peer had " + peer.requests() + " requests, and answered " + status + ".");
            findings.judgeCount("requests_failed", failure.isEmpty() ? 0 : 1, 1, "requests",
                "A request that was answered with 204 failed", "The 204 was returned");
        }
    }

    private static void answer(Case which, Exchange exchange) throws IOException {
        exchange.send("HTTP/1.1 204 No Content\r\n"
            + (which == Case.SUBJECT ? "Content-Length: 0\r\n" : "") + "\r\n");
    }
}
