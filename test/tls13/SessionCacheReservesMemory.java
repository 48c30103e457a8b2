// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8255603: Memory/Performance regression after JDK-8210985
 *
 * What goes wrong: each SSLContext makes room for 20480 sessions as soon as it keeps the first one.
 * An application with many contexts, one for each peer or tenant, fills its heap with empty tables.
 *
 * What it takes: contexts with one session each; their share of the live heap is measured. The
 * control sets a small cache size (javax.net.ssl.sessionCacheSize), for which no build reserves
 * much. Any version of TLS, no network.
 *
 * A cache also costs the time that it is locked while a session is looked up, which is microseconds
 * on every build. So the subject has several threads look up sessions at once, and counts the looks
 * at all threads in which one waits there for another's lock. If it sees that, it judges by those
 * looks, not by the memory.
 *
 * Judged by a count of bytes of live heap; looks in which one of several threads that look up
 * sessions waits for a lock that another owns.
 *
 * Without its precondition
 *     -Djavax.net.ssl.sessionCacheSize=16: inconclusive: makes room for 16 sessions
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/SessionCacheReservesMemory.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/SessionCacheReservesMemory.java
 *     java -cp classes SessionCacheReservesMemory [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.9.1+1, AdoptOpenJDK
 *     kib_for_each_pair = 390 KiB (bound 100)
 *     looks_at_waiting_look_ups = 0 looks (bound 10)
 *       contexts: 122
 *       session_cache_size: 20480
 *       looks: 40
 *       answers_while_looked_at: [27, 28, 30, 39, 45, 41]
 *     reproduced: Contexts with one session each reserve room for many more (kib_for_each_pair
 *           390, bound 100).
 * On a fixed build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     kib_for_each_pair = 5 KiB (bound 100)
 *     looks_at_waiting_look_ups = 0 looks (bound 10)
 *       contexts: 122
 *       session_cache_size: 20480
 *       looks: 40
 *       answers_while_looked_at: [163, 173, 166, 128, 138, 132]
 *     not-reproduced: Contexts with one session each take little memory (kib_for_each_pair 5,
 *           bound 100).
 */

/*
 * @test
 * @bug 8255603 8210985
 * @summary A context with one session must not reserve room for 20480
 * @key memory
 * @library /lib
 * @run main/othervm SessionCacheReservesMemory control
 * @run main/othervm SessionCacheReservesMemory subject
 */

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

public class SessionCacheReservesMemory {
    // Other things in the heap, such as a recording's buffers, change by 2 MB at times: 30 KiB for
    // each pair.
    private static final int PAIRS = 60;
    private static final int COLLECTIONS = 5;
    private static final long BETWEEN_COLLECTIONS_MS = 50;

    // The JDK's default is 20480, and was 0 (no limit, and little room) before JDK-8210985.
    private static final int MANY_SESSIONS = 10_000;

    private static final String FEW_SESSIONS = "16";

    // The tables of an affected build take 128 KiB each, and a pair of contexts has two or three.
    // On a fixed build all that a pair has is some KiB.
    private static final long BOUND_KIB = 100;

    // Once for all contexts: protecting a key by a password takes longer than a handshake.
    private final KeyManager[] keys = Identity.serverKeys();
    private final TrustManager[] trust = Identity.clientTrust();

    private SessionCacheReservesMemory() throws Exception { }

    public static void main(String[] args) throws Exception {
        Reproducer.run("SessionCacheReservesMemory", "JDK-8255603", args,
            (which, findings) -> new SessionCacheReservesMemory().measure(which, findings));
    }

    private void measure(Case which, Findings findings) throws Exception {
        if (which == Case.CONTROL) {
            System.setProperty("javax.net.ssl.sessionCacheSize", FEW_SESSIONS);
        }
        List<SSLContext> kept = new ArrayList<>();
        // One pair beforehand: what is made once for the JVM does not count.
        addPair(kept, findings);
        long before = liveKib();
        for (int i = 0; i < PAIRS; i++) {
            addPair(kept, findings);
        }
        long after = liveKib();
        findings.fact("contexts", kept.size());
        int size = kept.get(1).getServerSessionContext().getSessionCacheSize();
        findings.fact("session_cache_size", size);
        boolean roomy = size == 0 || size >= MANY_SESSIONS;
        findings.require(roomy != (which == Case.CONTROL), "The cache makes room for " + size
            + " sessions at most (bound " + MANY_SESSIONS + "), which is not how this case is"
            + " meant.");
        long kibForEach = (after - before) / PAIRS;
        if (which == Case.SUBJECT && judgeQueue(kept.get(0), kept.get(1), findings)) {
            findings.figure("kib_for_each_pair", kibForEach, BOUND_KIB, "KiB");
            return;
        }
        findings.judgeCount("kib_for_each_pair", kibForEach, BOUND_KIB, "KiB",
            "Contexts with one session each reserve room for many more",
            "Contexts with one session each take little memory");
    }

    /** @return whether look-ups of sessions wait for one another, which is worse than memory */
    private static boolean judgeQueue(SSLContext client, SSLContext server, Findings findings)
            throws Exception {
        AskedAtOnce asked = SessionLookUps.look(client, server, findings);
        if (asked.seen()) {
            findings.judgeCount("looks_at_waiting_look_ups", asked.looksSeen(),
                AskedAtOnce.BOUND_LOOKS, "looks", "Look-ups of sessions waited for a lock, "
                + asked.who(), "");
        } else {
            findings.figure("looks_at_waiting_look_ups", asked.looksSeen(),
                AskedAtOnce.BOUND_LOOKS, "looks");
        }
        return asked.seen();
    }

    private void addPair(List<SSLContext> kept, Findings findings) throws Exception {
        SSLContext client = SSLContext.getInstance("TLS");
        client.init(null, trust, null);
        SSLContext server = SSLContext.getInstance("TLS");
        server.init(keys, null, null);
        EnginePair pair = new EnginePair(client, server, "peer.example", 443);
        pair.handshake().exchange().close();
        findings.require(
            client.getClientSessionContext().getIds().hasMoreElements(),
            "The client's context kept no session.");
        kept.add(client);
        kept.add(server);
    }

    /** The least of several readings: what waits for its finalizer goes with a later collection. */
    private static long liveKib() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            least = Math.min(least,
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1024);
            Thread.sleep(BETWEEN_COLLECTIONS_MS);
        }
        return least;
    }
}
