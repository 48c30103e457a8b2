# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which cells does each of several machines run? Pure: the same cells give the same shards.

A plan stays in the order of its builds and is cut where the shards' expected seconds come out
alike, so that a machine fetches few of the builds.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from jdkmatrix.errors import UsageError

T = TypeVar("T")
_SHARD = re.compile(r"(?P<index>\d{1,4})/(?P<count>\d{1,4})")


@dataclass(frozen=True)
class Shard:
    """The `index`-th of `count` parts of a plan, counted from 1."""

    index: int
    count: int

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """Parse a text such as `2/3`. Raises UsageError."""
        match = _SHARD.fullmatch(text)
        if match and 1 <= int(match["index"]) <= int(match["count"]):
            return cls(int(match["index"]), int(match["count"]))
        raise UsageError(f"--shard {text}: accepted: I/N with I from 1 to N, such as 2/3")

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


def cut_shards(cells: Sequence[tuple[T, float]], count: int) -> tuple[tuple[T, ...], ...]:
    """Cut `cells`, each with its expected seconds, into `count` runs of neighbours, none empty.

    No shard is further from its equal share than half the longest cell, as long as each has a
    cell at all. Raises UsageError if there are fewer cells than shards.
    """
    if not 1 <= count <= len(cells):
        raise UsageError(f"{count} shards of {len(cells)} cells; accepted: 1 to {len(cells)}")
    whole_s = sum(seconds for _, seconds in cells)
    begins = [0]
    before_s = 0.0
    for n, (_, seconds) in enumerate(cells):
        cells_left = len(cells) - n
        shards_left = count - len(begins)
        due_s = whole_s * len(begins) / count  # where the next shard ought to begin
        is_due = before_s + seconds / 2 >= due_s
        if n > begins[-1] and shards_left and (is_due or cells_left <= shards_left):
            begins.append(n)
        before_s += seconds
    ends = [*begins[1:], len(cells)]
    return tuple(
        tuple(cell for cell, _ in cells[begin:end]) for begin, end in zip(begins, ends, strict=True)
    )
