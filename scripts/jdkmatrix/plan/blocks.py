# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""In which order do the arms of a comparison run?

Every arm runs once a block, in random order, so that a machine that drifts favours none. The
control arm is the baseline a second time (A/A).
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from jdkmatrix.records.comparison_record import ComparisonRecord

BASELINE = "baseline"
CONTROL = "control"


@dataclass(frozen=True)
class Arm:
    """One build in a comparison. `name` is `baseline`, `control`, the build's id or a copy's."""

    name: str
    build: str


def arms_of(comparison: ComparisonRecord) -> tuple[Arm, ...]:
    """Baseline, control, and each other build or copy once."""
    baseline = comparison.baseline
    names = [name for name in dict.fromkeys(comparison.builds) if name != baseline]
    return (
        Arm(BASELINE, baseline),
        Arm(CONTROL, baseline),
        *(Arm(name, comparison.build_of(name)) for name in names),
    )


def copies_of(build: str, count: int) -> tuple[str, ...]:
    """The names under which a build is compared with itself: `temurin-17.0.9+9+copy-1` ..."""
    return tuple(f"{build}+copy-{number}" for number in range(1, count + 1))


def block_order(
    arms: Sequence[Arm], seed: int, comparison: str, block: int, attempt: int
) -> tuple[Arm, ...]:
    """The arms in the order in which this attempt at a block runs them; a seed fixes it."""
    order = list(arms)
    random.Random(f"{seed}/{comparison}/{block}/{attempt}").shuffle(order)
    return tuple(order)
