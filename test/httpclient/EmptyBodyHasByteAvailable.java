// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8306040: HttpResponseInputStream.available() returns 1 on empty stream
 *
 * What goes wrong: a reply has no body, and available() of its stream returns 1. Code that reads
 * while something is available, as libraries do that must not block, takes the end of the stream
 * for a byte.
 *
 * What it takes: BodyHandlers.ofInputStream() and a reply with Content-Length: 0.
 *
 * Control: a reply with a body.
 *
 * Judged by a count of bytes promised that never come.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: The body had 64 bytes
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/EmptyBodyHasByteAvailable.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/EmptyBodyHasByteAvailable.java
 *     java -cp classes EmptyBodyHasByteAvailable [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     bytes_promised_in_vain = 1 bytes (bound 1)
 *       status: 200
 *       available: 1
 *       bytes: 0
 *     reproduced: available() of an empty body promised a byte (bytes_promised_in_vain
 *         1, bound 1).
 * On a fixed build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     bytes_promised_in_vain = 0 bytes (bound 1)
 *       status: 200
 *       available: 0
 *       bytes: 0
 *     not-reproduced: available() promised what was there (bytes_promised_in_vain 0,
 *         bound 1).
 *
 * Evidence: outcome.json beside the scratch files has how many bytes were available, and read.
 */

/*
 * @test
 * @bug 8306040
 * @summary available() of an empty body of HttpClient must be 0
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm EmptyBodyHasByteAvailable control
 * @run main/othervm EmptyBodyHasByteAvailable subject
 */

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

public class EmptyBodyHasByteAvailable {
    private static final int LOOKS = 100;
    private static final long LOOK_EVERY_MS = 10;

    public static void main(String[] args) throws Exception {
        Reproducer.run("EmptyBodyHasByteAvailable", "JDK-8306040", args,
            EmptyBodyHasByteAvailable::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            HttpResponse<InputStream> reply = HttpClient.newHttpClient().send(
                HttpRequest.newBuilder(peer.url("/").toURI()).build(),
                BodyHandlers.ofInputStream());
            try (InputStream body = reply.body()) {
                int most = 0;
                for (int i = 0; i < LOOKS && most == 0; i++) {
                    most = body.available();
                    Thread.sleep(LOOK_EVERY_MS);
                }
                int bytes = PlainClient.drain(body);
                findings.fact("status", reply.statusCode());
                findings.fact("available", most);
                findings.fact("bytes", bytes);
                int expected = which == Case.SUBJECT ? 0 : Exchange.BODY_BYTES;
                findings.require(bytes == expected,
                    "The body had " + bytes + " bytes (bound " + expected + ").");
                findings.judgeCount("bytes_promised_in_vain", Math.max(0, most - bytes), 1, "bytes",
                    "available() of an empty body promised a byte",
                    "available() promised what was there");
            }
        }
    }

    private static void answer(Case which, Exchange exchange) throws IOException {
        if (which == Case.SUBJECT) {
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        } else {
            exchange.reply();
        }
    }
}
