// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-7092821: java.security.Provider.getService() is synchronized and became scalability
 *              bottleneck
 *
 * What goes wrong: each look-up of an algorithm takes the provider's lock, one for the whole JVM. A
 * TLS handshake makes some dozen look-ups, so handshakes in many threads queue for it.
 *
 * What it takes: two threads. Here one is inside the provider's lock while another asks; how often
 * that happens by itself depends on cores and load. In the control nobody holds the lock. No TLS.
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
 *     look_up_ms = 3000 ms (bound 1500)
 *       provider: SUN
 *       look_up: MessageDigest SHA-256
 *       machine_stall_ms: 2
 *     reproduced: A look-up of an algorithm waited for the provider's lock (look_up_ms 3000,
 *           bound 1500).
 * On a fixed build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     look_up_ms = 0 ms (bound 1500)
 *       provider: SUN
 *       look_up: MessageDigest SHA-256
 *       machine_stall_ms: 0
 *     not-reproduced: A look-up of an algorithm did not wait for the provider's lock
 *           (look_up_ms 0, bound 1500).
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
