// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8285398: Cache the results of constraint checks
 *
 * What goes wrong: for each connection, JSSE finds out anew which suites and protocols the disabled
 * algorithms leave, by taking all their names apart. Beginning a handshake makes some 700 KiB of
 * garbage, for an answer that is the same each time.
 *
 * What it takes: handshakes that begin, here those of SSLEngines. In the control the engines are
 * made, but begin nothing. No network, any version of TLS.
 *
 * Judged by a count of bytes allocated.
 *
 * Without its precondition
 *     -Dallocation.counted=off: inconclusive: counted 0 bytes
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/tls13/ConstraintsCheckedForEachHandshake.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib tls13/ConstraintsCheckedForEachHandshake.java
 *     java -cp classes ConstraintsCheckedForEachHandshake [CASE]
 * where CASE is control or subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.3+7, Eclipse Adoptium
 *     kib_to_begin = 654 KiB (bound 230)
 *     reproduced: Each handshake checked the algorithm constraints anew (kib_to_begin 654,
 *           bound 230).
 * On a fixed build:
 *     # java: 17.0.7+7, Eclipse Adoptium
 *     kib_to_begin = 71 KiB (bound 230)
 *     not-reproduced: A handshake did not check the algorithm constraints anew
 *           (kib_to_begin 71, bound 230).
 */

/*
 * @test
 * @bug 8285398
 * @summary A handshake must not check again what the disabled algorithms leave
 * @key memory
 * @library /lib
 * @run main/othervm ConstraintsCheckedForEachHandshake control
 * @run main/othervm ConstraintsCheckedForEachHandshake subject
 */

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

public class ConstraintsCheckedForEachHandshake {
    // Affected builds take 654 to 1,513 KiB, fixed ones 38 to 79, however busy the machine is.
    private static final long BOUND_KIB = 230;

    public static void main(String[] args) throws Exception {
        Reproducer.run("ConstraintsCheckedForEachHandshake", "JDK-8285398", args,
            ConstraintsCheckedForEachHandshake::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, null, null);
        long bytes = AllocatedBytes.of(() -> {
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(true);
            if (which == Case.SUBJECT) {
                engine.beginHandshake();
                findings.require(engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP,
                    "The handshake did not begin, but is " + engine.getHandshakeStatus() + ".");
            }
        }, findings);
        findings.judgeCount("kib_to_begin", bytes / 1024, BOUND_KIB, "KiB",
            "Each handshake checked the algorithm constraints anew",
            "A handshake did not check the algorithm constraints anew");
    }
}
