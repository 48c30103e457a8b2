# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""When has a comparison enough blocks?"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from jdkmatrix.grading.graded_comparisons import comparison_is_settled
from jdkmatrix.grading.judged_speed import blocks_wanted
from jdkmatrix.plan.planned_comparisons import recordings_s
from jdkmatrix.records.comparison_record import ComparisonRecord
from jdkmatrix.records.sample_record import BlockRecord
from jdkmatrix.verdict.ratio import LEAST_BLOCKS


class FirstLook:
    """The blocks that an interval needs are enough."""

    def is_reached(self, blocks: Sequence[BlockRecord]) -> bool:
        """Whether these blocks are enough."""
        return len(blocks) >= LEAST_BLOCKS


@dataclass
class StoppingRule:
    """Blocks are enough once the grades are settled, or once another round of `round_s`, with
    recordings of what is slower, would not end before `ends_s`.
    """

    comparison: ComparisonRecord
    minimum_effect: float
    ends_s: float
    round_s: float

    def is_reached(self, blocks: Sequence[BlockRecord]) -> bool:
        """Whether these blocks are enough; at least one is needed."""
        last_round_s = self.ends_s - self.round_s - recordings_s(self.comparison)
        if len(blocks) >= LEAST_BLOCKS and time.monotonic() > last_round_s:
            return True
        is_settled = comparison_is_settled(self.comparison, blocks, self.minimum_effect)
        return bool(blocks) and is_settled


@dataclass
class ValidationStoppingRule(StoppingRule):
    """In a validation, blocks are enough at the second of two looks, as each look is one more
    chance to err. A small slow-down is believed only after a further look.

    The first look is after LEAST_BLOCKS, or at those of a resumption, if more. The second is after
    as many more as the figures lack and as fit before `ends_s`.
    """

    first_look: int

    def __post_init__(self) -> None:
        """The second look is not known before the first one."""
        self._blocks = self.first_look

    def is_reached(self, blocks: Sequence[BlockRecord]) -> bool:
        """Whether these blocks are enough; at least one is needed."""
        if not blocks or len(blocks) < self._blocks:
            return False
        confirming_blocks, deciding_blocks = blocks_wanted(
            self.comparison, blocks, self.minimum_effect
        )
        self._blocks = max(self._blocks, confirming_blocks)
        if len(blocks) == self.first_look:
            left_s = max(0, self.ends_s - time.monotonic())
            that_fit = len(blocks) + left_s / self.round_s
            self._blocks = max(confirming_blocks, int(min(deciding_blocks or 0, that_fit)))
        return len(blocks) >= self._blocks
