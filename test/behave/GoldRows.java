// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary What does the JDK do, row by row (the rows that tell builds apart)?
 * @requires jdk.version.major >= 11
 * @library /lib /behave/lib /behave/http /behave/tls /interop/lib /behave/http11
 * @run main/othervm/timeout=300 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC GoldRows
 */

/** The rows of {@code gold.txt}, those of java.net.http too. */
final class GoldRows {
    private GoldRows() { }

    /** Writes observations.jsonl. */
    public static void main(String[] args) throws Exception {
        BehaveSuite.run(GoldRows.class, args, true, HttpTopics::all, HttpClientTopics::all,
            TlsTopics::all);
    }
}
