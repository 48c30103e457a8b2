// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-8133686: HttpURLConnection.getHeaderFields and URLConnection.getRequestProperties methods
 * return field values in the wrong order
 *
 * What goes wrong: a field occurs several times in a reply, and getHeaderFields() returns its
 * values last to first. Where the order matters, as for cookies, hops in Via, or Link, the caller
 * gets it wrong.
 *
 * What it takes: a field that occurs more than once.
 *
 * Control: each field occurs once.
 *
 * Judged by a count of values misplaced.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: The field had the values null
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/http/HeaderValuesInWrongOrder.java
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib http/HeaderValuesInWrongOrder.java
 *     java -cp classes HeaderValuesInWrongOrder [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     # java: 17.0.9+9, Eclipse Adoptium
 *     values_misplaced = 2 values (bound 1)
 *       values: third second first
 *     reproduced: The values of a field were told in another order (values_misplaced 2,
 *         bound 1).
 * On a fixed build:
 *     # java: 21.0.8+9-LTS, Eclipse Adoptium
 *     values_misplaced = 0 values (bound 1)
 *       values: first second third
 *     not-reproduced: The values were told in order (values_misplaced 0, bound 1).
 *
 * Evidence: outcome.json beside the scratch files has the values as they were returned.
 */

/*
 * @test
 * @bug 8133686
 * @summary getHeaderFields() must have the values of a field in their order
 * @key waits
 * @library /lib
 * @run main/othervm HeaderValuesInWrongOrder control
 * @run main/othervm HeaderValuesInWrongOrder subject
 */

import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.Arrays;
import java.util.List;

public class HeaderValuesInWrongOrder {
    private static final List<String> SENT = Arrays.asList("first", "second", "third");

    public static void main(String[] args) throws Exception {
        Reproducer.run("HeaderValuesInWrongOrder", "JDK-8133686", args,
            HeaderValuesInWrongOrder::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (ScriptedPeer peer = new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            HttpURLConnection connection = PlainClient.open(peer.url("/"));
            List<String> told = connection.getHeaderFields().get("X-Hop");
            findings.fact("values", told == null ? "none" : String.join(" ", told));
            List<String> sent = which == Case.SUBJECT ? SENT : SENT.subList(0, 1);
            findings.require(told != null && told.containsAll(sent) && sent.containsAll(told),
                "The field had the values " + told + ", not " + sent + ".");
            int misplaced = 0;
            for (int i = 0; i < sent.size(); i++) {
                misplaced += sent.get(i).equals(told.get(i)) ? 0 : 1;
            }
            findings.judgeCount("values_misplaced", misplaced, 1, "values",
                "The values of a field were told in another order",
                "The values were told in order");
        }
    }

    private static void answer(Case which, Exchange exchange) throws IOException {
        StringBuilder fields = new StringBuilder();
        for (String value : which == Case.SUBJECT ? SENT : SENT.subList(0, 1)) {
            fields.append("X-Hop: ").append(value).append("\r\n");
        }
        exchange.send("HTTP/1.1 200 OK\r\n" + fields + "Content-Length: 0\r\n\r\n");
    }
}
