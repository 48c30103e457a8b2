# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a cell show, in the few words of a line?"""

from jdkmatrix.vocabulary import Grade, Outcome

# What an outcome is called for a test that is not a reproducer.
SUITE_WORDS: dict[str, str] = {Outcome.REPRODUCED: "failed", Outcome.NOT_REPRODUCED: "passed"}
_AS_EXPECTED = {
    Outcome.REPRODUCED: "ok  bug present, as expected",
    Outcome.NOT_REPRODUCED: "ok  bug absent, as expected",
}
_SYMPTOMS = {
    Outcome.REPRODUCED: "bug present",
    Outcome.NOT_REPRODUCED: "bug absent",
}
_UNTRIED = {Grade.SKIPPED: "--  not applicable", Grade.SILENCED: "--  not testable"}


def cell_verdict(
    outcome: Outcome, grade: Grade, *, has_rows: bool = False, is_suite: bool = False
) -> str:
    """What a cell shows, as a line of the console has it: `ok  bug present, as expected`,
    `regression: bug present`. `is_suite`: it is a test of the user's own.
    """
    if is_suite:
        return SUITE_WORDS.get(outcome, outcome)
    if grade in _UNTRIED:
        return _UNTRIED[grade]
    if has_rows:
        return "ok  rows as expected" if grade is Grade.AS_EXPECTED else grade
    if grade is Grade.AS_EXPECTED:
        return _AS_EXPECTED.get(outcome, f"ok  {outcome}")
    symptom = _SYMPTOMS.get(outcome)
    if grade is Grade.RECORDED:
        return f"--  {symptom or outcome}"
    return f"{grade}: {symptom}" if symptom else grade
