// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary What does java.net.http do, row by row (the rows that tell builds apart)?
 * @requires jdk.version.major >= 11
 * @library /lib /behave/lib /behave/http /behave/http11
 * @run main/othervm/timeout=300 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC GoldClientRows
 */

/** The rows of {@code gold.txt} of java.net.http. */
final class GoldClientRows {
    private GoldClientRows() { }

    /** Writes observations.jsonl. */
    public static void main(String[] args) throws Exception {
        BehaveSuite.run(GoldClientRows.class, args, HttpClientTopics::all, true);
    }
}
