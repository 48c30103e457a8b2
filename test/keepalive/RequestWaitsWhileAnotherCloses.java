// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8293562: KeepAliveCache blocks threads while closing connections
 *
 * What goes wrong: a thread hands a connection back to a full cache, so one connection is closed,
 * which takes time. The cache's lock is held meanwhile, and a request to any other host waits until
 * the close is over.
 *
 * What it takes: neither TLS nor a silent peer. The sockets here are plain ones from the test's own
 * SSLSocketFactory, and their close() waits until the test releases it. So the bug shows on 8u
 * before TLS 1.3 too, and whatever else makes a close slow.
 *
 * Control: close() does not wait.
 *
 * Judged by: the request's thread waiting for a lock, seen together with the lock's owner in that
 * close(), until the request has its reply.
 *
 * Judged by a sign: the request waits for a lock whose owner is in that close; watched until it has
 * its reply.
 *
 * Without its precondition
 *     -Dhttp.keepAlive=false: inconclusive: Of 2 connections 3 were closed
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/keepalive/RequestWaitsWhileAnotherCloses.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib keepalive/RequestWaitsWhileAnotherCloses.java
 *     java -cp classes RequestWaitsWhileAnotherCloses [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build (some facts left out):
 *     # java: 17.0.3+7, Eclipse Adoptium
 *     seen_locked_out_ms = 1503 ms (bound 1500)
 *       request_ms: 2682
 *       closed_by: returner
 *       closed_connection: 2
 *       looks: 58
 *       waiter: request-to-other
 *       holder: returner
 *       withheld_ms: 3261
 *     reproduced: A request to one host waited while a connection to another closed
 *         (seen_locked_out_ms 1503, bound 1500).
 * On a fixed build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     seen_locked_out_ms = 0 ms (bound 1500)
 *       request_ms: 123
 *       closed_by: returner
 *       closed_connection: 1
 *       looks: 0
 *       withheld_ms: 387
 *     not-reproduced: A request to one host did not wait while a connection to another closed
 *         (seen_locked_out_ms 0, bound 1500).
 *
 * Evidence: outcome.json beside the scratch files has the thread that closed a connection, and
 * which one: the one just handed back (affected) or the oldest (fixed).
 */

/*
 * @test
 * @bug 8293562
 * @summary A request must not wait while the cache closes another connection
 * @key waits
 * @library /lib
 * @run main/othervm RequestWaitsWhileAnotherCloses control
 * @run main/othervm RequestWaitsWhileAnotherCloses subject
 */

import java.net.URL;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.HttpsURLConnection;

public class RequestWaitsWhileAnotherCloses {
    private static final int CACHE_SLOTS = 1;

    // Longer than any case takes, so that the cache's timer closes nothing meanwhile.
    private static final String[] KEEP = {"Connection: keep-alive", "Keep-Alive: timeout=600"};

    private static final Sign LOCKED_OUT =
        Sign.heldBy(Sign.Place.thread("request-to-other"), SlowCloses.CLOSE);

    public static void main(String[] args) throws Exception {
        System.setProperty("http.maxConnections", Integer.toString(CACHE_SLOTS));
        Reproducer.run("RequestWaitsWhileAnotherCloses", "JDK-8293562", args,
            RequestWaitsWhileAnotherCloses::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SlowCloses sockets = new SlowCloses();
        try (ScriptedPeer crowded = new ScriptedPeer("crowded", exchange -> exchange.reply(KEEP));
                ScriptedPeer other = new ScriptedPeer("other", exchange -> exchange.reply(KEEP))) {
            HttpsURLConnection first = open(sockets, crowded);
            HttpsURLConnection second = open(sockets, crowded);
            PlainClient.finish(first);
            FutureTask<Reply> returning = new FutureTask<>(() -> PlainClient.finish(second));
            TlsPeer.daemon("returner", returning).start();
            findings.require(sockets.awaitClose(Client.PATIENCE_MS), "Of "
                + crowded.connections() + " connections none was closed for a cache with "
                + CACHE_SLOTS + " slot (bound 1).");
            if (which == Case.CONTROL) {
                sockets.letGo();
            }
            // The close lasts until the request has its reply, or was seen locked out by it for
            // long enough.
            FutureTask<Reply> request =
                new FutureTask<>(() -> PlainClient.finish(open(sockets, other)));
            long begin = System.nanoTime();
            TlsPeer.daemon("request-to-other", request).start();
            Watch watch = new Watch(LOCKED_OUT);
            watch.until(request::isDone, Watch.BOUND_MS);
            sockets.letGo();
            request.get();
            findings.fact("request_ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
            returning.get();
            findings.fact("closed_by", sockets.closedBy());
            findings.fact("closed_connection", sockets.closedNumber());
            findings.require(crowded.connections() == 2 && sockets.closes() == 1, "Of "
                + crowded.connections() + " connections " + sockets.closes()
                + " were closed (bounds 2 and 1).");
            findings.judge("seen_locked_out_ms", watch, Watch.BOUND_MS,
                "A request to one host waited while a connection to another closed",
                "A request to one host did not wait while a connection to another closed");
        }
    }

    private static HttpsURLConnection open(SlowCloses sockets, ScriptedPeer peer)
            throws Exception {
        URL url = new URL("https", "127.0.0.1", peer.address().getPort(), "/");
        HttpsURLConnection connection = (HttpsURLConnection) url.openConnection();
        connection.setSSLSocketFactory(sockets);
        connection.setHostnameVerifier((host, session) -> true);
        connection.setReadTimeout(Client.PATIENCE_MS);
        connection.getResponseCode();
        return connection;
    }
}
