# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does each load get its turns, one at a time, and does one that ends not stop the others?"""

import random
import socket
from collections.abc import Sequence
from threading import Thread

import pytest

from jdkmatrix.machine.withheld import GivenTime
from jdkmatrix.records.sample_record import WarmUp
from jdkmatrix.run.samples.turns import Schedule, Turns

TIMEOUT_S = 10
ROUNDS = 3


class Load:
    """A load that takes its turns in no time and, at `leaves_at`, ends instead."""

    def __init__(self, name: str, address: str, log: list[str], leaves_at: int = -1) -> None:
        self._name = name
        self._log = log
        self._leaves_at = leaves_at
        host, _, port = address.partition(":")
        self._socket = socket.create_connection((host, int(port)), TIMEOUT_S)
        self._thread = Thread(target=self._run)
        self._thread.start()

    def end(self) -> None:
        self._thread.join(TIMEOUT_S)
        assert not self._thread.is_alive()

    def _run(self) -> None:
        with self._socket, self._socket.makefile("r") as answers:
            self._socket.sendall(b"ready 0\n")
            for number, answer in enumerate(answers):
                self._log.append(f"{self._name} {answer.strip()}")
                if answer == "end\n" or number == self._leaves_at:
                    return
                self._log.append(f"{self._name} done")
                self._socket.sendall(b"ready 0\n")


def run_loads(leaves_at: Sequence[int]) -> list[str]:
    """What loads are told and do, one after the other; each leaves at its turn."""
    log: list[str] = []
    with Turns(Schedule(turn_ms=40, warm_up_ms=40, measure_ms=100), lambda: Clock(1.0)) as turns:
        loads = []
        for name, turn in zip("abc", leaves_at, strict=False):
            loads.append(Load(name, turns.address, log, turn))
            turns.admit(lambda: False)
        turns.give(random.Random(1))
        for load in loads:
            load.end()
    return log


def test_each_has_one_turn_a_round_while_the_others_rest() -> None:
    log = run_loads([-1, -1, -1])
    turns, ends = log[:-3], log[-3:]
    rounds = [turns[n : n + 6] for n in range(0, len(turns), 6)]
    kinds = ["warm-up 40"] + ["measure 40"] * ROUNDS  # 100 ms are 3 turns of 40
    for kind, row in zip(kinds, rounds, strict=True):
        starts, finishes = row[::2], row[1::2]
        assert sorted(starts) == [f"{name} {kind}" for name in "abc"]
        assert [text.replace(kind, "done") for text in starts] == finishes
    assert sorted(ends) == ["a end", "b end", "c end"]
    assert len({tuple(text[0] for text in row[::2]) for row in rounds}) > 1, "always in one order"


def test_the_order_is_that_of_the_seed() -> None:
    def order(log: list[str]) -> list[str]:
        return [text for text in log if "end" not in text]

    assert order(run_loads([-1, -1, -1])) == order(run_loads([-1, -1, -1]))


def test_one_that_ends_leaves_its_turns_to_the_others() -> None:
    log = run_loads([-1, 1, -1])
    assert log.count("a measure 40") == log.count("c measure 40") == ROUNDS
    assert log.count("b measure 40") == 1
    assert "b end" not in log


def test_one_that_ends_before_it_is_ready_is_not_waited_for() -> None:
    looks = iter([False, False, True])
    with Turns(Schedule(turn_ms=40, warm_up_ms=40, measure_ms=100), lambda: Clock(1.0)) as turns:
        turns.admit(lambda: next(looks))
        turns.give(random.Random(1))
    assert next(looks, None) is None


def test_the_end_of_who_gives_turns_is_the_end_of_its_connections() -> None:
    with Turns(Schedule(turn_ms=40, warm_up_ms=40, measure_ms=100), lambda: Clock(1.0)) as turns:
        host, _, port = turns.address.partition(":")
        load = socket.create_connection((host, int(port)), TIMEOUT_S)
        load.sendall(b"ready 0\n")
        turns.admit(lambda: False)
    with load:
        assert load.recv(1) == b""


class Clock(GivenTime):
    """A machine that always gives the same share, on which each turn takes no time, or `clock_s`
    pass up to the first look.
    """

    def __init__(self, share: float, clock_s: float = 0.0) -> None:
        self._share = share
        self._clock_s = clock_s

    def read(self) -> tuple[float, float]:
        return self._clock_s, self._share


