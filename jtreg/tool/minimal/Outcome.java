// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** The outcome of a run, as far as code names it. */
enum Outcome {
    NOT_REPRODUCED,
    REPRODUCED,
    INCONCLUSIVE,
    NOT_APPLICABLE,
    ERROR
}
