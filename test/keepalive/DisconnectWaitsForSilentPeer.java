// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8293562: KeepAliveCache blocks threads while closing connections
 *
 * What goes wrong: disconnect(), called after a reply was read to its end, closes the idle
 * connection and waits for the peer's answer, up to the read timeout. The fix shortens that wait,
 * which makes its closes outside the lock cheap. This is the smallest test of it.
 *
 * What it takes: TLS 1.3, where a close waits for the peer's answer (in TLS 1.2 it does not); a
 * read timeout, which is how long the close waits (without one it does not wait); a silent peer
 * (here a relay that holds its answer back), because a peer on loopback answers at once. Eviction
 * is not needed: disconnect() itself takes the connection out of the cache. (If the reply's stream
 * was closed first, disconnect() does nothing, on any build.)
 *
 * Judged by: the thread that calls disconnect(), seen in SSLSocketImpl.close while the relay holds
 * the peer's answer, until disconnect() returns.
 *
 * Judged by a sign: its thread is in SSLSocketImpl.close; watched until it returns.
 *
 * Without its precondition
 *     -Djdk.tls.client.protocols=TLSv1.2: not-applicable: negotiated protocol TLSv1.2
 *     -Dhttp.keepAlive=false: inconclusive: 0 was reused
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/keepalive/DisconnectWaitsForSilentPeer.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib keepalive/DisconnectWaitsForSilentPeer.java
 *     java -cp classes DisconnectWaitsForSilentPeer [CASE]
 * where CASE is one of tls12, no-read-timeout and subject (the default).
 *
 * On an affected build (some facts left out):
 *     # java: 17.0.3+7, Eclipse Adoptium
 *     seen_waiting_ms = 1513 ms (bound 1500)
 *       witness_close_ms: 303
 *       reused_connections: 1
 *       client_fins: 1
 *       held_fins: 1
 *       disconnect_ms: 1707
 *       looks: 56
 *       holder: disconnecter
 *       withheld_ms: 1277
 *     reproduced: disconnect() waited for a silent peer (seen_waiting_ms 1513, bound 1500).
 * On a fixed build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     seen_waiting_ms = 0 ms (bound 1500)
 *       witness_close_ms: 321
 *       reused_connections: 1
 *       client_fins: 1
 *       held_fins: 1
 *       disconnect_ms: 141
 *       looks: 0
 *       withheld_ms: 276
 *     not-reproduced: disconnect() did not wait for a silent peer (seen_waiting_ms 0, bound 1500).
 *
 * Evidence: outcome.json beside the scratch files has the stack of the close. In a recording:
 * jdk.SocketRead of the thread disconnecter, with SSLSocketImpl.close and
 * HttpURLConnection.disconnect on its stack. No thread waits for a lock here.
 */

/*
 * @test
 * @bug 8293562
 * @summary disconnect() must not wait for a silent peer
 * @key waits
 * @library /lib
 * @run main/othervm DisconnectWaitsForSilentPeer tls12
 * @run main/othervm DisconnectWaitsForSilentPeer no-read-timeout
 * @run main/othervm DisconnectWaitsForSilentPeer subject
 */

import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;

public class DisconnectWaitsForSilentPeer {
    private static final String THREAD = "disconnecter";

    private static final Sign WAITS =
        Sign.at(Sign.Place.thread(THREAD).and(Stacks.TLS_CLOSE));

    public static void main(String[] args) throws Exception {
        Reproducer.run("DisconnectWaitsForSilentPeer", "JDK-8293562", args,
            DisconnectWaitsForSilentPeer::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        Client client = which.client();
        try (TlsPeer silent = new TlsPeer("silent", 60);
                Relay relay = new Relay(silent.address())) {
            which.checkProtocol(client.get(silent.url("/close"), Client.PATIENCE_MS), findings);
            if (which == Case.SUBJECT) {
                CloseWitness.check(silent, client.factory(), findings);
            }
            client.get(relay.url("/"), Client.PATIENCE_MS);
            HttpsURLConnection connection =
                client.open(relay.url("/"), which.readTimeoutMs(Client.PATIENCE_MS));
            int reused = client.finish(connection).reused() ? 1 : 0;
            relay.hold();
            findings.fact("reused_connections", reused);
            findings.require(reused == 1 && relay.clientFins() == 0, "Of 1 connection " + reused
                + " was reused and " + relay.clientFins()
                + " closed before the relay held (bounds 1 and 0).");
            // The relay holds the peer's answer until disconnect() has returned without it, or was
            // seen waiting for it for long enough.
            FutureTask<Void> closing = new FutureTask<>(connection::disconnect, null);
            long begin = System.nanoTime();
            TlsPeer.daemon(THREAD, closing).start();
            Watch watch = new Watch(WAITS);
            watch.until(closing::isDone, Watch.BOUND_MS);
            // Await both: the peer may answer the close_notify before the client's FIN is seen.
            relay.awaitClientFins(1, Client.PATIENCE_MS);
            relay.awaitHeldFins(1, Client.PATIENCE_MS);
            findings.fact("client_fins", relay.clientFins());
            findings.fact("held_fins", relay.heldFins());
            findings.require(relay.clientFins() == 1 && relay.heldFins() == 1,
                "The relay saw " + relay.clientFins() + " closes and held " + relay.heldFins()
                + " FINs (bounds 1 and 1).");
            relay.release();
            closing.get();
            findings.fact("disconnect_ms",
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
            findings.judge("seen_waiting_ms", watch, Watch.BOUND_MS,
                "disconnect() waited for a silent peer",
                "disconnect() did not wait for a silent peer");
        }
    }
}
