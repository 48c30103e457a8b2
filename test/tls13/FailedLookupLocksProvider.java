// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8276660: Scalability bottleneck in java.security.Provider.getService()
 *
 * What goes wrong: a look-up takes the provider's lock, one for the whole JVM, if that provider
 * does not have the algorithm. Providers are asked in turn, so a look-up of what a later one has
 * takes the locks of all before it, and handshakes in many threads queue for them.
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
 *     jtreg -jdk:/path/to/jdk test/tls13/FailedLookupLocksProvider.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/FailedLookupLocksProvider.java
 *     java -cp classes FailedLookupLocksProvider [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     looks_at_waiting_look_ups = 40 looks (bound 10)
 *       provider: SUN
 *       look_up: Cipher AES
 *       looks: 40
 *       answers_while_looked_at: [0, 0, 0, 0]
 *       waiter: asker-1
 *       waiter_frames: Provider.getService
 *       holder: main
 *       holder_frames:
 *     reproduced: Look-ups of algorithms waited for a lock, asker-1 in Provider.getService for one
 *           that main held (looks_at_waiting_look_ups 40, bound 10).
 * On a fixed build:
 *     # java: 25.0.2+10-LTS, Eclipse Adoptium
 *     looks_at_waiting_look_ups = 0 looks (bound 10)
 *       provider: SUN
 *       look_up: Cipher AES
 *       looks: 40
 *       answers_while_looked_at: [476, 474, 464, 466]
 *     not-reproduced: Look-ups of algorithms waited for no lock (looks_at_waiting_look_ups 0,
 *           bound 10).
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
