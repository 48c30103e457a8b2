// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/*
 * JDK-@number@: TODO: the title, as in JBS
 *
 * What goes wrong: TODO: what a user sees, and why.
 *
 * What it takes: TODO: the least that shows it.
 *
 * Control: TODO: what differs from the subject, so that the bug can't show.
 *
 * Judged by a count of TODO: what is counted; or by a sign: what a thread does; watched until what.
 *
 * Without its precondition
 *     -Dpeer.script=off: inconclusive: TODO: part of what it says then
 *
 * How to run
 *     jtreg -jdk:/path/to/jdk test/@test@
 * or without jtreg, in test/
 *     mkdir -p classes
 *     javac -d classes -sourcepath lib @test@
 *     java -cp classes @name@ [CASE]
 * where CASE is one of control and subject (the default).
 *
 * On an affected build:
 *     TODO: what the subject printed
 * On a fixed build:
 *     TODO: what the subject printed
 */

/*
 * @test
 * @bug @number@
 * @summary TODO: what must hold, in a line
 * @key waits
@requires@ * @library /lib
 * @run main/othervm @name@ control
 * @run main/othervm @name@ subject
 */

import java.io.IOException;

public class @name@ {
    public static void main(String[] args) throws Exception {
        Reproducer.run("@name@", "JDK-@number@", args, @name@::measure);
    }

    private static void measure(Case which, Findings findings) throws Exception {
        try (ScriptedPeer peer =
                new ScriptedPeer("peer", exchange -> answer(which, exchange))) {
            int status = PlainClient.open(peer.url("/")).getResponseCode();
            findings.fact("status", status);
            findings.fact("requests", peer.requests());
            // TODO: what must hold for the bug to show: require it, and say what there is instead.
            findings.require(false, "TODO: nothing is measured yet.");
            // TODO: the count, its bound and unit, and a sentence for each outcome.
            findings.judgeCount("requests_to_count", 0, 1, "requests", "It showed", "It did not");
        }
    }

    private static void answer(Case which, Exchange exchange) throws IOException {
        // TODO: what triggers the bug, for the subject alone.
        if (which == Case.SUBJECT) {
            exchange.reply();
        } else {
            exchange.reply();
        }
    }
}
