// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8216974: HttpConnection not returned to the pool after 204 response
 *
 * What goes wrong: a request over HTTP/1.1 is answered with 204. Its connection does not go
 * back to the pool: the next request makes a new one, with a handshake of its own, and the old
 * ones stay open.
 *
 * What it takes: HTTP/1.1 and replies without a body.
 *
 * Control: the same with 200.
 *
 * Judged by a count of connections not reused.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: The peer answered 200 (bound 204)
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/ConnectionOf204IsNotReused.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/ConnectionOf204IsNotReused.java
 *     java -cp classes ConnectionOf204IsNotReused [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.7+10-LTS, Azul Systems, Inc.
 *     connections_not_reused = 3 connections (bound 3)
 *       requests: 4
 *       connections: 4
 *     reproduced: Each request made a connection of its own (connections_not_reused 3,
 *         bound 3).
 * On a fixed build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     connections_not_reused = 0 connections (bound 3)
 *       requests: 4
 *       connections: 1
 *     not-reproduced: Connections were reused (connections_not_reused 0, bound 3).
 *
 * Evidence: outcome.json beside the scratch files has the number of connections that the server
 * saw.
 */

/*
 * @test
 * @bug 8216974
 * @summary HttpClient must reuse a connection whose reply was 204
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm ConnectionOf204IsNotReused control
 * @run main/othervm ConnectionOf204IsNotReused subject
 */

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

public class ConnectionOf204IsNotReused {
    private static final int REQUESTS = 4;

    // Pause after a reply, for the connection to go back to the pool.
    private static final long PAUSE_MS = 200;

    public static void main(String[] args) throws Exception {
        Reproducer.run("ConnectionOf204IsNotReused", "JDK-8216974", args,
            ConnectionOf204IsNotReused::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            HttpRequest request = HttpRequest.newBuilder(peer.url("/").toURI()).build();
            int expected = which == Case.SUBJECT ? 204 : 200;
            for (int i = 0; i < REQUESTS; i++) {
                int status = client.send(request, BodyHandlers.discarding()).statusCode();
                findings.require(status == expected,
                    "The peer answered " + status + " (bound " + expected + ").");
                Thread.sleep(PAUSE_MS);
            }
            findings.fact("requests", peer.requests());
            findings.fact("connections", peer.connections());
            findings.judgeCount("connections_not_reused", peer.connections() - 1, REQUESTS - 1,
                "connections", "Each request made a connection of its own",
                "Connections were reused");
        }
    }

    private static void answer(Case which, Exchange exchange) throws IOException {
        if (which == Case.SUBJECT) {
            exchange.send("HTTP/1.1 204 No Content\r\n\r\n");
        } else {
            exchange.reply();
        }
    }
}
