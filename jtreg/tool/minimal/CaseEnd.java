// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** Ends a run about which nothing can be said, with the reason. */
final class CaseEnd extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    CaseEnd(Outcome outcome, String reason) {
        super(reason);
    }
}
