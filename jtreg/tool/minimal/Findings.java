// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** What was found? A bug that shows is thrown; so is, as another exception, that nobody can say. */
final class Findings {
    private Findings() { }

    static void fact(String name, Object value) { }

    static void figure(String name, long value, long bound, String unit) { }

    static void require(boolean met, String otherwise) {
        if (!met) {
            throw new IllegalStateException(otherwise);
        }
    }

    static void requireTls13(String protocol) {
        require("TLSv1.3".equals(protocol), "It needs TLSv1.3, but " + protocol + " was negotiated.");
    }

    static void judge(String name, Watch watch, long bound, String seen, String notSeen) {
        judgeCount(name, watch.seenMs(), bound, "ms", seen, notSeen);
        require(watch.over(), "It was neither over, nor seen for long enough.");
    }

    static void judgeCount(String name, long value, long bound, String unit, String seen,
            String notSeen) {
        if (value >= bound) {
            throw new RuntimeException(seen + ": " + value + " " + unit);
        }
        System.out.println(notSeen + ": " + value + " " + unit);
    }

    static void end(Outcome how, String why) {
        throw new IllegalStateException(why);
    }

    static Outcome outcome() {
        return Outcome.NOT_REPRODUCED;
    }
}
