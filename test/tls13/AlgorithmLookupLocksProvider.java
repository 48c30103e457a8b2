// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-7092821: java.security.Provider.getService() is synchronized and became scalability
 *              bottleneck
 *
 * What goes wrong: each look-up of an algorithm takes the provider's lock, one for the whole JVM. A
 * TLS handshake makes some dozen look-ups, so handshakes in many threads queue for it.
 *
 * What it takes: several threads that look up an algorithm, in the first provider and, naming none,
 * in the list of all, while another thread holds that provider's lock. The test counts looks at all
 * threads in which one of the askers waits for a lock. The lock's owner is the thread that holds
 * the provider's or, where the list has a lock of its own, another asker. In the control one thread
 * asks, and nobody holds the lock. No TLS.
 *
 * Judged by a count of looks in which one of several threads that ask (the first provider, and the
 * list of all) waits for a lock that another owns.
 *
 * Without its precondition
 *     -Djava.security.properties=../order.security: inconclusive: SunJCE
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/AlgorithmLookupLocksProvider.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/AlgorithmLookupLocksProvider.java
 *     java -cp classes AlgorithmLookupLocksProvider [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 1.8.0_504-8u504-ga-1-b01, Debian
 *     looks_at_waiting_look_ups = 40 looks (bound 10)
 *       provider: SUN
 *       look_up: MessageDigest SHA-256
 *       looks: 40
 *       answers_while_looked_at: [0, 0, 0, 0]
 *       waiter: asker-4
 *       waiter_frames: Provider.getService
 *       holder: main
 *       holder_frames:
 *     reproduced: Look-ups of algorithms waited for a lock, asker-4 in Provider.getService for one
 *           that main held (looks_at_waiting_look_ups 40, bound 10).
 * On a fixed build:
 *     # java: 25.0.2+10-LTS, Eclipse Adoptium
 *     looks_at_waiting_look_ups = 0 looks (bound 10)
 *       provider: SUN
 *       look_up: MessageDigest SHA-256
 *       looks: 40
 *       answers_while_looked_at: [680, 890, 884, 878]
 *     not-reproduced: Look-ups of algorithms waited for no lock (looks_at_waiting_look_ups 0,
 *           bound 10).
 */

/*
 * @test
 * @bug 7092821
 * @summary A look-up of an algorithm that the provider has must take no lock
 * @key waits
 * @library /lib
 * @run main/othervm AlgorithmLookupLocksProvider control
 * @run main/othervm AlgorithmLookupLocksProvider subject
 */

public class AlgorithmLookupLocksProvider {
    public static void main(String[] args) throws Exception {
        Reproducer.run("AlgorithmLookupLocksProvider", "JDK-7092821", args,
            (which, findings) -> ProviderLock.judge(which == Case.SUBJECT, true, findings));
    }
}
