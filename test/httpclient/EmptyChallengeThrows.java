// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8263899: HttpClient throws NPE in AuthenticationFilter when parsing www-authenticate head
 *
 * What goes wrong: a 401 has an empty WWW-Authenticate. The client fails with a
 * NullPointerException of its own, and the caller never sees the 401.
 *
 * What it takes: an authenticator, and an empty field.
 *
 * Control: a Basic challenge.
 *
 * Judged by a count of requests broken by a null in the client's filter.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: The request ended with status 200
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/EmptyChallengeThrows.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/EmptyChallengeThrows.java
 *     java -cp classes EmptyChallengeThrows [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.24+8-post-Debian-2deb11u1, Debian
 *     requests_broken = 1 requests (bound 1)
 *       status: 0
 *       failure: java.io.IOException
 *       null_in_filter: true
 *     reproduced: The client broke at the empty challenge (requests_broken 1, bound 1).
 * On a fixed build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     requests_broken = 0 requests (bound 1)
 *       status: 401
 *       failure: null
 *       null_in_filter: false
 *     not-reproduced: The reply was returned (requests_broken 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has what the request failed with, and whether
 * that came from the filter.
 */

/*
 * @test
 * @bug 8263899
 * @summary HttpClient must return a 401 whose challenge is empty
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm EmptyChallengeThrows control
 * @run main/othervm EmptyChallengeThrows subject
 */

import java.io.IOException;
import java.net.Authenticator;
import java.net.PasswordAuthentication;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

public class EmptyChallengeThrows {
    private static final String FILTER = "AuthenticationFilter";
    // user:password
    private static final String LOGIN = "Authorization: Basic dXNlcjpwYXNzd29yZA==";

    public static void main(String[] args) throws Exception {
        Reproducer.run("EmptyChallengeThrows", "JDK-8263899", args,
            EmptyChallengeThrows::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            int status = 0;
            Throwable failure = null;
            try {
                status = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                    .authenticator(user()).build()
                    .send(HttpRequest.newBuilder(peer.url("/").toURI()).build(),
                        BodyHandlers.discarding()).statusCode();
            } catch (IOException e) {
                failure = e;
            }
            boolean inFilter = brokeInFilter(failure);
            findings.fact("status", status);
            findings.fact("failure", String.valueOf(failure));
            findings.fact("null_in_filter", inFilter);
            findings.require(inFilter || status == (which == Case.SUBJECT ? 401 : 200),
                "The request ended with status " + status + " and " + failure + ".");
            findings.judgeCount("requests_broken", inFilter ? 1 : 0, 1, "requests",
                "The client broke at the empty challenge", "The reply was returned");
        }
    }

    private static boolean brokeInFilter(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof NullPointerException) {
                for (StackTraceElement frame : cause.getStackTrace()) {
                    if (frame.getClassName().endsWith(FILTER)) {
                        return true;
                    }
                }
            }
        }
        return false;
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
            exchange.reply();
            return;
        }
        exchange.send("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: "
            + (which == Case.SUBJECT ? "" : "Basic realm=\"peer\"")
            + "\r\nContent-Length: 0\r\n\r\n");
    }
}
