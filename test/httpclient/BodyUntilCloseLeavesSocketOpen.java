// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8221395: HttpClient leaving connections in CLOSE_WAIT state until Java process ends
 *
 * What goes wrong: a reply does not give the length of its body, which ends where the server ends
 * the connection. The client returns the reply, but never closes its socket. An application that
 * asks such a server again and again runs out of descriptors.
 *
 * What it takes: HTTP/1.1, and a body that ends with the connection.
 *
 * Control: the same replies with a length. The client closes each socket by itself.
 *
 * Witness: the last request of the subject is answered with a length as well. The client ends that
 * connection, so it is alive and closes what it means to close.
 *
 * Without the script (-Dpeer.script=off) the peer ends no connection, and the test is inconclusive.
 *
 * Judged by a count of sockets not closed.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: The peer ended 0 connections
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/BodyUntilCloseLeavesSocketOpen.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/BodyUntilCloseLeavesSocketOpen.java
 *     java -cp classes BodyUntilCloseLeavesSocketOpen [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.5+10-LTS, Azul Systems, Inc.
 *     sockets_open = 5 sockets (bound 1)
 *       requests: 5
 *       body_bytes: 320
 *       ended_by_peer: 5
 *       witness_ended_by_client: true
 *       sockets_in_close_wait: 5
 *     reproduced: The client left sockets open whose peer had ended the connection
 *         (sockets_open 5, bound 1).
 * On a fixed build:
 *     # java: 11.0.7+10-LTS, Azul Systems, Inc.
 *     sockets_open = 0 sockets (bound 1)
 *       requests: 5
 *       body_bytes: 320
 *       ended_by_peer: 5
 *       witness_ended_by_client: true
 *       sockets_in_close_wait: 0
 *     not-reproduced: The client closed its sockets (sockets_open 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the number of sockets in state CLOSE_WAIT.
 */

/*
 * @test
 * @bug 8221395
 * @summary HttpClient must close a connection that the server has ended with the body
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm BodyUntilCloseLeavesSocketOpen control
 * @run main/othervm BodyUntilCloseLeavesSocketOpen subject
 */

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

public class BodyUntilCloseLeavesSocketOpen {
    private static final int REQUESTS = 5;
    private static final String WITNESS = "/witness";

    // Time for the client's last FIN to arrive, after that of the witness.
    private static final long FIN_MS = 3_000;

    private static final AtomicInteger ENDED_BY_PEER = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        Reproducer.run("BodyUntilCloseLeavesSocketOpen", "JDK-8221395", args,
            BodyUntilCloseLeavesSocketOpen::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            int bytes = 0;
            for (int i = 0; i < REQUESTS; i++) {
                bytes += bytesOf(client, peer, "/");
            }
            findings.fact("requests", REQUESTS);
            findings.fact("body_bytes", bytes);
            findings.require(bytes == REQUESTS * Exchange.BODY_BYTES,
                "The bodies had " + bytes + " bytes (bound " + REQUESTS * Exchange.BODY_BYTES
                + ").");
            int expected = which == Case.SUBJECT ? REQUESTS : 0;
            findings.fact("ended_by_peer", ENDED_BY_PEER.get());
            findings.require(ENDED_BY_PEER.get() == expected, "The peer ended "
                + ENDED_BY_PEER.get() + " connections (bound " + expected + ").");
            bytesOf(client, peer, WITNESS);
            int witness = peer.connections();
            findings.require(witness == REQUESTS + 1, "There were " + witness
                + " connections (bound " + (REQUESTS + 1) + ").");
            awaitEnd(peer, witness);
            peer.awaitEndedByClient(witness, FIN_MS);
            Set<Integer> ended = peer.endedByClient();
            findings.fact("witness_ended_by_client", ended.contains(witness));
            findings.fact("sockets_in_close_wait", CloseWait.count(peer.address().getPort()));
            findings.require(ended.contains(witness),
                "The client did not end the connection of a reply with a length.");
            findings.judgeCount("sockets_open", witness - ended.size(), 1, "sockets",
                "The client left sockets open whose peer had ended the connection",
                "The client closed its sockets");
        }
    }

    /** Waits until the client has ended this connection; it may end others before or after it. */
    private static void awaitEnd(ScriptedPeer peer, int connection) throws InterruptedException {
        int count = 1;
        while (peer.awaitEndedByClient(count, Client.PATIENCE_MS)
                && !peer.endedByClient().contains(connection)) {
            count = peer.endedByClient().size() + 1;
        }
    }

    private static int bytesOf(HttpClient client, ScriptedPeer peer, String path)
            throws Exception {
        HttpRequest request = HttpRequest.newBuilder(peer.url(path).toURI()).build();
        return client.send(request, BodyHandlers.ofByteArray()).body().length;
    }

    private static void answer(Case which, Exchange exchange) throws IOException {
        if (which == Case.SUBJECT && !exchange.path.equals(WITNESS)) {
            exchange.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
                + Exchange.body(Exchange.BODY_BYTES));
            exchange.endOutput();
            ENDED_BY_PEER.incrementAndGet();
        } else {
            exchange.reply("Connection: close");
        }
    }
}
