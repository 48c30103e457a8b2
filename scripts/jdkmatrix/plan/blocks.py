# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""In which order do the arms of a comparison run?

Every arm once a block, in random order, so that a machine that drifts favours none; the control
arm is the baseline a second time (A/A).
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

BASELINE = "baseline"
CONTROL = "control"


@dataclass(frozen=True)
class Arm:
    """One build in a comparison. `name` is `baseline`, `control`, or the build's id."""

    name: str
    build: str


def arms_of(builds: Sequence[str], baseline: str) -> tuple[Arm, ...]:
    """Baseline, control, and each other build once."""
    others = [build for build in dict.fromkeys(builds) if build != baseline]
    return (
        Arm(BASELINE, baseline),
        Arm(CONTROL, baseline),
        *(Arm(build, build) for build in others),
    )


def block_order(
    arms: Sequence[Arm], seed: int, comparison: str, block: int, attempt: int
) -> tuple[Arm, ...]:
    """The arms in the order in which this attempt at a block runs them: the same for a seed."""
    order = list(arms)
    random.Random(f"{seed}/{comparison}/{block}/{attempt}").shuffle(order)
    return tuple(order)
