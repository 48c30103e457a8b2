// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8240666: Websocket client's OpeningHandshake discards the HTTP response body
 *
 * What goes wrong: a server refuses a WebSocket and gives the reason in the body of its reply. The
 * exception that the caller gets has the reply without that body.
 *
 * What it takes: a handshake that is refused.
 *
 * Control: the reply has no body.
 *
 * Judged by a count of bytes lost.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: The handshake was answered with 200
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/RefusedWebSocketHasNoBody.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/RefusedWebSocketHasNoBody.java
 *     java -cp classes RefusedWebSocketHasNoBody [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.24+8-post-Debian-2deb11u1, Debian
 *     bytes_lost = 19 bytes (bound 1)
 *       status: 503
 *       sent_bytes: 19
 *       body_bytes: 0
 *     reproduced: The body of the refusal was lost (bytes_lost 19, bound 1).
 * On a fixed build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     bytes_lost = 0 bytes (bound 1)
 *       status: 503
 *       sent_bytes: 19
 *       body_bytes: 19
 *     not-reproduced: Nothing of the refusal was lost (bytes_lost 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the number of bytes sent, and of those left
 * in the exception's reply.
 */

/*
 * @test
 * @bug 8240666
 * @summary The reply in a WebSocketHandshakeException must have its body
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm RefusedWebSocketHasNoBody control
 * @run main/othervm RefusedWebSocketHasNoBody subject
 */

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

public class RefusedWebSocketHasNoBody {
    private static final String WHY = "Come back tomorrow.";

    public static void main(String[] args) throws Exception {
        Reproducer.run("RefusedWebSocketHasNoBody", "JDK-8240666", args,
            RefusedWebSocketHasNoBody::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            URI uri = URI.create(peer.url("/").toString().replaceFirst("http", "ws"));
            HttpResponse<?> reply = refusal(uri);
            int bytes = reply.body() == null ? 0 : reply.body().toString().length();
            int sent = which == Case.SUBJECT ? WHY.length() : 0;
            findings.fact("status", reply.statusCode());
            findings.fact("sent_bytes", sent);
            findings.fact("body_bytes", bytes);
            findings.require(reply.statusCode() == 503,
                "The handshake was answered with " + reply.statusCode() + ".");
            findings.judgeCount("bytes_lost", sent - bytes, 1, "bytes",
                "The body of the refusal was lost", "Nothing of the refusal was lost");
        }
    }

    /** @throws CaseEnd as inconclusive if the handshake ended in another way */
    private static HttpResponse<?> refusal(URI uri) throws Exception {
        try {
            HttpClient.newHttpClient().newWebSocketBuilder()
                .buildAsync(uri, new WebSocket.Listener() { })
                .get(Client.PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof WebSocketHandshakeException) {
                return ((WebSocketHandshakeException) e.getCause()).getResponse();
            }
            throw new CaseEnd(Outcome.INCONCLUSIVE,
                "The handshake ended with " + e.getCause() + ".");
        }
        throw new CaseEnd(Outcome.INCONCLUSIVE, "The handshake was not refused.");
    }

    private static void answer(Case which, Exchange exchange) throws IOException {
        String body = which == Case.SUBJECT ? WHY : "";
        exchange.send("HTTP/1.1 503 Service Unavailable\r\nContent-Length: " + body.length()
            + "\r\n\r\n" + body);
    }
}
