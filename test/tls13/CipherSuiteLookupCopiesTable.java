// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8270317: Large Allocation in CipherSuite
 *
 * What goes wrong: each look-up of a cipher suite, by name or by number, copies the table of all
 * suites to search it. Each connection looks up each suite that it offers or is offered several
 * times, and so makes megabytes of garbage.
 *
 * What it takes: a list of suites. Here it is set on an SSLEngine, which looks up each name. In the
 * control the engine is asked for its list, and looks up nothing. No network, any version of TLS.
 *
 * Judged by a count of bytes allocated.
 *
 * Without its precondition
 *     -Dallocation.counted=off: inconclusive: counted 0 bytes
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/CipherSuiteLookupCopiesTable.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/CipherSuiteLookupCopiesTable.java
 *     java -cp classes CipherSuiteLookupCopiesTable [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 11.0.13+8, Eclipse Adoptium
 *     bytes_for_each_suite = 1373 bytes (bound 100)
 *       suites: 49
 *     reproduced: Each look-up of a cipher suite copied the table of all
 *           (bytes_for_each_suite 1373, bound 100).
 * On a fixed build:
 *     # java: 11.0.24+8-post-Debian-2deb11u1, Debian
 *     bytes_for_each_suite = 5 bytes (bound 100)
 *       suites: 49
 *     not-reproduced: Look-ups of cipher suites copied no table (bytes_for_each_suite 5,
 *           bound 100).
 */

/*
 * @test
 * @bug 8270317
 * @summary A look-up of a cipher suite must not copy the table of all
 * @key memory
 * @library /lib
 * @run main/othervm CipherSuiteLookupCopiesTable control
 * @run main/othervm CipherSuiteLookupCopiesTable subject
 */

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

public class CipherSuiteLookupCopiesTable {
    // Affected builds copy 1,365 to 1,373 bytes a suite; the list on fixed ones takes 5 to 8.
    private static final long BOUND_BYTES = 100;

    public static void main(String[] args) throws Exception {
        Reproducer.run("CipherSuiteLookupCopiesTable", "JDK-8270317", args,
            CipherSuiteLookupCopiesTable::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, null, null);
        SSLEngine engine = context.createSSLEngine();
        String[] suites = engine.getSupportedCipherSuites();
        engine.setEnabledCipherSuites(suites);
        findings.fact("suites", suites.length);
        long bytes = AllocatedBytes.of(which == Case.CONTROL
            ? engine::getEnabledCipherSuites : () -> engine.setEnabledCipherSuites(suites),
            findings);
        findings.judgeCount("bytes_for_each_suite", bytes / suites.length, BOUND_BYTES, "bytes",
            "Each look-up of a cipher suite copied the table of all",
            "Look-ups of cipher suites copied no table");
    }
}
