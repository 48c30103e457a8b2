// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

package jtreg;

/**
 * How does a test tell jtreg that it does not apply here? By throwing an exception of exactly this
 * name. jtreg then counts the test as passed; only outcome.json says otherwise.
 */
public final class SkippedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param reason one full sentence that says why the test does not apply */
    public SkippedException(String reason) {
        super(reason, null, false, false);
    }
}
