# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Graded comparisons that nobody ran."""

from jdkmatrix.results.speed import FigureResult, ThroughputResult
from jdkmatrix.vocabulary import Expectation, Layer, Metric, SpeedGrade


def make_comparison(
    ratio: float | None,
    spread: float = 1.1,
    grade: SpeedGrade = SpeedGrade.SLOWER,
    metric: Metric = Metric.REQUESTS_PER_S,
    build: str = "temurin-17.0.7+7",
) -> ThroughputResult:
    """A build's ratio to the baseline; its interval reaches from ratio/spread to ratio*spread."""
    ci95 = None if ratio is None else (ratio / spread, ratio * spread)
    figure = FigureResult(
        metric=metric,
        higher_is_better=metric.higher_is_better,
        ratio=ratio,
        ci95=ci95,
        control_ratio=1.0,
        control=(0.9, 1.1),
        median=None,
        baseline_median=None,
        grade=grade,
    )
    return ThroughputResult(
        scenario="neighbour",
        client="https-url-connection",
        layer=Layer.HTTP_URL_CONNECTION,
        build=build,
        baseline="temurin-17.0.9+9",
        metric=metric,
        ratio=ratio,
        ci95=ci95,
        control=(0.9, 1.1),
        blocks=4,
        blocks_wanted=4,
        minimum_effect=0.05,
        grade=grade,
        graded_by=metric,
        figures=(figure,),
        bugs=("JDK-8293562",),
        expectation=Expectation.UNKNOWN,
        baseline_expectation=Expectation.FIXED,
        reason=f"ratio {ratio}",
        rerun="",
    )
