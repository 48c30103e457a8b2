// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * @test
 * @summary What does the JDK do, row by row (the rows that tell builds apart)?
 * @library /lib /behave/lib /behave/http /behave/tls /interop/lib
 * @run main/othervm/timeout=300 -XX:TieredStopAtLevel=1 -XX:+UseSerialGC GoldRows
 */

import java.util.ArrayList;
import java.util.List;

/** The rows of {@code gold.txt} whose APIs Java 8 has. */
final class GoldRows {
    private GoldRows() { }

    /** Writes observations.jsonl. */
    public static void main(String[] args) throws Exception {
        BehaveSuite.run(GoldRows.class, args, GoldRows::topics, true);
    }

    private static List<Topic> topics() {
        List<Topic> topics = new ArrayList<>(HttpTopics.all());
        topics.addAll(TlsTopics.all());
        return topics;
    }
}
