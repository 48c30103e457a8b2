// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8236596: HttpClient leaves HTTP/2 sockets in CLOSE_WAIT, when using proxy tunnel
 *
 * What goes wrong: an application makes a client, sends a request, and drops the client. Once the
 * client is collected, its selector thread ends: it sends GOAWAY to the server and leaves the
 * socket open. The server ends its side, and nothing is left to close the client's.
 *
 * What it takes: HTTP/2, and clients that are dropped. The proxy tunnel of the title is not needed:
 * the same was seen with one, and over TLS without one.
 *
 * Control: HTTP/1.1.
 *
 * If the application keeps its clients (-Dclients.dropped=off), the test is inconclusive.
 *
 * Judged by a count of sockets not closed.
 *
 * Without its precondition
 *     -Dclients.dropped=off: inconclusive: 3 clients were not collected
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/httpclient/DroppedClientLeavesSocketsOpen.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib httpclient/DroppedClientLeavesSocketsOpen.java
 *     java -cp classes DroppedClientLeavesSocketsOpen [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     sockets_open = 3 sockets (bound 1)
 *       version: HTTP_2
 *       connections: 3
 *       selector_threads_before: 3
 *       selector_threads_after: 0
 *       sockets_in_close_wait: 3
 *       goaways: 3
 *     reproduced: Clients that were gone had left sockets open (sockets_open 3,
 *         bound 1).
 * On a fixed build:
 *     # java: 11.0.24+8-post-Debian-2deb11u1, Debian
 *     sockets_open = 0 sockets (bound 1)
 *       version: HTTP_2
 *       connections: 3
 *       selector_threads_before: 3
 *       selector_threads_after: 0
 *       sockets_in_close_wait: 0
 *       goaways: 3
 *     not-reproduced: Clients that were gone had closed their sockets (sockets_open
 *         0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the number of sockets in state CLOSE_WAIT.
 */

/*
 * @test
 * @bug 8236596
 * @summary An HttpClient that nobody uses any more must close its connections of HTTP/2
 * @key waits
 * @requires jdk.version.major >= 11
 * @library /lib
 * @run main/othervm DroppedClientLeavesSocketsOpen control
 * @run main/othervm DroppedClientLeavesSocketsOpen subject
 */

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

public class DroppedClientLeavesSocketsOpen {
    /** For the kit's own tests: clients that the application keeps. */
    private static final boolean DROPPED = !"off".equals(System.getProperty("clients.dropped"));

    private static final int CLIENTS = 3;
    private static final long LOOK_EVERY_MS = 200;

    // Time for a FIN to arrive that was sent before the selector threads ended.
    private static final long FIN_MS = 3_000;

    private static final List<HttpClient> KEPT = new ArrayList<>();
    private static final List<Reference<HttpClient>> MADE = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        Reproducer.run("DroppedClientLeavesSocketsOpen", "JDK-8236596", args,
            DroppedClientLeavesSocketsOpen::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Modules.need("java.net.http.HttpClient", "java.net.http");
        if (which == Case.SUBJECT) {
            try (H2cPeer peer = new H2cPeer(H2cExchange::reply)) {
                measure(HttpClient.Version.HTTP_2, peer.url(), peer::connections,
                    peer::endedByClient, findings);
                findings.fact("goaways", peer.goAways());
            }
        } else {
            try (ScriptedPeer peer = new ScriptedPeer("peer", Exchange::reply)) {
                measure(HttpClient.Version.HTTP_1_1, peer.url("/"), peer::connections,
                    () -> peer.endedByClient().size(), findings);
            }
        }
    }

    private static void measure(HttpClient.Version version, URL url, IntSupplier connections,
            IntSupplier endedByClient, Findings findings) throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            HttpClient.Version spoken = ask(version, url);
            findings.fact("version", spoken.toString());
            findings.require(spoken == version, "The client spoke " + spoken + ".");
        }
        findings.fact("connections", connections.getAsInt());
        findings.require(connections.getAsInt() == CLIENTS, "There were "
            + connections.getAsInt() + " connections (bound " + CLIENTS + ").");
        final int before = selectors();
        Patience patience = new Patience(Client.PATIENCE_MS);
        while ((alive() > 0 || selectors() > 0) && patience.left()) {
            if (alive() > 0) {
                System.gc();
            }
            Thread.sleep(LOOK_EVERY_MS);
        }
        findings.fact("selector_threads_before", before);
        findings.fact("selector_threads_after", selectors());
        findings.require(alive() == 0, alive() + " clients were not collected (bound 0).");
        findings.require(selectors() == 0, selectors() + " selector threads of clients that were"
            + " collected did not end (bound 0).");
        Patience fins = new Patience(before > 0 ? FIN_MS : Client.PATIENCE_MS);
        while (endedByClient.getAsInt() < CLIENTS && fins.left()) {
            Thread.sleep(LOOK_EVERY_MS);
        }
        findings.fact("sockets_in_close_wait", CloseWait.count(url.getPort()));
        findings.judgeCount("sockets_open", CLIENTS - endedByClient.getAsInt(), 1, "sockets",
            "Clients that were gone had left sockets open",
            "Clients that were gone had closed their sockets");
    }

    /** Asks with a new client, in a method of its own so that no local variable keeps it. */
    private static HttpClient.Version ask(HttpClient.Version version, URL url) throws Exception {
        HttpClient client = HttpClient.newBuilder().version(version).build();
        MADE.add(new WeakReference<>(client));
        if (!DROPPED) {
            KEPT.add(client);
        }
        HttpResponse<Void> reply = client.send(HttpRequest.newBuilder(url.toURI()).build(),
            BodyHandlers.discarding());
        return reply.version();
    }

    private static int alive() {
        int count = 0;
        for (Reference<HttpClient> client : MADE) {
            count += client.get() == null ? 0 : 1;
        }
        return count;
    }

    /** On 26 they are virtual threads: none are seen, and only the FINs are awaited. */
    private static int selectors() {
        int count = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            count += thread.getName().matches("HttpClient-\\d+-SelectorManager") ? 1 : 0;
        }
        return count;
    }
}
