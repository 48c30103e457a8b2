// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** Measures: whoever calls it sees what that throws. */
final class Reproducer {
    interface Body {
        void measure(Case which, Findings findings) throws Exception;
    }

    private Reproducer() { }

    static void run(String test, String bug, String[] args, Body body) throws Exception {
        body.measure(null, null);
    }
}
