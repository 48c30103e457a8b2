// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** The outcome of a run, with the exit code that git bisect run expects. */
enum Outcome {
    NOT_REPRODUCED(0, "not-reproduced"),
    REPRODUCED(1, "reproduced"),
    INCONCLUSIVE(125, "inconclusive"),
    NOT_APPLICABLE(125, "not-applicable"),
    ERROR(125, "error");

    final int exitCode;
    private final String word;

    Outcome(int exitCode, String word) {
        this.exitCode = exitCode;
        this.word = word;
    }

    @Override
    public String toString() {
        return word;
    }
}
