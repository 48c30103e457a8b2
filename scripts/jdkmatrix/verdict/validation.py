# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a new build good? One verdict on its reproducers and its throughput. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from jdkmatrix.verdict.grade import Grade
from jdkmatrix.verdict.ratio import MINIMUM_EFFECT, SpeedGrade

# Ten minutes leave a few blocks, so an interval is wide. A build counts as quick enough only if
# every interval excludes this loss; what the intervals do exclude is told beside the verdict.
MOST_LOSS = 0.5


class Verdict(StrEnum):
    """The one word on a build."""

    GOOD = "good"
    BAD = "bad"
    UNDECIDED = "undecided"


# The least and the most that a 95 % interval allows to be lost, as shares of the baseline; of a
# cost, what comes on top. Below 0 it is a gain.
Loss = tuple[float, float]


@dataclass(frozen=True)
class Speed:
    """One figure of the new build. `loss` is None without an interval."""

    grade: SpeedGrade
    expected: bool
    loss: Loss | None


def loss_of(ci95: tuple[float, float] | None, *, higher_is_better: bool) -> Loss | None:
    """The bounds of a loss, from the 95 % interval of the ratio to the baseline."""
    if ci95 is None:
        return None
    low, high = ci95
    return (1 - high, 1 - low) if higher_is_better else (low - 1, high - 1)


def is_decided(grade: SpeedGrade, loss: Loss | None) -> bool:
    """Is a figure known to be slower, or neither to have lost much nor to have surely lost?

    One that lost more than the minimum effect, yet not more than the baseline differs from itself,
    is neither.
    """
    if grade is SpeedGrade.SLOWER:
        return True
    return loss is not None and loss[0] <= MINIMUM_EFFECT and loss[1] < MOST_LOSS


def validate(cells: Sequence[Grade], against: int, speeds: Sequence[Speed]) -> Verdict:
    """`bad` for anything that got worse, `undecided` if something has no answer.

    `against` counts what speaks against the build without being a regression: flagged cells, flaky
    ones of bugs that it must not have, and what it promises by its version and lacks.
    """
    if Grade.REGRESSION in cells or against:
        return Verdict.BAD
    if any(one.grade is SpeedGrade.SLOWER and not one.expected for one in speeds):
        return Verdict.BAD
    no_answer = {Grade.FLAKY, Grade.INCONCLUSIVE, Grade.ERROR, Grade.UNEXPECTED_FIX}
    open_cells = no_answer & set(cells)
    unknown = not all(one.expected or is_decided(one.grade, one.loss) for one in speeds)
    if open_cells or unknown or not cells or not speeds:
        return Verdict.UNDECIDED
    return Verdict.GOOD
