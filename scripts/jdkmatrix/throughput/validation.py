# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is the verdict on the build of a `matrix validate`, in one word and one sentence?"""

from collections.abc import Iterator

from jdkmatrix.plan.expectation import Expectation
from jdkmatrix.report.results import Results
from jdkmatrix.report.throughput_results import ValidationResult
from jdkmatrix.report.words import counts
from jdkmatrix.verdict.validation import Speed, Verdict, most_loss, validate


def validation_of(results: Results, build: str, baseline: str) -> ValidationResult:
    """Judge a run's results."""
    verdict = validate(
        [cell.grade for cell in results.cells],
        len(results.flagged),
        [speed for speed, _ in _speeds(results)],
    )
    if not results.complete:
        verdict = Verdict.BAD if verdict is Verdict.BAD else Verdict.UNDECIDED
    return ValidationResult(
        build=build, baseline=baseline, verdict=verdict, reason=_reason(results, baseline)
    )


def _speeds(results: Results) -> Iterator[tuple[Speed, str]]:
    """Each graded figure, and the cell's name."""
    for one in results.throughput:
        expected = one.expectation is Expectation.AFFECTED
        for figure in one.figures:
            loss = most_loss(figure.ci95, higher_is_better=figure.higher_is_better)
            yield Speed(figure.grade, expected, loss), f"{one.scenario} {figure.metric}"


def _reason(results: Results, baseline: str) -> str:
    parts = [f"reproducers: {counts(results.cells) or 'none was run'}"]
    if results.flagged:
        parts.append(f"{len(results.flagged)} flagged by their recordings")
    slower = [f"{one.scenario} ({one.reason})" for one in results.slowdowns]
    if slower:
        parts.append(f"slower than {baseline}: {' '.join(slower)}")
    losses = [(speed.most_loss, name) for speed, name in _speeds(results)]
    known = [(loss, name) for loss, name in losses if loss is not None]
    if known:
        worst, name = max(known)
        told = f"at 95 % no figure is worse than {baseline}'s by more than {worst:.0%}"
        parts.append(f"{told} ({name})")
    if len(known) < len(losses) or not losses:
        parts.append(f"{len(losses) - len(known)} of {len(losses)} figures could not be compared")
    return "; ".join(parts) + "."