class SlowLoad:
    """A load whose requests cost three times as much until all of its code is compiled."""

    WARM_AFTER = 200

    def __init__(self, address: str, per_turn: int) -> None:
        self._per_turn = per_turn
        host, _, port = address.partition(":")
        self._socket = socket.create_connection((host, int(port)), TIMEOUT_S)
        self._thread = Thread(target=self._run)
        self.warm_up_requests = 0
        self.figures: list[int] = []
        self._thread.start()

    def end(self) -> None:
        self._thread.join(TIMEOUT_S)
        assert not self._thread.is_alive()

    def _run(self) -> None:
        requests = 0
        with self._socket, self._socket.makefile("r") as answers:
            self._socket.sendall(b"ready 0\n")
            for answer in answers:
                if answer == "end\n":
                    return
                if answer.startswith("measure"):
                    self.figures.append(100 if requests >= self.WARM_AFTER else 300)
                elif answer.startswith("warm-up"):
                    self.warm_up_requests += self._per_turn
                requests += self._per_turn
                self._socket.sendall(f"ready {self.warm_up_requests}\n".encode())


def measure_slowed(
    per_turn: Sequence[int], warm_up_requests: int = 0, share: float = 1.0, clock_s: float = 0.0
) -> tuple[list[SlowLoad], WarmUp]:
    """Planned are ten turns of warm-up, in which a load of 20 requests a turn gets warm."""
    schedule = Schedule(10, 100, 20, warm_up_requests)
    with Turns(schedule, lambda: Clock(share, clock_s)) as turns:
        loads = []
        for requests in per_turn:
            loads.append(SlowLoad(turns.address, requests))
            turns.admit(lambda: False)
        turns.give(random.Random(1))
        for load in loads:
            load.end()
    assert turns.warm_up
    return loads, turns.warm_up


def test_a_quiet_machine_warms_up_as_long_as_planned() -> None:
    loads, warm_up = measure_slowed([20, 21, 22], warm_up_requests=200)
    assert [load.figures for load in loads] == [[100, 100]] * 3
    assert [load.warm_up_requests for load in loads] == [200, 210, 220]
    assert warm_up == WarmUp(planned_s=0.1, passed_s=0.1, given_s=0.1, least_requests=200)


def test_by_seconds_a_slowed_driver_measures_cold_code_and_by_work_it_does_not() -> None:
    loads, _ = measure_slowed([20, 11])
    assert [load.figures for load in loads] == [[100, 100], [300, 300]]
    loads, warm_up = measure_slowed([20, 11], warm_up_requests=200)
    assert [load.figures for load in loads] == [[100, 100]] * 2
    assert (loads[1].warm_up_requests, warm_up.passed_s) == (209, 0.19)


@pytest.mark.parametrize(("share", "turns"), [(0.96, 10), (0.94, 11)])
def test_what_runs_on_quiet_cores_too_costs_no_turn_more(share: float, turns: int) -> None:
    loads, _ = measure_slowed([20], share=share)
    assert loads[0].warm_up_requests == 20 * turns


def test_time_that_others_took_is_added_whatever_the_load() -> None:
    loads, warm_up = measure_slowed([11], share=0.5)
    assert loads[0].figures == [100, 100]
    assert (warm_up.passed_s, warm_up.given_s) == (0.19, 0.095)


def test_a_turn_counts_as_long_as_it_took() -> None:
    loads, warm_up = measure_slowed([11, 12], share=0.25, clock_s=0.76)
    assert [load.warm_up_requests for load in loads] == [110, 120]
    assert (warm_up.passed_s, warm_up.given_s) == (0.38, 0.095)


@pytest.mark.parametrize(
    ("share", "expected_s"),
    [
        (1.0, (0.2, 0.2)),  # it waits for something else: twice the time, then it is measured
        (0.6, (0.34, 0.204)),  # the same, of what was given
        (0.1, (0.4, 0.04)),  # it will not get what it needs
    ],
)
def test_a_warm_up_ends_though_its_work_is_not_done(
    share: float, expected_s: tuple[float, float]
) -> None:
    loads, warm_up = measure_slowed([1], warm_up_requests=200, share=share)
    assert len(loads[0].figures) == 2
    assert (warm_up.passed_s, warm_up.given_s) == expected_s


def test_a_load_that_can_not_pause_has_one_turn_of_each_kind() -> None:
    log: list[str] = []
    with Turns(Schedule(0, 1500, 700), lambda: Clock(0.8)) as turns:
        load = Load("a", turns.address, log)
        turns.admit(lambda: False)
        turns.give(random.Random(1))
        load.end()
    assert log[::2] == ["a warm-up 1500", "a warm-up 500", "a measure 700", "a end"]
