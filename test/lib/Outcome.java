// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

/** What can a case end with? The words are those of outcome.json. */
enum Outcome {
    /** The symptom was seen. */
    REPRODUCED("reproduced"),

    /** All preconditions were met and the symptom was not seen. */
    NOT_REPRODUCED("not-reproduced"),

    /** A precondition was not met: nothing can be said. */
    INCONCLUSIVE("inconclusive"),

    /** The bug cannot show on this build or with these settings. */
    NOT_APPLICABLE("not-applicable"),

    /** Something broke. */
    ERROR("error");

    final String word;

    Outcome(String word) {
        this.word = word;
    }
}
