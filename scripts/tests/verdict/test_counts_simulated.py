# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How often are counts graded wrongly, and which changes are seen, with the scatter of real JVMs?

The bytes that JVMs of one build allocated for a request, on two cores at loads of 28 to 78,
November 2026. Blocks are drawn from them.
"""

import random
from collections.abc import Sequence

import pytest

from jdkmatrix.verdict.ratio import MINIMUM_COUNT_EFFECT, Triple, judge
from jdkmatrix.vocabulary import SpeedGrade

# Twelve JVMs of 21.0.8: reuse/brief, HttpsURLConnection.
REUSE = (17696, 17696, 17768, 17744, 17744, 17720, 17768, 17744, 17416, 17696, 17696, 17744)
# Ten of 21.0.8: handshake-full/brief.
HANDSHAKE_21 = (
    *(242_746, 240_950, 241_926, 242_856, 242_429),
    *(242_448, 243_046, 242_222, 243_102, 243_010),
)
# Four each: of 17.0.20.1, handshake-full/brief; of 17.0.9, jetty-jsse in server-reuse-16kib/brief
# and server-handshake-full/brief.
HANDSHAKE = (332_010, 332_432, 334_824, 336_341)
SERVER = (27_550, 27_738, 27_439, 27_196)
SERVER_HANDSHAKE = (246_291, 243_246, 244_463, 243_646)
SCATTERS = {
    "reuse": REUSE,
    "handshake": HANDSHAKE,
    "handshake of 21": HANDSHAKE_21,
    "server": SERVER,
    "server handshake": SERVER_HANDSHAKE,
}
RUNS = 400


def share_slower(figures: Sequence[int], factor: float, blocks: int) -> float:
    """How many of so many comparisons grade a build slower that takes `factor` times as much."""
    chance = random.Random(f"{figures}/{factor}/{blocks}")
    count = 0
    for _ in range(RUNS):
        triples = [
            Triple(chance.choice(figures), chance.choice(figures), chance.choice(figures) * factor)
            for _ in range(blocks)
        ]
        verdict = judge(triples, higher_is_better=False, minimum_effect=MINIMUM_COUNT_EFFECT)
        count += verdict.grade is SpeedGrade.SLOWER
    return count / RUNS


@pytest.mark.parametrize("name", SCATTERS)
def test_no_equal_build_is_slower(name: str) -> None:
    assert [share_slower(SCATTERS[name], 1.0, blocks) for blocks in (2, 3, 6)] == [0, 0, 0]


@pytest.mark.parametrize(("factor", "blocks", "share"), [(1.05, 2, 0.5), (1.05, 3, 0.9)])
@pytest.mark.parametrize("name", SCATTERS)
def test_five_percent_are_seen(name: str, factor: float, blocks: int, share: float) -> None:
    assert share_slower(SCATTERS[name], factor, blocks) >= share


@pytest.mark.parametrize("name", SCATTERS)
def test_three_percent_are_seen_in_more_blocks(name: str) -> None:
    assert share_slower(SCATTERS[name], 1.03, 8) >= 0.7
