// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8278067: Make HttpURLConnection default keep alive timeout configurable
 *
 * What goes wrong: the system property http.keepAlive.time.server sets how long, in seconds, an
 * idle connection is kept if the server does not say. A build without the property keeps
 * connections for 5 s whatever is set.
 *
 * What it takes: a server that sends no Keep-Alive header, and the property set to less than 5 s
 * before the JVM's first request.
 *
 * Control: the property is not set, and the server's reply gives the same life ("Keep-Alive:
 * timeout=1"), which any build obeys.
 *
 * Judged by a count of connections used again.
 *
 * Without its precondition
 *     -Dhttp.keepAlive=false: inconclusive: 0 used the connection of the other
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/keepalive/KeepAliveTimePropertyIgnored.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib keepalive/KeepAliveTimePropertyIgnored.java
 *     java -cp classes KeepAliveTimePropertyIgnored [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.3+7, Eclipse Adoptium
 *     reused_after_their_life = 1 connections (bound 1)
 *       reused_at_once: 1
 *       idle_ms_at_most: 2209
 *       connections: 1
 *     reproduced: An idle connection was used beyond its life (reused_after_their_life 1, bound 1).
 * On a fixed build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     reused_after_their_life = 0 connections (bound 1)
 *       reused_at_once: 1
 *       idle_ms_at_most: 2211
 *       connections: 2
 *     not-reproduced: A new connection was opened (reused_after_their_life 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the measured pause and how many connections
 * were reused.
 */

/*
 * @test
 * @bug 8278067
 * @summary An idle connection is not used beyond the life that the property gives it
 * @key waits
 * @library /lib
 * @run main/othervm KeepAliveTimePropertyIgnored control
 * @run main/othervm KeepAliveTimePropertyIgnored subject
 */

import java.net.URL;
import java.util.concurrent.TimeUnit;

public class KeepAliveTimePropertyIgnored {
    private static final int IDLE_LIFE_S = 1;
    private static final int PAUSE_MS = 2_200;

    // A build that ignores the property keeps connections for 5 s.
    private static final int DEFAULT_LIFE_MS = 4_700;

    public static void main(String[] args) throws Exception {
        Reproducer.run("KeepAliveTimePropertyIgnored", "JDK-8278067", args,
            KeepAliveTimePropertyIgnored::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        if (which == Case.SUBJECT) {
            System.setProperty("http.keepAlive.time.server", Integer.toString(IDLE_LIFE_S));
        }
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> {
            if (which == Case.SUBJECT) {
                exchange.reply();
            } else {
                exchange.reply("Connection: keep-alive", "Keep-Alive: timeout=" + IDLE_LIFE_S);
            }
        })) {
            URL url = peer.url("/");
            PlainClient.get(url);
            long begin = System.nanoTime();
            int reusedAtOnce = PlainClient.get(url).reused() ? 1 : 0;
            // The idle life has to pass, so this sleep cannot be avoided.
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            int reusedAfterLife = PlainClient.get(url).reused() ? 1 : 0;
            long sinceMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            findings.fact("reused_at_once", reusedAtOnce);
            findings.fact("idle_ms_at_most", sinceMs);
            findings.fact("connections", peer.connections());
            findings.require(reusedAtOnce == 1, "Of 2 requests without a pause " + reusedAtOnce
                + " used the connection of the other (bound 1).");
            findings.require(sinceMs < DEFAULT_LIFE_MS, "The connection may have been idle for "
                + sinceMs + " ms (bound " + DEFAULT_LIFE_MS + ").");
            findings.judgeCount("reused_after_their_life", reusedAfterLife, 1, "connections",
                "An idle connection was used beyond its life", "A new connection was opened");
        }
    }
}
