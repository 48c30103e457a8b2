# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which comparisons ask the same service JVMs, and for how long do those live?"""

import math
import os
import signal
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jdkmatrix.config.clients import Service
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.scenarios import Scenario, ScenariosFile
from jdkmatrix.evidence.digest import Digester
from jdkmatrix.flow import comparison_tasks, stopping_rules
from jdkmatrix.flow.comparison_tasks import ComparisonTasks
from jdkmatrix.machine.java_program import JavaTool
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.blocks import Arm
from jdkmatrix.plan.planned_comparisons import (
    as_planned,
    block_s,
    least_s,
    round_s,
    rounds_of,
    share_s,
)
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.records.store import comparison_folder, read_blocks
from jdkmatrix.run.samples import blocks_in_turn
from jdkmatrix.run.samples.peers import KeptServices, Peers, ServiceCommand
from tests.conftest import ROOT
from tests.run.samples.conftest import (
    EventLog,
    FakePrograms,
    make_build,
    make_client,
    make_java,
    make_scenario,
)
from tests.run.samples.test_peers import is_alive

BASE, NEW = "temurin-17.0.9+9", "temurin-17.0.10+7"
SERVICE = {"class": "FakeService", "sources": ["fake"], "layer": "jsse"}
SIZES = {
    "services": ["fake-tls"],
    "clients": [],
    "driver": "fake",
    "warm-up-ms": 300,
    "warm-up-again-ms": 100,
    "turn-ms": 100,
    "headline": "cpu-us-per-request",
    "hosts": {"far": {"peer": "service"}},
    "expect": {},
}
NO_SETTINGS: Mapping[str, Any] = {}


def of_bytes(count: int, **changes: Any) -> Scenario:
    groups = {"load": {"host": "far", "threads": 2, "echo": True, "request-body-bytes": count}}
    return make_scenario(**{**SIZES, "title": f"{count} bytes", "groups": groups, **changes})


def comparison_of(name: str, scenario: Scenario, client: str = "fake-tls") -> ComparisonRecord:
    return ComparisonRecord(
        scenario_name=name,
        scenario=scenario,
        client=client,
        layer="jsse",
        builds=(BASE, NEW),
        baseline=BASE,
    )


def test_what_differs_by_its_bodies_alone_is_together_the_largest_first() -> None:
    h2 = {"driver-settings": {"http": "h2"}}
    comparisons = [
        comparison_of("small", of_bytes(1)),
        comparison_of("small", of_bytes(1), client="other-tls"),
        comparison_of("small/h2", of_bytes(1, **h2)),
        comparison_of("large", of_bytes(1024, published={"jsse-by-boringssl": 2.5})),
        comparison_of("large/h2", of_bytes(1024, **h2)),
        comparison_of("alone", of_bytes(7, **{"warm-up-again-ms": None})),
        comparison_of("too", of_bytes(8, **{"warm-up-again-ms": None})),
    ]
    assert rounds_of(comparisons) == [[3, 0], [1], [4, 2], [5], [6]]
    pair = [comparisons[3], comparisons[0]]
    assert round_s(pair) == pytest.approx(block_s(pair[0]) + block_s(pair[1]) - 3 * 0.2)
    assert least_s(pair) == pytest.approx(2 * round_s(pair))
    large, small = (row["seconds_at_most"] for row in as_planned(pair, 100))
    assert (large, small) == (round(100 * block_s(pair[0])), round(100 * block_s(pair[1]) - 60))


def test_of_several_rounds_each_has_what_it_needs_and_a_share_of_the_rest() -> None:
    assert share_s([10, 20, 30], 90, equal=True) == 10 + 30 / 3
    assert share_s([10, 20, 30], 90, equal=False) == 10 + 30
    assert share_s([30], 50, equal=True) == 50
    assert share_s([10, 20], 10, equal=True) < 10  # two blocks are measured all the same


@pytest.fixture
def start(tmp_path: Path) -> Callable[[], Peers]:
    java = make_java(tmp_path / "build")
    command = ServiceCommand(java, (), "classes", "FakeService", {})
    return lambda: Peers(java, {}, of_bytes(1), tmp_path / "logs", command)


def test_a_service_stays_until_it_is_ended_or_dies(start: Callable[[], Peers]) -> None:
    with KeptServices() as services:
        assert not services.are_warm(["baseline"])
        (pid,) = services.get_or_start("baseline", start).pids
        assert services.are_warm(["baseline"])
        assert not services.are_warm(["baseline", "control"])
        assert services.get_or_start("baseline", start).pids == {pid}
        os.kill(pid, signal.SIGKILL)
        deadline_s = time.monotonic() + 10
        while services.are_warm(["baseline"]) and time.monotonic() < deadline_s:
            time.sleep(0.01)
        (next_pid,) = services.get_or_start("baseline", start).pids
        assert next_pid != pid
    assert not is_alive(next_pid)


