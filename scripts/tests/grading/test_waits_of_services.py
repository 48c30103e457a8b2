# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a service slower whose threads wait, though a request costs no more CPU time?"""

from pathlib import Path

import pytest

from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.scenarios import load_scenarios
from jdkmatrix.grading.graded_comparisons import grade_comparison
from jdkmatrix.grading.judged_speed import blocks_wanted, on_speed
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.blocks import BASELINE, CONTROL
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.records.sample_record import AttemptRecord, BlockRecord, SampleRecord
from jdkmatrix.results.speed import ThroughputResult, TopicResult
from jdkmatrix.vocabulary import Metric, SpeedGrade, Verdict
from tests.flow.test_resumed_throughput import STATE
from tests.report.conftest import make_build, make_results

OLD, NEW = "temurin-17.0.7+7", "temurin-17.0.9+9"
# What the kit's machine shows of one build: CPU time within some per cent, rates within a third.
COSTS = ((1.03, 0.98), (0.97, 1.02), (1.01, 1.04))
RATES = ((0.85, 1.1), (1.15, 0.9), (0.95, 1.05))


def measure(blocks: int, share: float | None) -> tuple[ThroughputResult, TopicResult]:
    """A full handshake by a service that answers at this share of the baseline's rate; None is a
    run of a kit that did not measure it.
    """
    scenario = load_scenarios(Checkout.current().scenarios).scenarios["server-handshake-full"]
    comparison = ComparisonRecord(
        scenario_name="server-handshake-full",
        scenario=scenario,
        client="jetty-jsse",
        layer="jsse",
        builds=(OLD, NEW),
        baseline=OLD,
    )
    plan = ThroughputRecord(
        seed=1,
        blocks=blocks,
        minimum_effect=0.05,
        comparisons=(comparison,),
        validates=(NEW, OLD),
    )
    records = []
    for number in range(blocks):
        (new_cost, control_cost), (new_rate, control_rate) = COSTS[number], RATES[number]
        factors = {
            BASELINE: (1.0, 1.0),
            CONTROL: (control_cost, control_rate),
            NEW: (new_cost, new_rate * (share or 1)),
        }
        samples = tuple(
            SampleRecord(
                arm=arm,
                build=NEW if arm == NEW else OLD,
                folder="x",
                seconds=1,
                figures={
                    Metric.CPU_US_PER_REQUEST: 8000 * cost,
                    **({} if share is None else {Metric.ANSWERED_PER_S: 20 * rate}),
                },
            )
            for arm, (cost, rate) in factors.items()
        )
        attempt = AttemptRecord(samples=samples, machine=STATE)
        records.append(BlockRecord(schema=1, block=number + 1, attempts=(attempt,)))
    confirming_blocks, deciding_blocks = blocks_wanted(comparison, records, 0.05)
    assert confirming_blocks == blocks
    assert deciding_blocks is not None
    ledger = load_ledger(Checkout.current().ledger)
    builds = {build: make_build(build) for build in (OLD, NEW)}
    (cell,) = grade_comparison(comparison, records, plan, Path("none"), ledger, builds)
    (topic,) = on_speed(make_results(throughput=(cell,)), plan, OLD)
    return cell, topic


def test_a_lock_of_all_handshakes_is_slower() -> None:
    """Planted: 0.2 s under one lock, 4 answers a second in place of 20."""
    cell, topic = measure(3, 0.2)
    assert (cell.grade, cell.graded_by) == (SpeedGrade.SLOWER, Metric.ANSWERED_PER_S)
    assert topic.verdict is Verdict.BAD
    assert "answers/s" in topic.sentence


@pytest.mark.parametrize(("blocks", "share"), [(3, 1.0), (3, None), (2, None)])
def test_an_equal_build_is_as_good_as_without_that_figure(blocks: int, share: float | None) -> None:
    cell, topic = measure(blocks, share)
    assert cell.grade is not SpeedGrade.SLOWER
    assert topic.verdict is Verdict.GOOD
    assert len(cell.figures) == (1 if share is None else 2)
