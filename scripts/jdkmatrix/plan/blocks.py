# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""In which order do the arms of a comparison run?

Every arm runs once a block, in random order, so that a machine that drifts favours none. The
control arm is the baseline a second time (A/A).
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass

BASELINE = "baseline"
CONTROL = "control"
_COPY = "+copy-"


@dataclass(frozen=True)
class Arm:
    """One build in a comparison. `name` is `baseline`, `control`, the build's id or a copy's."""

    name: str
    build: str


def arms_of(builds: Sequence[str], baseline: str) -> tuple[Arm, ...]:
    """Baseline, control, and each other build or copy once."""
    subjects = [build for build in dict.fromkeys(builds) if build != baseline]
    return (
        Arm(BASELINE, baseline),
        Arm(CONTROL, baseline),
        *(Arm(build, original(build)) for build in subjects),
    )


def copies_of(build: str, count: int) -> tuple[str, ...]:
    """The names under which a build is compared with itself: `temurin-17.0.9+9+copy-1` ..."""
    return tuple(f"{build}{_COPY}{number}" for number in range(1, count + 1))


def is_copy(name: str) -> bool:
    """Is this the name of a copy, not of a build?"""
    return _COPY in name


def original(name: str) -> str:
    """The id of the build that an arm of this name runs."""
    return name.partition(_COPY)[0]


def block_order(
    arms: Sequence[Arm], seed: int, comparison: str, block: int, attempt: int
) -> tuple[Arm, ...]:
    """The arms in the order in which this attempt at a block runs them; a seed fixes it."""
    order = list(arms)
    random.Random(f"{seed}/{comparison}/{block}/{attempt}").shuffle(order)
    return tuple(order)
