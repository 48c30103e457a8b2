# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A surprise counts where every attempt with a verdict shows it; what differs is flaky."""

from itertools import product

import pytest

from jdkmatrix.verdict.attempts import MOST_ATTEMPTS, Attempt, combine_attempts
from jdkmatrix.verdict.grade import grade
from jdkmatrix.vocabulary import Expectation, Grade, Outcome
from jdkmatrix.words.certainty import confirmation

# R reproduced, N not-reproduced, A not-applicable, ? inconclusive, T an error, E an error as
# the JVM broke; W reproduced by a control too.
OUTCOMES = {
    "R": Outcome.REPRODUCED,
    "W": Outcome.REPRODUCED,
    "N": Outcome.NOT_REPRODUCED,
    "A": Outcome.NOT_APPLICABLE,
    "?": Outcome.INCONCLUSIVE,
    "T": Outcome.ERROR,
    "E": Outcome.ERROR,
}


def attempts(letters: str, expectation: str, flags: str = "") -> list[Attempt]:
    """`flags` has + for a flagged attempt, - for one that is not; none was recorded without."""
    return [
        Attempt(
            outcome=OUTCOMES[letter],
            grade=grade(
                OUTCOMES[letter],
                Expectation(expectation),
                is_wider=letter == "W",
                has_broken=letter == "E",
            ),
            flag={"+": True, "-": False}.get(flags[n : n + 1]),
        )
        for n, letter in enumerate(letters)
    ]


@pytest.mark.parametrize(
    ("expectation", "letters", "outcome", "expected_grade", "wants_another", "sentence"),
    [
        ("fixed", "N", "not-reproduced", "as-expected", False, None),
        ("affected", "R", "reproduced", "as-expected", False, None),
        ("unknown", "R", "reproduced", "recorded", False, None),
        ("fixed", "A", "not-applicable", "skipped", False, None),
        # a surprise, and what becomes of it
        ("fixed", "R", "reproduced", "regression", True, "One attempt, not confirmed."),
        ("fixed", "RR", "reproduced", "regression", True, "Reproduced in 2 of 2 attempts."),
        ("fixed", "RRR", "reproduced", "regression", False, "Reproduced in 3 of 3 attempts."),
        ("fixed", "WRW", "reproduced", "regression", False, "Reproduced in 3 of 3 attempts."),
        (
            "fixed",
            "RN",
            "reproduced",
            "flaky",
            False,
            "Reproduced in 1 of 2 attempts, not-reproduced in 1: flaky.",
        ),
        (
            "fixed",
            "RRN",
            "reproduced",
            "flaky",
            False,
            "Reproduced in 2 of 3 attempts, not-reproduced in 1: flaky.",
        ),
        (
            "affected",
            "NNN",
            "not-reproduced",
            "unexpected-fix",
            False,
            "Not-reproduced in 3 of 3 attempts.",
        ),
        (
            "affected",
            "NR",
            "not-reproduced",
            "flaky",
            False,
            "Not-reproduced in 1 of 2 attempts, reproduced in 1: flaky.",
        ),
        # attempts without a verdict
        ("fixed", "?", "inconclusive", "inconclusive", True, "One attempt, not confirmed."),
        (
            "fixed",
            "?N",
            "not-reproduced",
            "as-expected",
            False,
            "Not-reproduced in 1 of 2 attempts, 1 without a verdict.",
        ),
        (
            "fixed",
            "TTN",
            "not-reproduced",
            "as-expected",
            False,
            "Not-reproduced in 1 of 3 attempts, 2 without a verdict.",
        ),
        (
            "affected",
            "WR",
            "reproduced",
            "as-expected",
            False,
            "Reproduced in 1 of 2 attempts, 1 without a verdict.",
        ),
        (
            "fixed",
            "?R",
            "inconclusive",
            "inconclusive",
            True,
            "Reproduced in 1 of 2 attempts, 1 without a verdict: not confirmed.",
        ),
        (
            "fixed",
            "?RR",
            "reproduced",
            "regression",
            False,
            "Reproduced in 2 of 3 attempts, 1 without a verdict.",
        ),
        (
            "fixed",
            "R??",
            "inconclusive",
            "inconclusive",
            False,
            "Reproduced in 1 of 3 attempts, 2 without a verdict: not confirmed.",
        ),
        (
            "fixed",
            "R?N",
            "reproduced",
            "flaky",
            False,
            "Reproduced in 1 of 3 attempts, not-reproduced in 1, 1 without a verdict: flaky.",
        ),
        ("fixed", "?T?", "inconclusive", "inconclusive", False, "No verdict in 3 of 3 attempts."),
        ("fixed", "T??", "error", "error", False, "No verdict in 3 of 3 attempts."),
        ("affected", "WWW", "reproduced", "inconclusive", False, "No verdict in 3 of 3 attempts."),
        # a JVM that broke, and again when asked again
        ("fixed", "E", "error", "broke", True, "One attempt, not confirmed."),
        ("fixed", "EEE", "error", "broke", False, "Error in 3 of 3 attempts."),
        ("affected", "EEE", "error", "broke", False, "Error in 3 of 3 attempts."),
        (
            "fixed",
            "EET",
            "error",
            "broke",
            False,
            "Error in 2 of 3 attempts, 1 without a verdict.",
        ),
        (
            "fixed",
            "ETT",
            "inconclusive",
            "inconclusive",
            False,
            "Error in 1 of 3 attempts, 2 without a verdict: not confirmed.",
        ),
        (
            "fixed",
            "TN",
            "not-reproduced",
            "as-expected",
            False,
            "Not-reproduced in 1 of 2 attempts, 1 without a verdict.",
        ),
        (
            "fixed",
            "EN",
            "error",
            "flaky",
            False,
            "Error in 1 of 2 attempts, not-reproduced in 1: flaky.",
        ),
        (
            "fixed",
            "?E",
            "error",
            "flaky",
            False,
            "Error in 1 of 2 attempts, 1 without a verdict: flaky.",
        ),
    ],
)
def test_table(
    expectation: str,
    letters: str,
    outcome: str,
    expected_grade: str,
    wants_another: bool,
    sentence: str | None,
) -> None:
    attempt_list = attempts(letters, expectation)
    summary = combine_attempts(attempt_list)
    assert (summary.outcome, summary.grade, summary.wants_another) == (
        outcome,
        expected_grade,
        wants_another,
    )
    assert confirmation(attempt_list, summary) == sentence


