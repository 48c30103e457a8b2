// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8297211: Expensive fillInStackTrace operation in HttpURLConnection.getOutputStream0 when no
 * content-length in response
 *
 * What goes wrong: a reply has no Content-Length, as is so for every chunked one. The client parses
 * the missing value as a number and swallows the NumberFormatException. With its stack trace, that
 * costs microseconds for each request, more the deeper the caller's stack.
 *
 * What it takes: a reply without Content-Length, and Flight Recorder (8u262+), which alone records
 * exceptions that are caught.
 *
 * Control: replies with a Content-Length.
 *
 * Judged by a count of exceptions in a recording.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: Of 20 replies 0 had no Content-Length
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/http/ExceptionPerReplyWithoutLength.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib http/ExceptionPerReplyWithoutLength.java
 *     java -cp classes ExceptionPerReplyWithoutLength [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.3+7, Eclipse Adoptium
 *     exceptions = 20 exceptions (bound 10)
 *       replies_without_length: 20
 *       own_exceptions_recorded: 1
 *     reproduced: Replies without Content-Length cost an exception each (exceptions 20, bound 10).
 * On a fixed build:
 *     # java: 17.0.7+7, Eclipse Adoptium
 *     exceptions = 0 exceptions (bound 10)
 *       replies_without_length: 20
 *       own_exceptions_recorded: 1
 *     not-reproduced: Replies without Content-Length cost no exception (exceptions 0, bound 10).
 *
 * Evidence: jdk.JavaExceptionThrow with HttpURLConnection in its stack, or the slope of
 * jdk.ExceptionStatistics.
 */

/*
 * @test
 * @bug 8297211
 * @summary A reply without Content-Length must not cost an exception
 * @key waits
 * @library /lib
 * @run main/othervm ExceptionPerReplyWithoutLength control
 * @run main/othervm ExceptionPerReplyWithoutLength subject
 */

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;

public class ExceptionPerReplyWithoutLength {
    private static final int REQUESTS = 20;

    // One for each request, or none at all: half is far from both.
    private static final int BOUND = REQUESTS / 2;

    private static final String THROWN = "java.lang.NumberFormatException ";
    private static final String CLIENT = " sun.net.www.protocol.http.HttpURLConnection";

    public static void main(String[] args) throws Exception {
        Reproducer.run("ExceptionPerReplyWithoutLength", "JDK-8297211", args,
            ExceptionPerReplyWithoutLength::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            ThrownExceptions recorder = ThrownExceptions.record();
            int withoutLength = 0;
            for (int i = 0; i < REQUESTS; i++) {
                withoutLength += hasLength(peer.url("/")) ? 0 : 1;
            }
            throwOne();
            int seen = 0;
            int own = 0;
            for (String thrown : recorder.stop()) {
                boolean ours = thrown.startsWith(THROWN)
                    && thrown.contains(" ExceptionPerReplyWithoutLength");
                boolean clients = thrown.contains(CLIENT);
                seen += ours && clients ? 1 : 0;
                own += ours && !clients ? 1 : 0;
            }
            findings.fact("replies_without_length", withoutLength);
            findings.fact("own_exceptions_recorded", own);
            findings.require(own == 1,
                "Of 1 exception of the test itself " + own + " were recorded (bound 1).");
            int expected = which == Case.SUBJECT ? REQUESTS : 0;
            findings.require(withoutLength == expected, "Of " + REQUESTS + " replies "
                + withoutLength + " had no Content-Length (bound " + expected + ").");
            findings.judgeCount("exceptions", seen, BOUND, "exceptions",
                "Replies without Content-Length cost an exception each",
                "Replies without Content-Length cost no exception");
        }
    }

    private static void answer(Case which, Exchange exchange) throws IOException {
        if (which == Case.SUBJECT) {
            exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n"
                + Exchange.body(5) + "\r\n0\r\n\r\n");
        } else {
            exchange.reply();
        }
    }

    private static boolean hasLength(URL url) throws IOException {
        HttpURLConnection connection = PlainClient.open(url);
        PlainClient.drain(connection.getInputStream());
        // Not getContentLength: if there is none, that too throws internally.
        return connection.getHeaderField("Content-Length") != null;
    }

    /** Throws what the client would, to show that the recorder sees it. */
    private static void throwOne() {
        try {
            Long.parseLong(null);
        } catch (NumberFormatException expected) {
            // Recorded although it is caught, which is its purpose.
        }
    }
}
