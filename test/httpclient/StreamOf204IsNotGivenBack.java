// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8238270: java.net HTTP/2 client does not decrease stream count when receives 204 response
 *
 * What goes wrong: a server limits the number of concurrent requests on a connection. A request
 * that is answered with 204 stays counted, so after that many of them every further request fails:
 * too many concurrent streams.
 *
 * What it takes: HTTP/2 and replies without a body. Services that answer each POST that way do it
 * all day.
 *
 * Control: the same with 200.
 *
 * Judged by a count of requests failed.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: 0 requests had the status
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/StreamOf204IsNotGivenBack.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/StreamOf204IsNotGivenBack.java
 *     java -cp classes StreamOf204IsNotGivenBack [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.7+10-LTS, Azul Systems, Inc.
 *     requests_failed = 4 requests (bound 1)
 *       streams: 2
 *       answered: 2
 *       failure: java.io.IOException: too many concurrent streams
 *     reproduced: After as many 204 as a connection may have requests, the next ones
 *         failed (requests_failed 4, bound 1).
 * On a fixed build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     requests_failed = 0 requests (bound 1)
 *       streams: 2
 *       answered: 6
 *       failure:
 *     not-reproduced: Every request had its reply (requests_failed 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the number of failed requests, and the last
 * failure.
 */

/*
 * @test
 * @bug 8238270
 * @summary A request of HttpClient that was answered with 204 must not be counted any more
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm StreamOf204IsNotGivenBack control
 * @run main/othervm StreamOf204IsNotGivenBack subject
 */

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

public class StreamOf204IsNotGivenBack {
    private static final int STREAMS = 2;
    private static final int REQUESTS = 3 * STREAMS;

    public static void main(String[] args) throws Exception {
        Reproducer.run("StreamOf204IsNotGivenBack", "JDK-8238270", args,
            StreamOf204IsNotGivenBack::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        byte[] status = which == Case.SUBJECT ? H2cPeer.STATUS_204 : H2cPeer.STATUS_200;
        try (H2cPeer peer = H2cPeer.withStreams(STREAMS, exchange -> exchange.head(status, true))) {
            HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
            HttpRequest request = HttpRequest.newBuilder(peer.url().toURI()).build();
            int failed = 0;
            int answered = 0;
            String failure = "";
            for (int i = 0; i < REQUESTS; i++) {
                try {
                    int expected = which == Case.SUBJECT ? 204 : 200;
                    int found = client.send(request, BodyHandlers.discarding()).statusCode();
                    answered += found == expected ? 1 : 0;
                } catch (IOException e) {
                    failed++;
                    failure = e.toString();
                }
            }
            findings.fact("streams", STREAMS);
            findings.fact("answered", answered);
            findings.fact("failure", failure);
            findings.require(answered + failed == REQUESTS && answered >= STREAMS,
                answered + " requests had the status that they were to have (bound " + STREAMS
                + ").");
            findings.judgeCount("requests_failed", failed, 1, "requests",
                "After as many 204 as a connection may have requests, the next ones failed",
                "Every request had its reply");
        }
    }
}
