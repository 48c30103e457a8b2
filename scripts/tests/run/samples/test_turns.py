# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does each load get its turns, one at a time, and does one that ends not stop the others?"""

import random
import socket
from collections.abc import Sequence
from threading import Thread

from jdkmatrix.run.samples.turns import Turns

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
            self._socket.sendall(b"ready\n")
            for number, answer in enumerate(answers):
                self._log.append(f"{self._name} {answer.strip()}")
                if answer == "end\n" or number == self._leaves_at:
                    return
                self._log.append(f"{self._name} done")
                self._socket.sendall(b"ready\n")


def run_loads(leaves_at: Sequence[int]) -> list[str]:
    """What loads are told and do, one after the other; each leaves at its turn."""
    log: list[str] = []
    with Turns(turn_ms=40, warm_up_ms=40, measure_ms=100) as turns:
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
    with Turns(turn_ms=40, warm_up_ms=40, measure_ms=100) as turns:
        turns.admit(lambda: next(looks))
        turns.give(random.Random(1))
    assert next(looks, None) is None


def test_the_end_of_who_gives_turns_is_the_end_of_its_connections() -> None:
    with Turns(turn_ms=40, warm_up_ms=40, measure_ms=100) as turns:
        host, _, port = turns.address.partition(":")
        load = socket.create_connection((host, int(port)), TIMEOUT_S)
        load.sendall(b"ready\n")
        turns.admit(lambda: False)
    with load:
        assert load.recv(1) == b""
