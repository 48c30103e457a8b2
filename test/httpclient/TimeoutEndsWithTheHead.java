// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8208693: HttpClient: Extend the request timeout's scope to cover the response body
 *
 * What goes wrong: the timeout of a request ends once the head of the reply has come. A server that
 * then stalls in the body holds the caller for ever.
 *
 * What it takes: timeout(), and a body that does not end.
 *
 * Control: the server stalls before the head.
 *
 * Judged by a count of time-outs missed, after twice the time.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: the client ended with: reply
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/TimeoutEndsWithTheHead.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/TimeoutEndsWithTheHead.java
 *     java -cp classes TimeoutEndsWithTheHead [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 25.0.2+10-LTS, Eclipse Adoptium
 *     timeouts_missed = 1 timeouts (bound 1)
 *       end:
 *       timeout_ms: 2000
 *       head_came: true
 *     reproduced: A request was under way long after its timeout (timeouts_missed 1, bound
 *         1).
 * On a fixed build:
 *     # java: 26.0.2.1+1-1-Debian, Debian
 *     timeouts_missed = 0 timeouts (bound 1)
 *       end: java.net.http.HttpTimeoutException: request timed out
 *       timeout_ms: 2000
 *       head_came: true
 *     not-reproduced: The request timed out (timeouts_missed 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has what the request ended with.
 */

/*
 * @test
 * @bug 8208693
 * @summary The timeout of a request of HttpClient must bound the body, too
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm TimeoutEndsWithTheHead control
 * @run main/othervm TimeoutEndsWithTheHead subject
 */

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

public class TimeoutEndsWithTheHead {
    private static final String FIRST = "/first";
    private static final long TIMEOUT_MS = 2_000;

    // A timer that is still set fires within this time, even on a busy machine.
    private static final long MOST_MS = 2 * TIMEOUT_MS;

    private static final AtomicBoolean HEAD = new AtomicBoolean();

    public static void main(String[] args) throws Exception {
        Reproducer.run("TimeoutEndsWithTheHead", "JDK-8208693", args,
            TimeoutEndsWithTheHead::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            // So that classes are loaded now, not while the timer runs.
            client.send(HttpRequest.newBuilder(peer.url(FIRST).toURI()).build(),
                BodyHandlers.ofString());
            String end = Ending.of(client.sendAsync(
                HttpRequest.newBuilder(peer.url("/").toURI())
                    .timeout(Duration.ofMillis(TIMEOUT_MS)).build(), head -> {
                        HEAD.set(true);
                        return BodySubscribers.ofByteArray();
                    }), MOST_MS);
            findings.fact("end", end);
            findings.fact("timeout_ms", TIMEOUT_MS);
            findings.fact("head_came", HEAD.get());
            findings.require(HEAD.get() == (which == Case.SUBJECT) && !end.equals(Ending.REPLY),
                "The head " + (HEAD.get() ? "came" : "did not come")
                + ", and the client ended with: " + end + ".");
            findings.judgeCount("timeouts_missed", end.isEmpty() ? 1 : 0, 1, "timeouts",
                "A request was under way long after its timeout", "The request timed out");
        }
    }

    private static void answer(Case which, Exchange exchange)
            throws IOException, InterruptedException {
        if (exchange.path.equals(FIRST)) {
            exchange.reply();
            return;
        }
        if (which == Case.SUBJECT) {
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 64\r\n\r\nhalf of it");
        }
        TimeUnit.DAYS.sleep(1);     // so the client has ended any request that ends
    }
}
