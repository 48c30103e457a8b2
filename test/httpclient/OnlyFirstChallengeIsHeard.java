// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8217237: HttpClient does not deal well with multi-valued WWW-Authenticate challenge
 * headers
 *
 * What goes wrong: a server offers several ways to log in, each in a field of its own. The client
 * looks only at the first. If it does not know that one, the request ends with 401, although the
 * client has the password for the second.
 *
 * What it takes: a 401 with Negotiate, then Basic, as corporate proxies and servers send it.
 *
 * Control: Basic alone.
 *
 * Judged by a count of requests refused.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: The peer challenged 0 requests
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/OnlyFirstChallengeIsHeard.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/OnlyFirstChallengeIsHeard.java
 *     java -cp classes OnlyFirstChallengeIsHeard [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     requests_refused = 1 requests (bound 1)
 *       status: 401
 *       challenges: 1
 *       authorized_requests: 0
 *     reproduced: The client did not answer the second challenge (requests_refused 1,
 *         bound 1).
 * On a fixed build:
 *     # java: 11.0.24+8-post-Debian-2deb11u1, Debian
 *     requests_refused = 0 requests (bound 1)
 *       status: 200
 *       challenges: 1
 *       authorized_requests: 1
 *     not-reproduced: The client logged in (requests_refused 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the status, and how many requests carried
 * credentials.
 */

/*
 * @test
 * @bug 8217237
 * @summary HttpClient must choose a challenge that it knows among several
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm OnlyFirstChallengeIsHeard control
 * @run main/othervm OnlyFirstChallengeIsHeard subject
 */

import java.io.IOException;
import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.atomic.AtomicInteger;

public class OnlyFirstChallengeIsHeard {
    // user:password
    private static final String LOGIN = "Authorization: Basic dXNlcjpwYXNzd29yZA==";
    private static final AtomicInteger AUTHORIZED = new AtomicInteger();
    private static final AtomicInteger CHALLENGES = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Reproducer.run("OnlyFirstChallengeIsHeard", "JDK-8217237", args,
            OnlyFirstChallengeIsHeard::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            int status = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .authenticator(user()).build()
                .send(HttpRequest.newBuilder(peer.url("/").toURI()).build(),
                    BodyHandlers.discarding()).statusCode();
            findings.fact("status", status);
            findings.fact("challenges", CHALLENGES.get());
            findings.fact("authorized_requests", AUTHORIZED.get());
            findings.require(CHALLENGES.get() > 0, "The peer challenged 0 requests.");
            findings.judgeCount("requests_refused", status == 401 ? 1 : 0, 1, "requests",
                "The client did not answer the second challenge", "The client logged in");
        }
    }

    private static Authenticator user() {
        return new Authenticator() {
            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
                return new PasswordAuthentication("user", "password".toCharArray());
            }
        };
    }

    private static void answer(Case which, Exchange exchange) throws IOException {
        if (exchange.asks(LOGIN)) {
            AUTHORIZED.incrementAndGet();
            exchange.reply();
            return;
        }
        CHALLENGES.incrementAndGet();
        exchange.send("HTTP/1.1 401 Unauthorized\r\n"
            + (which == Case.SUBJECT ? "WWW-Authenticate: Negotiate\r\n" : "")
            + "WWW-Authenticate: Basic realm=\"peer\"\r\nContent-Length: 0\r\n\r\n");
    }
}