@pytest.fixture
def measure(tmp_path: Path) -> Callable[..., tuple[ThroughputRecord, EventLog, Path]]:
    def measure(
        listener: EventLog | None = None,
        scenario: Mapping[str, Any] = NO_SETTINGS,
        blocks: int = 2,
        budget_s: float = math.inf,
        **behaviour: Any,
    ) -> tuple[ThroughputRecord, EventLog, Path]:
        jvm = {"runtime_version": "17", "vendor": "tool"}
        driver = make_java(tmp_path / "driver", **jvm, **behaviour)
        builds = {name: make_build(tmp_path / name, name) for name in (BASE, NEW)}
        large, small = of_bytes(1024, **scenario), of_bytes(1, **scenario)
        plan = ThroughputRecord(
            seed=1,
            blocks=blocks,
            minimum_effect=0.05,
            comparisons=(comparison_of("small", small), comparison_of("large", large)),
        )
        listener = listener or EventLog()
        records: list[ThroughputRecord] = []
        file = ScenariosFile.model_validate(
            {
                "schema": 1,
                "clients": {"fake": make_client()},
                "services": {"fake-tls": Service.model_validate(SERVICE)},
                "scenarios": {"small": small, "large": large},
            }
        )
        programs: Any = FakePrograms(driver)
        tasks = ComparisonTasks(
            plan=plan,
            builds=builds,
            file=file,
            ledger=load_ledger(Checkout(ROOT).ledger),
            checkout=Checkout(tmp_path),
            folder=tmp_path / "run",
            listener=listener,
            programs=programs,
            digester=Digester(JavaTool(Path("none"), Path("none"), Path("none"))),
            store=records.append,
            budget_s=budget_s,
        )
        tasks.execute()
        return tasks.plan, listener, tmp_path / "run"

    return measure


@pytest.mark.slow
def test_in_a_round_the_sizes_ask_the_same_jvms_and_the_next_has_others(
    measure: Callable[..., tuple[ThroughputRecord, EventLog, Path]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listener = EventLog()
    # The first block takes longer than all may; so all end after the two that each has at least.
    clock = SimpleNamespace(monotonic=lambda: 1000.0 if listener.samples else 0.0)
    for module in (comparison_tasks, stopping_rules):
        monkeypatch.setattr(module, "time", clock)
    plan, _, run = measure(listener, blocks=3, budget_s=500, spread=0.4)
    assert listener.notices == []
    for comparison in plan.comparisons:
        blocks = list(read_blocks(comparison_folder(run, comparison)))
        assert [block.attempts[-1].complete for block in blocks] == [True, True]
    # The largest comes first, and starts the services; their logs lie where its samples do.
    logs = {path.parent.parent.parts[-3] for path in run.rglob("service-far.log")}
    assert logs == {"large"}
    assert len(list(run.rglob("service-far.log"))) == 2 * 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "void"),
    [
        ("void", "no TLSv1.3 in this JDK"),
        ("killed", "the load JVM failed (exit code -9): no message"),
        ("kill-services", "the service far died (exit code -9)"),
    ],
)
def test_a_void_sample_takes_its_services_with_it(
    measure: Callable[..., tuple[ThroughputRecord, EventLog, Path]],
    tmp_path: Path,
    fault: str,
    void: str,
) -> None:
    plan, _, run = measure(bad_samples=[4], fault=fault)  # the first of the second size
    small = next(
        comparison for comparison in plan.comparisons if comparison.scenario_name == "small"
    )
    first, second = read_blocks(comparison_folder(run, small))
    assert [len(first.attempts), len(second.attempts)] == [2, 1]
    assert first.attempts[-1].complete
    assert void in [sample.void for sample in first.attempts[0].samples]
    pids = [int(path.stem.partition("-")[2]) for path in tmp_path.rglob("service-*.pid")]
    assert not any(map(is_alive, pids))
    logs = [path for path in run.rglob("service-far.log") if "small" in path.parts]
    assert len(logs) == 3  # of the second attempt


class CountsServices(EventLog):
    """Remembers how many services lived whenever a sample began."""

    def __init__(self, home: Path) -> None:
        super().__init__()
        self._home = home
        self.alive: list[int] = []
        self.blocks: list[int] = []

    def sample_started(self, arm: Arm, block: int) -> None:
        self.blocks.append(block)
        pids = [int(path.stem.partition("-")[2]) for path in self._home.rglob("service-*.pid")]
        self.alive.append(sum(map(is_alive, pids)))


@pytest.mark.slow
def test_without_turns_no_service_idles_beside_the_next(
    measure: Callable[..., tuple[ThroughputRecord, EventLog, Path]], tmp_path: Path
) -> None:
    counter = CountsServices(tmp_path)
    measure(counter, {"turn-ms": None, "warm-up-again-ms": None})
    assert counter.alive == [0] * 2 * 2 * 3
    assert len(list(tmp_path.rglob("service-*.pid"))) == 2 * 2 * 3


@pytest.mark.slow
def test_a_sample_that_settles_leaves_no_arm_warmer_than_the_others(
    measure: Callable[..., tuple[ThroughputRecord, EventLog, Path]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(blocks_in_turn, "can_run_out", lambda: True)
    counter = CountsServices(tmp_path)
    measure(counter)
    settling = [place for place, block in enumerate(counter.blocks) if block == 0]
    # The second comparison of the round finds the three of the first, and leaves them as they are.
    assert [counter.alive[place] for place in settling] == [0, 3]
    assert [counter.alive[place + 1] for place in settling] == [0, 3]
