# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which cases are what was measured: comparisons, and the points of the law?"""

from collections.abc import Iterator

from jdkmatrix.results.case import Case, CaseFigure, CaseStatus
from jdkmatrix.results.document import Results
from jdkmatrix.results.speed import FigureResult, LawPoint, ThroughputResult
from jdkmatrix.vocabulary import SpeedGrade
from jdkmatrix.words.speed import number, parameters_of, sentences_of

COMPARISON = "comparison"
LAW_POINT = "law-point"


def comparisons_of(results: Results) -> Iterator[Case]:
    """A case for each comparison. Without a verdict it is skipped: it fails no run, but to call it
    passed would claim too much.
    """
    return map(_comparison, results.throughput)


def points_of(results: Results) -> Iterator[Case]:
    """A case for each point of a sweep."""
    return map(_point, results.law)


def _comparison(comparison: ThroughputResult) -> Case:
    if comparison.is_surprise:
        status = CaseStatus.FAILED
    elif comparison.stop_reason:
        status = CaseStatus.ERROR
    elif comparison.grade is SpeedGrade.INCONCLUSIVE:
        status = CaseStatus.SKIPPED
    else:
        status = CaseStatus.PASSED
    return Case(
        kind=COMPARISON,
        build=comparison.build,
        group="throughput",
        subject=f"{comparison.scenario} {comparison.client}",
        status=status,
        grade=comparison.grade,
        sentence=comparison.reason,
        evidence=tuple(sentences_of(comparison)),
        expectation=comparison.expectation,
        figures=tuple(filter(None, map(_figure, comparison.figures))),
        baseline=comparison.baseline,
        rerun=comparison.rerun,
        was_tried=bool(comparison.blocks),
    )


def _figure(figure: FigureResult) -> CaseFigure | None:
    """The ratio of build to baseline with its 95 % interval."""
    if figure.ratio is None:
        return None
    low, high = figure.ci95 or (None, None)
    return CaseFigure(name=f"{figure.metric}-ratio", amount=figure.ratio, low=low, high=high)


def _point(point: LawPoint) -> Case:
    rates = point.measured_requests_per_s
    sentence = f"{' and '.join(map(number, rates))} requests/s." if rates else "No sample counts."
    return Case(
        kind=LAW_POINT,
        build=point.build,
        group="law",
        subject=f"{point.scenario} {point.client} {parameters_of(point)}",
        status=CaseStatus.PASSED if rates else CaseStatus.ERROR,
        grade="measured" if rates else "not measured",
        sentence=sentence,
        evidence=point.lacks,
        expectation=point.expectation,
        was_tried=bool(rates),
    )
