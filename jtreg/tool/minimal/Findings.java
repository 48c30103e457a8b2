// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** What was found? A figure, and the bound by which it is judged. */
final class Findings {
    private static Outcome outcome;
    private static String reason;

    private Findings() { }

    static void fact(String name, Object value) { }

    static void figure(String name, long value, long bound, String unit) { }

    static void require(boolean met, String otherwise) {
        if (!met) {
            throw new CaseEnd(Outcome.INCONCLUSIVE, otherwise);
        }
    }

    static void requireTls13(String protocol) {
        require("TLSv1.3".equals(protocol), "It needs TLSv1.3, but " + protocol + " was negotiated.");
    }

    static void judge(String name, Watch watch, long bound, String seen, String notSeen) {
        judgeCount(name, watch.seenMs(), bound, "ms", seen, notSeen);
        if (outcome == Outcome.NOT_REPRODUCED && !watch.over()) {
            end(Outcome.INCONCLUSIVE, "It was neither over, nor seen for long enough.");
        }
    }

    static void judgeCount(String name, long value, long bound, String unit, String seen,
            String notSeen) {
        System.out.println(name + " = " + value + " " + unit + " (bound " + bound + ")");
        boolean reproduced = value >= bound;
        end(reproduced ? Outcome.REPRODUCED : Outcome.NOT_REPRODUCED,
            (reproduced ? seen : notSeen) + " (" + name + " " + value + ", bound " + bound + ").");
    }

    static void end(Outcome how, String why) {
        outcome = how;
        reason = why;
    }

    static Outcome outcome() {
        return outcome;
    }

    static String reason() {
        return reason;
    }
}
