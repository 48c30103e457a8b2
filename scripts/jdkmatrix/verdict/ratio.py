# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a build slower than the baseline, by more than the baseline differs from itself?

Pure. A block holds one sample of each arm, one after the other or in turns, so that what the
machine does to all of them cancels in the ratio. Both samples of the baseline count: a build's log
ratio is to their geometric mean, the control's to the other baseline sample. The means of these
logs get Student's t intervals.

The scatter of one sample is estimated from both the control's log ratios, whose true mean is 0, and
the build's: n blocks give 2 n - 1 degrees of freedom, where the build's ratios alone give n - 1.
With two blocks an interval then extends 3.2 standard errors to each side, not 12.7. A build may
scatter more than the baseline; if its own ratios do, their scatter is used.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean

from jdkmatrix.verdict.student import t_quantile
from jdkmatrix.vocabulary import SpeedGrade

MINIMUM_EFFECT = 0.05
# Of counts, which scatter a tenth as much: less is not told from the choices of the compiler.
MINIMUM_COUNT_EFFECT = 0.02
CONFIDENCE = 0.95
# A look after each block makes many looks, so ending a run early takes a wider interval than
# grading. At 0.99, of runs with 40 comparisons of a build with itself, fewer than one in ten has
# two that are graded slower or faster (test_ratio_simulated.py).
EARLY_CONFIDENCE = 0.99
# Two blocks have an interval, but a single odd sample makes or breaks it.
LEAST_BLOCKS = 2
LEAST_BLOCKS_EARLY = 4

# Variances of log ratios, in units of one sample's: a build's (its own sample's, and that of the
# mean of two baseline samples), and the control's (one sample less another).
_VARIANCES_OF_RATIO = 1.5
_VARIANCES_OF_CONTROL = 2.0

Interval = tuple[float, float]


@dataclass(frozen=True)
class Triple:
    """One figure of one block: baseline, baseline again, and the build. All above 0."""

    baseline: float
    control: float
    subject: float


@dataclass(frozen=True)
class RatioVerdict:
    """Ratios to the baseline with 95 % intervals, None with fewer than two blocks.

    `ratio` is the build's figure divided by the baseline's, `control` the interval of the baseline
    against itself. `smallest_loss` is the smallest that would have been graded `slower`, as a share
    of the baseline's figure, with the scatter of these blocks.
    """

    ratio: float | None
    ci95: Interval | None
    control_ratio: float | None
    control: Interval | None
    grade: SpeedGrade
    smallest_loss: float | None = None


def judge(
    triples: Sequence[Triple],
    *,
    higher_is_better: bool,
    minimum_effect: float = MINIMUM_EFFECT,
) -> RatioVerdict:
    """Grade one figure of one build.

    `slower` and `faster` need the whole interval beyond the control's and beyond the minimum
    effect, `no-change` the whole interval within the minimum effect.
    """
    logs, control_logs = _logs(triples)
    interval, control = _intervals(logs, control_logs, CONFIDENCE)
    return RatioVerdict(
        ratio=_exp_mean(logs),
        ci95=_exp(interval),
        control_ratio=_exp_mean(control_logs),
        control=_exp(control),
        grade=_grade(interval, control, higher_is_better, minimum_effect),
        smallest_loss=_smallest_loss(interval, control, higher_is_better, minimum_effect),
    )


def _smallest_loss(
    interval: Interval | None,
    control: Interval | None,
    higher_is_better: bool,
    minimum_effect: float,
) -> float | None:
    """What a build must have lost for its interval, as wide as it is, to lie beyond the minimum
    effect and the control's interval, if that is about 1.
    """
    if interval is None or control is None:
        return None
    log = max(math.log1p(minimum_effect), _half(control)) + _half(interval)
    return -math.expm1(-log) if higher_is_better else math.expm1(log)


def _half(interval: Interval) -> float:
    return (interval[1] - interval[0]) / 2


def early_grade(
    triples: Sequence[Triple],
    *,
    higher_is_better: bool,
    minimum_effect: float = MINIMUM_EFFECT,
) -> SpeedGrade:
    """The grade that more blocks would hardly change; `inconclusive` if they might."""
    if len(triples) < LEAST_BLOCKS_EARLY:
        return SpeedGrade.INCONCLUSIVE
    interval, control = _intervals(*_logs(triples), EARLY_CONFIDENCE)
    return _grade(interval, control, higher_is_better, minimum_effect)


