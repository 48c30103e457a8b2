# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a build slower than the baseline, by more than the baseline differs from itself?

Pure. A block holds one sample of each arm, one after the other or in turns, so what the machine
does to all of them cancels in the ratio. Both samples of the baseline count: a build's log ratio is
to their geometric mean, the control's to the other one. The means of these logs get Student's
interval.

How much one sample scatters is known from both, the control's ratios, whose true mean is 0, and the
build's: n blocks give 2 n - 1 degrees of freedom, where the build's ratios alone give n - 1. With
two blocks an interval is then 3.2 standard errors wide to each side, not 12.7. A build may scatter
more than the baseline does, so where its own ratios do, theirs counts.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean

from jdkmatrix.vocabulary import SpeedGrade

MINIMUM_EFFECT = 0.05
CONFIDENCE = 0.95
# A look after each block is many looks: to end a run early takes a wider interval than a grade
# does. At 0.99, of 40 comparisons of a build with itself fewer than one in ten runs has two that
# are graded slower or faster (test_ratio_simulated.py).
EARLY_CONFIDENCE = 0.99
# Two blocks have an interval, but one that a single odd sample makes or breaks.
LEAST_BLOCKS = 2
LEAST_BLOCKS_EARLY = 4

# Variances of one sample in a build's log ratio (its own, and that of the mean of two samples of
# the baseline), and in the control's (one sample less another).
_VARIANCES_OF_RATIO = 1.5
_VARIANCES_OF_CONTROL = 2.0

Interval = tuple[float, float]


@dataclass(frozen=True)
class Triple:
    """One figure of one block: baseline, baseline again, and the build. Above 0."""

    baseline: float
    control: float
    subject: float


@dataclass(frozen=True)
class RatioVerdict:
    """Ratios to the baseline with 95 % intervals, None with fewer than two blocks.

    `ratio` is the build's figure divided by the baseline's, `control` the interval of the baseline
    against itself.
    """

    ratio: float | None
    ci95: Interval | None
    control_ratio: float | None
    control: Interval | None
    grade: SpeedGrade


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
    )


def early_grade(
    triples: Sequence[Triple],
    *,
    higher_is_better: bool,
    minimum_effect: float = MINIMUM_EFFECT,
) -> SpeedGrade:
    """The grade that more blocks would hardly change; `inconclusive` where they may."""
    if len(triples) < LEAST_BLOCKS_EARLY:
        return SpeedGrade.INCONCLUSIVE
    interval, control = _intervals(*_logs(triples), EARLY_CONFIDENCE)
    return _grade(interval, control, higher_is_better, minimum_effect)


def is_settled(figures: Sequence[SpeedGrade]) -> bool:
    """Need no more blocks be run of a build whose figures have these early grades?

    One figure that is slower makes the build slower, whatever becomes of the others.
    """
    return SpeedGrade.SLOWER in figures or SpeedGrade.INCONCLUSIVE not in figures


def reach(ci95: Interval, blocks: int, later: int) -> float:
    """How far from even, as a log, does the interval of an equal build reach after `later` blocks?

    Taken that samples scatter as they did in these `blocks`: in five of six cases no farther, as
    the mean is off by its standard error then.
    """
    low, high = map(math.log, ci95)
    error = (high - low) / 2 / _quantile(blocks, CONFIDENCE) * math.sqrt(blocks / later)
    return error * (1 + _quantile(later, CONFIDENCE))


def block_ratios(triples: Sequence[Triple]) -> list[float]:
    """Of each block the build's ratio to the baseline: what the mean is taken of."""
    return [math.exp(log) for log in _logs(triples)[0]]


def _logs(triples: Sequence[Triple]) -> tuple[list[float], list[float]]:
    """Of each block the build's log ratio, and the control's."""
    logs = [
        math.log(one.subject) - (math.log(one.baseline) + math.log(one.control)) / 2
        for one in triples
    ]
    return logs, [math.log(one.control) - math.log(one.baseline) for one in triples]


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
    """Student's intervals of both means; None with too few blocks.

    Where a build scatters three times as much as its baseline they are too narrow: 12 % of those
    that are to hold 95 % miss at two blocks, 9 % at four. The control's, beyond which a grade must
    be, keeps wrong grades to 2.4 % there. (Simulated, 4 % noise, 3,000 runs.)
    """
    blocks = len(logs)
    if blocks < LEAST_BLOCKS:
        return None, None
    # Of one sample: a build's ratio has its own variance and half that of a baseline's sample.
    own = _variance(logs) / _VARIANCES_OF_RATIO
    shown = sum(log * log for log in control_logs) / _VARIANCES_OF_CONTROL
    pooled = (shown + (blocks - 1) * own) / _freedom(blocks)
    own_control = _variance(control_logs) / _VARIANCES_OF_CONTROL
    scale = _quantile(blocks, confidence) / math.sqrt(blocks)
    return (
        _around(fmean(logs), scale * math.sqrt(max(own, pooled) * _VARIANCES_OF_RATIO)),
        _around(
            fmean(control_logs), scale * math.sqrt(max(own_control, pooled) * _VARIANCES_OF_CONTROL)
        ),
    )


def _variance(values: Sequence[float]) -> float:
    """Of a sample; ten times as fast as the exact one of `statistics`."""
    middle = fmean(values)
    return sum((value - middle) ** 2 for value in values) / (len(values) - 1)


def _freedom(blocks: int) -> int:
    """Degrees of freedom of the scatter: each block's control, and the build's ratios' own."""
    return 2 * blocks - 1


@cache
def _quantile(blocks: int, confidence: float) -> float:
    """How many standard errors an interval is wide to each side: Student's t."""
    from scipy.special import stdtrit  # 0.2 s that commands without a comparison need not pay

    return float(stdtrit(_freedom(blocks), (1 + confidence) / 2))


def _around(middle: float, half: float) -> Interval:
    return middle - half, middle + half


def _exp_mean(logs: Sequence[float]) -> float | None:
    return math.exp(fmean(logs)) if logs else None


def _exp(interval: Interval | None) -> Interval | None:
    return None if interval is None else (math.exp(interval[0]), math.exp(interval[1]))
