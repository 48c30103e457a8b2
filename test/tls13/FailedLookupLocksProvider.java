// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8276660: Scalability bottleneck in java.security.Provider.getService()
 *
 * What goes wrong: a look-up takes the provider's lock, one for the whole JVM, if that provider
 * does not have the algorithm. Providers are asked in turn, so that each look-up of what a later
 * one has takes the locks of all before it, and handshakes in many threads queue for them.
 *
 * What it takes: two threads. Here one is inside the provider's lock while another asks; how often
 * that happens by itself depends on cores and load. In the control nobody holds the lock. No TLS.
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/FailedLookupLocksProvider.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/FailedLookupLocksProvider.java
 *     java -cp classes FailedLookupLocksProvider [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     look_up_ms = 2999 ms (bound 1500)
 *       provider: SUN
 *       look_up: Cipher AES
 *       machine_stall_ms: 39
 *     reproduced: A look-up of an algorithm waited for the provider's lock (look_up_ms 2999, bound
 *           1500).
 * On a fixed build:
 *     # java: 17.0.19+10-1-deb12u2-Debian, Debian
 *     look_up_ms = 0 ms (bound 1500)
 *       provider: SUN
 *       look_up: Cipher AES
 *       machine_stall_ms: 0
 *     not-reproduced: A look-up of an algorithm did not wait for the provider's lock (look_up_ms
 *           0, bound 1500).
 */

/*
 * @test
 * @bug 8276660
 * @summary A look-up of an algorithm that the provider lacks must take no lock
 * @key waits
 * @library /lib
 * @run main/othervm FailedLookupLocksProvider control
 * @run main/othervm FailedLookupLocksProvider subject
 */

public class FailedLookupLocksProvider {
    public static void main(String[] args) throws Exception {
        Reproducer.run("FailedLookupLocksProvider", "JDK-8276660", args,
            (which, findings) -> ProviderLock.judge(which == Case.SUBJECT, false, findings));
    }
}
