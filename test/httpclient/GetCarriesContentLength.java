// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8283544: HttpClient GET method adds Content-Length: 0 header
 *
 * What goes wrong: a GET carries "Content-Length: 0". Servers and proxies that refuse a GET with a
 * body refuse it. (A GET made with method("GET", noBody()) carries it on fixed builds too.)
 *
 * What it takes: a plain GET over HTTP/1.1.
 *
 * Control: HttpURLConnection sends the GET.
 *
 * Judged by a count of GETs on the wire that announce a body.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: The peer looked at 0 requests
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/GetCarriesContentLength.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/GetCarriesContentLength.java
 *     java -cp classes GetCarriesContentLength [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     lengths_announced = 1 requests (bound 1)
 *       status: 200
 *       requests: 1
 *     reproduced: A GET carried Content-Length: 0 (lengths_announced 1, bound 1).
 * On a fixed build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     lengths_announced = 0 requests (bound 1)
 *       status: 200
 *       requests: 1
 *     not-reproduced: A GET announced no body (lengths_announced 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has how many requests carried the field.
 */

/*
 * @test
 * @bug 8283544
 * @summary A GET of HttpClient without a body must not announce one
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm GetCarriesContentLength control
 * @run main/othervm GetCarriesContentLength subject
 */

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.atomic.AtomicInteger;

public class GetCarriesContentLength {
    private static final AtomicInteger SEEN = new AtomicInteger();
    private static final AtomicInteger ANNOUNCED = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Reproducer.run("GetCarriesContentLength", "JDK-8283544", args,
            GetCarriesContentLength::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        try (ScriptedPeer peer = new ScriptedPeer("peer", GetCarriesContentLength::answer)) {
            int status = which == Case.SUBJECT ? get(peer.url("/").toURI())
                : PlainClient.open(peer.url("/")).getResponseCode();
            findings.fact("status", status);
            findings.fact("requests", peer.requests());
            findings.require(status == 200 && peer.requests() == 1, "Of " + peer.requests()
                + " requests the last was answered with " + status + " (bounds 1 and 200).");
            findings.require(SEEN.get() == 1,
                "The peer looked at " + SEEN.get() + " requests (bound 1).");
            findings.judgeCount("lengths_announced", ANNOUNCED.get(), 1, "requests",
                "A GET carried Content-Length: 0",
                "A GET announced no body");
        }
    }

    private static int get(URI uri) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(
            HttpRequest.newBuilder(uri).GET().build(), BodyHandlers.discarding()).statusCode();
    }

    private static void answer(Exchange exchange) throws IOException {
        SEEN.incrementAndGet();
        ANNOUNCED.addAndGet(exchange.asks("Content-Length: 0") ? 1 : 0);
        exchange.reply();
    }
}
