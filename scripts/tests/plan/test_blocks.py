# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Every arm once a block, in an order that its seed gives and no arm profits from."""

from collections import Counter

from jdkmatrix.plan.blocks import BASELINE, CONTROL, Arm, arms_of, block_order, copies_of
from tests.flow.test_resumed_throughput import make_plan

(COMPARISON,) = make_plan().comparisons


def arms(*builds: str, copies: tuple[str, ...] = ()) -> tuple[Arm, ...]:
    update = {"builds": (*builds, *copies), "baseline": "a", "copies": copies}
    return arms_of(COMPARISON.model_copy(update=update))


ARMS = arms("b", "a", "c")


def test_the_baseline_runs_twice() -> None:
    assert (Arm(BASELINE, "a"), Arm(CONTROL, "a"), Arm("b", "b"), Arm("c", "c")) == ARMS


def test_a_copy_is_an_arm_of_the_same_build() -> None:
    assert arms("a", copies=copies_of("a", 2))[2:] == (Arm("a+copy-1", "a"), Arm("a+copy-2", "a"))


def test_every_arm_once_and_the_same_order_again() -> None:
    for block in range(1, 6):
        order = block_order(ARMS, 7, "gap/x/a", block, 1)
        assert sorted(order, key=ARMS.index) == list(ARMS)
        assert order == block_order(ARMS, 7, "gap/x/a", block, 1)


def test_the_order_differs_by_seed_block_attempt_and_comparison() -> None:
    orders = {
        block_order(ARMS, seed, name, block, attempt)
        for seed in (1, 2)
        for name in ("x", "y")
        for block in (1, 2)
        for attempt in (1, 2)
    }
    assert len(orders) > 8


def test_no_arm_is_first_more_often() -> None:
    first = Counter(block_order(ARMS, 3, "gap", block, 1)[0] for block in range(4000))
    assert all(900 < count < 1100 for count in first.values())
