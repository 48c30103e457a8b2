# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How often does a validation err, on a machine as noisy as ours and on one that drowns?

Five comparisons of clients; `validate` asks services, too. Noise is the standard deviation of
the paired log ratio: of samples in turns 3.4 % in CPU time (2.4 % a sample, see
docs/explanation/speed.md) and somewhat more in requests/s; of `neighbour`, which has no turns and
a short warm-up, that of JVMs that differ by a third. The last is what five JVMs of java.net.http
showed in turns at a load of 45 on two cores: 4 to 9 % a sample in CPU time, 6 to 13 % in
requests/s.
"""

import random
from dataclasses import dataclass

import pytest

from jdkmatrix.verdict.ratio import LEAST_BLOCKS, Triple, judge
from jdkmatrix.verdict.validation import (
    MOST_BLOCKS,
    MOST_LOSS,
    Speed,
    blocks_to_confirm,
    blocks_to_decide,
    loss_of,
    of_speeds,
)
from jdkmatrix.vocabulary import Verdict
from tests.verdict.test_ratio_simulated import Machine

# Of requests/s and of CPU time a request, in turns; of requests/s in `neighbour`.
QUIET = ((0.045, 0.035), 0.33)
BUSY = ((0.09, 0.07), 0.33)
DROWNING = ((0.18, 0.12), 0.6)
# What ten minutes on two quiet cores leave beside two blocks of all comparisons.
SPARE_BLOCKS = 1
RUNS = 200


@dataclass(frozen=True)
class Effects:
    """How many times a build's requests/s and CPU time differ, in java.net.http alone."""

    rate: float = 1.0
    cost: float = 1.0


EQUAL = Effects()


def validation(
    rng: random.Random,
    noise: tuple[tuple[float, float], float],
    effects: Effects = EQUAL,
    spare: int = SPARE_BLOCKS,
) -> Verdict:
    """The verdict on one build whose reproducers are as expected."""
    in_turns, neighbour = noise
    speeds: list[list[Speed]] = []
    for client in ("reuse", "java.net.http", "handshake", "netty", "neighbour"):
        client_effects = effects if client == "java.net.http" else EQUAL
        if client == "neighbour":
            figures = [Figure(rng, neighbour, 1.0, 0.75, higher_is_better=True)]
        else:
            figures = [
                Figure(rng, in_turns[0], client_effects.rate, MOST_LOSS, higher_is_better=True),
                Figure(rng, in_turns[1], client_effects.cost, MOST_LOSS, higher_is_better=False),
            ]
        for figure in figures:
            figure.measure(LEAST_BLOCKS)
        # As ComparisonTasks do it: what confirms a slow-down is run, whatever time is left.
        confirming_blocks = max(figure.count_confirming() for figure in figures) - LEAST_BLOCKS
        needs = [figure.count_deciding() for figure in figures]
        deciding_blocks = 0 if None in needs else max(need for need in needs if need) - LEAST_BLOCKS
        extra_blocks = max(confirming_blocks, min(deciding_blocks, spare))
        spare = max(0, spare - extra_blocks)
        for figure in figures:
            figure.measure(extra_blocks)
        late_blocks = max(figure.count_confirming() - figure.blocks for figure in figures)
        for figure in figures:
            figure.measure(late_blocks)
        speeds.append([figure.speed() for figure in figures])
    return of_speeds(speeds)


class Figure:
    """One figure of one comparison, block by block."""

    def __init__(
        self,
        rng: random.Random,
        sd: float,
        times: float,
        most_loss: float,
        *,
        higher_is_better: bool,
    ) -> None:
        self._machine = Machine(rng, sd, -1 if higher_is_better else 1)
        self._effect = times - 1
        self._most_loss = most_loss
        self._better = higher_is_better
        self._triples: list[Triple] = []

    def measure(self, blocks: int) -> None:
        if blocks:  # it is asked several times for what these show
            self._triples += [self._machine.block(self._effect) for _ in range(blocks)]
            self._verdict = judge(self._triples, higher_is_better=self._better)

    def speed(self) -> Speed:
        verdict = self._verdict
        loss = loss_of(verdict.ci95, higher_is_better=self._better)
        return Speed(verdict.grade, False, loss, self._most_loss)

    @property
    def blocks(self) -> int:
        return len(self._triples)

    def count_confirming(self) -> int:
        speed = self.speed()
        return blocks_to_confirm(speed.grade, speed.loss, len(self._triples))

    def count_deciding(self) -> int | None:
        return blocks_to_decide(
            self._verdict.grade,
            self._verdict.ci95,
            len(self._triples),
            higher_is_better=self._better,
            most_loss=self._most_loss,
        )


def verdicts(
    noise: tuple[tuple[float, float], float], effects: Effects = EQUAL, **options: int
) -> dict[Verdict, float]:
    """The share of each verdict."""
    rng = random.Random(8293562)
    outcomes = [validation(rng, noise, effects, **options) for _ in range(RUNS)]
    return {verdict: outcomes.count(verdict) / RUNS for verdict in Verdict}


def test_an_equal_build_is_good_on_a_quiet_machine() -> None:
    shares = verdicts(QUIET)
    assert shares[Verdict.GOOD] >= 0.9
    assert shares[Verdict.BAD] <= 0.01


def test_an_equal_build_on_a_busy_machine_gets_there_with_the_time_that_it_takes() -> None:
    shares = [verdicts(BUSY, spare=spare) for spare in (SPARE_BLOCKS, 3 * MOST_BLOCKS)]
    assert shares[0][Verdict.GOOD] < 0.5
    assert shares[1][Verdict.GOOD] >= 0.9
    assert max(share[Verdict.BAD] for share in shares) <= 0.01


@pytest.mark.parametrize("noise", [QUIET, BUSY, DROWNING])
@pytest.mark.parametrize("spare", [SPARE_BLOCKS, 3 * MOST_BLOCKS])
@pytest.mark.parametrize(
    "effects",
    [Effects(rate=1 / 1.25, cost=1.25), Effects(cost=1 + MOST_LOSS), Effects(rate=1 - MOST_LOSS)],
)
def test_a_build_a_quarter_slower_in_one_client_is_hardly_ever_good(
    noise: tuple[tuple[float, float], float], spare: int, effects: Effects
) -> None:
    shares = verdicts(noise, effects, spare=spare)
    assert shares[Verdict.GOOD] <= 0.025


def test_a_build_a_third_slower_in_one_client_is_bad_on_a_quiet_machine() -> None:
    shares = verdicts(QUIET, Effects(rate=0.75, cost=1.33))
    assert shares[Verdict.BAD] >= 0.85
