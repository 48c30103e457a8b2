// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary What does the JDK do, row by row (all rows)?
 * @requires jdk.version.major < 11
 * @library /lib /behave/lib /behave/http /behave/tls /interop/lib
 * @run main/othervm/timeout=300 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC AllRows8
 */

/** The rows, before java.net.http was there. */
final class AllRows8 {
    private AllRows8() { }

    /** Writes observations.jsonl. */
    public static void main(String[] args) throws Exception {
        BehaveSuite.run(AllRows8.class, args, false, HttpTopics::all, TlsTopics::all);
    }
}
