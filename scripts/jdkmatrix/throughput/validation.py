# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is the verdict on the build of a `matrix validate`, in one word and one sentence?"""

from collections.abc import Iterator

from jdkmatrix.plan.expectation import Expectation
from jdkmatrix.report.results import BuildFaultKind, Results
from jdkmatrix.report.throughput_results import ValidationResult
from jdkmatrix.report.words import counts
from jdkmatrix.verdict.grade import Grade
from jdkmatrix.verdict.ratio import MINIMUM_EFFECT, SpeedGrade
from jdkmatrix.verdict.validation import Speed, Verdict, loss_of, validate


def validation_of(results: Results, build: str, baseline: str) -> ValidationResult:
    """Judge a run's results."""
    kinds = [fault.kind for fault in results.build_faults if fault.build == build]
    # A symptom that came and went is no good build; where the bug is expected, it is no worse one.
    wavering = [
        cell
        for cell in results.cells
        if cell.grade is Grade.FLAKY and cell.expectation is not Expectation.AFFECTED
    ]
    broken = sum(kind is BuildFaultKind.BROKEN_PROMISE for kind in kinds)
    verdict = validate(
        [cell.grade for cell in results.cells],
        len(results.flagged) + len(wavering) + broken,
        [speed for speed, _ in _speeds(results)],
    )
    if not results.complete or BuildFaultKind.REPLACED in kinds:
        verdict = Verdict.BAD if verdict is Verdict.BAD else Verdict.UNDECIDED
    return ValidationResult(
        build=build, baseline=baseline, verdict=verdict, reason=_reason(results, baseline)
    )


def _speeds(results: Results) -> Iterator[tuple[Speed, str]]:
    """Each graded figure, and the cell's name."""
    for one in results.throughput:
        for figure in one.figures:
            loss = loss_of(figure.ci95, higher_is_better=figure.higher_is_better)
            yield Speed(figure.grade, one.may_be_slower, loss), f"{one.scenario} {figure.metric}"


def _reason(results: Results, baseline: str) -> str:
    parts = [fault.sentence.rstrip(".") for fault in results.build_faults]
    parts += [f"reproducers: {counts(results.cells) or 'none was run'}"]
    if results.flagged:
        parts.append(f"{len(results.flagged)} flagged by their recordings")
    slower = [f"{one.scenario} ({one.reason})" for one in results.slowdowns]
    if slower:
        parts.append(f"slower than {baseline}: {' '.join(slower)}")
    losses = [(speed.loss, name) for speed, name in _speeds(results)]
    known = [(max(0.0, loss[1]), name) for loss, name in losses if loss is not None]
    if known:
        worst, name = max(known)
        told = f"at 95 % no figure is worse than {baseline}'s by more than {worst:.0%}"
        parts.append(f"{told} ({name})")
    for speed, name in _speeds(results):
        if speed.loss and speed.loss[0] > MINIMUM_EFFECT and speed.grade is not SpeedGrade.SLOWER:
            told = f"{name} is worse by {speed.loss[0]:.0%} or more, and the A/A interval as wide"
            parts.append(told)
    if len(known) < len(losses) or not losses:
        parts.append(f"{len(losses) - len(known)} of {len(losses)} figures could not be compared")
    return "; ".join(parts) + "."
