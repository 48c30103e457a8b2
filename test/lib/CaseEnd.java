// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** How does a case end early, or tell jtreg that it failed? By this: one line, no stack trace. */
final class CaseEnd extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final transient Outcome outcome;

    /** @param reason one full sentence */
    CaseEnd(Outcome outcome, String reason) {
        super(reason, null, false, false);
        this.outcome = outcome;
    }
}