@pytest.mark.parametrize(
    ("letters", "flags", "wants_another", "sentence"),
    [
        ("N", "-", False, None),
        ("N", "+", True, "One attempt, not confirmed."),
        ("NN", "++", True, "Not-reproduced in 2 of 2 attempts. Flagged in 2 of 2."),
        ("NNN", "+++", False, "Not-reproduced in 3 of 3 attempts. Flagged in 3 of 3."),
        ("NN", "+-", False, "Not-reproduced in 2 of 2 attempts. Flagged in 1 of 2."),
        ("NN", " +", True, "Not-reproduced in 2 of 2 attempts. Flagged in 1 of the 1 recorded."),
        ("NR", "+-", False, "Not-reproduced in 1 of 2 attempts, reproduced in 1: flaky."),
    ],
)
def test_flags(letters: str, flags: str, wants_another: bool, sentence: str | None) -> None:
    attempt_list = attempts(letters, "fixed", flags)
    summary = combine_attempts(attempt_list)
    assert summary.wants_another is wants_another
    text = confirmation(attempt_list, summary)
    assert (text or "").startswith(sentence or "")
    assert (text is None) == (sentence is None)


@pytest.mark.parametrize(
    ("letters", "flags", "representative"),
    [
        ("RRR", "", 0),
        ("RRR", " --", 1),  # the first was not recorded: one that was says why
        ("?RR", "  -", 2),
        ("RN", " -", 0),  # the surprise of the two
        ("NNN", "-++", 1),
        ("R??", " --", 0),
        ("?N", " -", 1),
        ("??", " -", 0),
    ],
)
def test_the_attempt_whose_figures_stand_for_all(
    letters: str, flags: str, representative: int
) -> None:
    assert combine_attempts(attempts(letters, "fixed", flags)).representative == representative


@pytest.mark.parametrize("expectation", [expectation.value for expectation in Expectation])
def test_no_attempt_is_left_out_that_could_change_the_answer(expectation: str) -> None:
    for letters in map("".join, product(OUTCOMES, repeat=MOST_ATTEMPTS)):
        summaries = [combine_attempts(attempts(letters[:n], expectation)) for n in (1, 2, 3)]
        assert not summaries[2].wants_another
        assert (summaries[0].grade.is_surprise) == summaries[
            0
        ].wants_another  # expected cells run once
        if summaries[1].grade is Grade.FLAKY:
            assert summaries[2].grade is Grade.FLAKY
        elif summaries[1].grade.is_surprise:
            assert summaries[1].wants_another
        verdicts = {OUTCOMES[letter] for letter in letters if letter in "RNA"}
        if len(verdicts) > 1 and expectation == "fixed":
            assert summaries[2].grade is Grade.FLAKY  # never swallowed
