# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a new build good? One verdict on its reproducers and its throughput. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from jdkmatrix.verdict.grade import Grade
from jdkmatrix.verdict.ratio import SpeedGrade

# Ten minutes leave a few blocks, so an interval is wide. A build counts as quick enough only if
# every interval excludes this loss; what the intervals do exclude is told beside the verdict.
MOST_LOSS = 0.5


class Verdict(StrEnum):
    """The one word on a build."""

    GOOD = "good"
    BAD = "bad"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Speed:
    """One figure of the new build: `most_loss` is 0.2 where it may cost or lose 20 % at most."""

    grade: SpeedGrade
    expected: bool
    most_loss: float | None


def most_loss(ci95: tuple[float, float] | None, *, higher_is_better: bool) -> float | None:
    """The largest loss that the 95 % interval allows, as a share of the baseline; 0 at the least.

    Of a cost it is what comes on top; None without an interval.
    """
    if ci95 is None:
        return None
    low, high = ci95
    return max(0.0, 1 - low if higher_is_better else high - 1)


def is_decided(
    grade: SpeedGrade, ci95: tuple[float, float] | None, *, higher_is_better: bool
) -> bool:
    """Is a figure known to be slower, or not to have lost too much?"""
    loss = most_loss(ci95, higher_is_better=higher_is_better)
    return grade is SpeedGrade.SLOWER or (loss is not None and loss < MOST_LOSS)


def validate(cells: Sequence[Grade], flagged: int, speeds: Sequence[Speed]) -> Verdict:
    """`bad` for anything that got worse, `undecided` if something has no answer."""
    if Grade.REGRESSION in cells or flagged:
        return Verdict.BAD
    if any(one.grade is SpeedGrade.SLOWER and not one.expected for one in speeds):
        return Verdict.BAD
    open_cells = {Grade.INCONCLUSIVE, Grade.ERROR, Grade.UNEXPECTED_FIX} & set(cells)
    unknown = [one for one in speeds if one.most_loss is None or one.most_loss >= MOST_LOSS]
    unknown = [one for one in unknown if not one.expected]
    if open_cells or unknown or not cells or not speeds:
        return Verdict.UNDECIDED
    return Verdict.GOOD
