// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary What does the JDK do, row by row (all rows)?
 * @library /lib /behave/lib /behave/http /behave/tls /interop/lib
 * @run main/othervm/timeout=300 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC AllRows
 */

import java.util.ArrayList;
import java.util.List;

/** The rows whose APIs Java 8 has. */
final class AllRows {
    private AllRows() { }

    /** Writes observations.jsonl. */
    public static void main(String[] args) throws Exception {
        BehaveSuite.run(AllRows.class, args, AllRows::topics, false);
    }

    private static List<Topic> topics() {
        List<Topic> topics = new ArrayList<>(HttpTopics.all());
        topics.addAll(TlsTopics.all());
        return topics;
    }
}
