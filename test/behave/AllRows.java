// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary What does the JDK do, row by row (all rows)?
 * @requires jdk.version.major >= 11
 * @library /lib /behave/lib /behave/http /behave/tls /interop/lib /behave/http11
 * @run main/othervm/timeout=600 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC AllRows
 */

/** The rows, those of java.net.http too. */
final class AllRows {
    private AllRows() { }

    /** Writes observations.jsonl. */
    public static void main(String[] args) throws Exception {
        BehaveSuite.run(AllRows.class, args, false, HttpTopics::all, HttpClientTopics::all,
            TlsTopics::all);
    }
}
