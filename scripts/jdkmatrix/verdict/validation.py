# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a new build good? A verdict on each topic, and the gravest of them. Pure."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jdkmatrix.verdict.ratio import LEAST_BLOCKS_EARLY, MINIMUM_EFFECT, reach
from jdkmatrix.vocabulary import Grade, SpeedGrade, Verdict

# "Good" excludes such a loss at 95 % for each figure that is asked: requests/s, which show waiting
# that costs no CPU time (a lock, a sleep, a time-out), and CPU time per request, which shows work
# and hardly depends on what else the machine does. Neither can stand for the other.
MOST_LOSS = 0.25
# Of the rate at which a service answers. Other work moves it, so that excluding less would take too
# many blocks; what its interval shows to be slower is slower, however little.
MOST_WAITING_LOSS = 0.75
# Of counts: what a request allocates, and what it sends.
MOST_COUNT_LOSS = 0.1
# Nobody waits for more, on the word of the two or three blocks that showed the scatter.
MOST_BLOCKS = 20


# The smallest and the largest loss that a 95 % interval allows, as shares of the baseline; for a
# cost, the increase. Below 0 it is a gain.
Loss = tuple[float, float]


@dataclass(frozen=True)
class Speed:
    """One figure of the new build. `loss` is None without an interval.

    `most_loss` is the loss that must be excluded, None if none must.
    """

    grade: SpeedGrade
    expected: bool
    loss: Loss | None
    most_loss: float | None = MOST_LOSS


def loss_of(ci95: tuple[float, float] | None, *, higher_is_better: bool) -> Loss | None:
    """The bounds of a loss, from the 95 % interval of the ratio to the baseline."""
    if ci95 is None:
        return None
    low, high = ci95
    return (1 - high, 1 - low) if higher_is_better else (low - 1, high - 1)


def is_decided(grade: SpeedGrade, loss: Loss | None, most_loss: float | None = MOST_LOSS) -> bool:
    """Whether a figure is slower, or its loss is surely below `most_loss` and may be negligible.

    One that surely lost more than the minimum effect, yet not more than the baseline differs from
    itself, is undecided.
    """
    if grade is SpeedGrade.SLOWER or most_loss is None:
        return True
    return loss is not None and loss[0] <= MINIMUM_EFFECT and loss[1] < most_loss


def grade_by_limit(grade: SpeedGrade, loss: Loss | None, most_loss: float | None) -> SpeedGrade:
    """The grade that answers a validation: `within-limit` in place of `inconclusive` if the loss
    is surely below `most_loss`.
    """
    is_within = most_loss is not None and is_decided(grade, loss, most_loss)
    return SpeedGrade.WITHIN_LIMIT if grade is SpeedGrade.INCONCLUSIVE and is_within else grade


def blocks_to_decide(
    grade: SpeedGrade,
    ci95: tuple[float, float] | None,
    blocks: int,
    *,
    higher_is_better: bool,
    most_loss: float | None = MOST_LOSS,
) -> int | None:
    """How many blocks in total decide a figure that has this grade and interval after `blocks`.

    `blocks` if it is decided already, otherwise as many as an equal build with the same scatter
    would take. None if not even MOST_BLOCKS would do.
    """
    loss = loss_of(ci95, higher_is_better=higher_is_better)
    if most_loss is None or is_decided(grade, loss, most_loss):
        return blocks
    if ci95 is None:
        return blocks + 1
    limit = -math.log1p(-most_loss) if higher_is_better else math.log1p(most_loss)
    enough = (n for n in range(blocks + 1, MOST_BLOCKS + 1) if reach(ci95, blocks, n) < limit)
    return next(enough, None)


def blocks_to_confirm(grade: SpeedGrade, loss: Loss | None, blocks: int) -> int:
    """How many blocks in total it takes to believe this grade.

    A slow-down that may be small needs as many as one that ends a run early: three blocks showed
    handshakes of 21.0.13 to cost 6 to 10 % more than those of 21.0.8, where ten blocks show 3 %.
    """
    is_small = loss is not None and loss[0] <= MOST_LOSS
    wants_more = grade is SpeedGrade.SLOWER and is_small
    return max(blocks, LEAST_BLOCKS_EARLY) if wants_more else blocks


def of_cells(cells: Sequence[Grade], objections: int) -> Verdict:
    """`bad` for a regression or a JVM that broke, `undecided` if something has no answer, or
    nothing has one.

    `objections` counts what speaks against the build without being a regression: flagged cells, and
    flaky cells of bugs that it must not have.
    """
    if not {Grade.REGRESSION, Grade.BROKE}.isdisjoint(cells) or objections:
        return Verdict.BAD
    no_answer = {Grade.FLAKY, Grade.INCONCLUSIVE, Grade.ERROR, Grade.UNEXPECTED_FIX}
    is_good = Grade.AS_EXPECTED in cells and no_answer.isdisjoint(cells)
    return Verdict.GOOD if is_good else Verdict.UNDECIDED


def of_speeds(comparisons: Sequence[Sequence[Speed]]) -> Verdict:
    """`bad` for a slower figure that no known bug explains; `undecided` for an open one, and if
    all comparisons have one: a bug that may explain a loss does not make up for that.
    """
    speeds = [speed for figures in comparisons for speed in figures]
    unexplained_figures = [speed for speed in speeds if not speed.expected]
    if any(speed.grade is SpeedGrade.SLOWER for speed in unexplained_figures):
        return Verdict.BAD
    is_answered = not all(any(map(is_open, figures)) for figures in comparisons)
    is_good = is_answered and not any(map(is_open, unexplained_figures))
    return Verdict.GOOD if is_good else Verdict.UNDECIDED


def is_open(speed: Speed) -> bool:
    """Whether it has no answer yet."""
    return not is_decided(speed.grade, speed.loss, speed.most_loss)


def gravest(verdicts: Iterable[Verdict]) -> Verdict:
    """The gravest of the verdicts on each topic; `undecided` without any."""
    distinct = set(verdicts)
    gravity_order = (Verdict.BAD, Verdict.UNDECIDED, Verdict.GOOD)
    return next((verdict for verdict in gravity_order if verdict in distinct), Verdict.UNDECIDED)