def is_settled(figures: Sequence[SpeedGrade]) -> bool:
    """Whether a build whose figures have these early grades needs no more blocks.

    One figure that is slower makes the build slower, whatever becomes of the others.
    """
    return SpeedGrade.SLOWER in figures or SpeedGrade.INCONCLUSIVE not in figures


def reach(ci95: Interval, blocks: int, later: int) -> float:
    """How far from 1, as a log, the interval of an equal build reaches after `later` blocks.

    Assumes that samples scatter as in these `blocks`, and that the mean is off by its standard
    error: in five of six cases the interval reaches no farther.
    """
    low, high = map(math.log, ci95)
    error = (high - low) / 2 / _quantile(blocks, CONFIDENCE) * math.sqrt(blocks / later)
    return error * (1 + _quantile(later, CONFIDENCE))


def block_ratios(triples: Sequence[Triple]) -> list[float]:
    """The build's ratio to the baseline in each block; the mean is taken of these."""
    return [math.exp(log) for log in _logs(triples)[0]]


def _logs(triples: Sequence[Triple]) -> tuple[list[float], list[float]]:
    """The log ratios of each block: the build's, and the control's."""
    logs = [
        math.log(triple.subject) - (math.log(triple.baseline) + math.log(triple.control)) / 2
        for triple in triples
    ]
    return logs, [math.log(triple.control) - math.log(triple.baseline) for triple in triples]


def _grade(
    interval: Interval | None,
    control: Interval | None,
    higher_is_better: bool,
    minimum_effect: float,
) -> SpeedGrade:
    if interval is None or control is None:
        return SpeedGrade.INCONCLUSIVE
    effect = math.log1p(minimum_effect)
    low, high = interval
    if low > max(effect, control[1]):
        return SpeedGrade.FASTER if higher_is_better else SpeedGrade.SLOWER
    if high < min(-effect, control[0]):
        return SpeedGrade.SLOWER if higher_is_better else SpeedGrade.FASTER
    if -effect < low and high < effect:
        return SpeedGrade.NO_CHANGE
    return SpeedGrade.INCONCLUSIVE


def _intervals(
    logs: Sequence[float], control_logs: Sequence[float], confidence: float
) -> tuple[Interval | None, Interval | None]:
    """Student's t intervals of both means; None with too few blocks.

    They are too narrow for a build that scatters three times as much as its baseline: of 95 %
    intervals, 12 % miss with two blocks, 9 % with four. The control's, beyond which a grade must
    be, keeps wrong grades to 2.4 % there. (Simulated, 4 % noise, 3,000 runs.)
    """
    blocks = len(logs)
    if blocks < LEAST_BLOCKS:
        return None, None
    # Variances of one sample: a build's ratio has its own and half that of a baseline's sample.
    own_variance = _variance(logs) / _VARIANCES_OF_RATIO
    control_squares = sum(log * log for log in control_logs) / _VARIANCES_OF_CONTROL
    pooled_variance = (control_squares + (blocks - 1) * own_variance) / _freedom(blocks)
    own_control = _variance(control_logs) / _VARIANCES_OF_CONTROL
    scale = _quantile(blocks, confidence) / math.sqrt(blocks)
    return (
        _make_interval(
            fmean(logs), scale * math.sqrt(max(own_variance, pooled_variance) * _VARIANCES_OF_RATIO)
        ),
        _make_interval(
            fmean(control_logs),
            scale * math.sqrt(max(own_control, pooled_variance) * _VARIANCES_OF_CONTROL),
        ),
    )


def _variance(numbers: Sequence[float]) -> float:
    """The sample variance; ten times as fast as the exact one of `statistics`."""
    middle = fmean(numbers)
    return sum((number - middle) ** 2 for number in numbers) / (len(numbers) - 1)


def _freedom(blocks: int) -> int:
    """Degrees of freedom of the scatter: n of the control's ratios, n - 1 of the build's."""
    return 2 * blocks - 1


@cache
def _quantile(blocks: int, confidence: float) -> float:
    """Student's t: how many standard errors an interval extends to each side."""
    return t_quantile(_freedom(blocks), (1 + confidence) / 2)


def _make_interval(middle: float, half: float) -> Interval:
    return middle - half, middle + half


def _exp_mean(logs: Sequence[float]) -> float | None:
    return math.exp(fmean(logs)) if logs else None


def _exp(interval: Interval | None) -> Interval | None:
    return None if interval is None else (math.exp(interval[0]), math.exp(interval[1]))
