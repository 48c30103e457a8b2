# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A share of the time is withheld if others had the cores and our threads were ready to run."""

import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from jdkmatrix.machine import withheld
from jdkmatrix.machine.withheld import CpuShare, GivenTime

BURN_S = 0.3
BURN = f"import time\nwhile time.process_time() < {BURN_S}: pass\nprint(flush=True)\ninput()"


class Looks:
    """Stands in for a watch: what it says was withheld up to each look."""

    def __init__(self, *withheld_s: float) -> None:
        self._withheld_s = list(withheld_s)

    def sample(self, passed_s: float) -> None:
        self._last_s = self._withheld_s.pop(0)

    def read_resources(self) -> CpuShare:
        return CpuShare(0.0, None, self._last_s)


@pytest.mark.parametrize(
    ("waited_s", "taken_cpu_s", "share"),
    [
        (0.0, 0.0, 1.0),
        (6.0, 10.0, 0.5),  # two cores: others had half of the time
        (2.0, 10.0, 0.8),  # they had what was not needed
        (6.0, 0.0, 1.0),  # our threads waited for one another
        (20.0, 30.0, 0.0),
        (1.0, -0.1, 1.0),  # what was counted of others and of us is not of the same moment
    ],
)
def test_both_must_say_so(
    monkeypatch: pytest.MonkeyPatch, waited_s: float, taken_cpu_s: float, share: float
) -> None:
    readings_s, clock = iter([100.0, 100 + taken_cpu_s]), iter([50.0, 60.0])
    monkeypatch.setattr(withheld, "Watch", lambda pid: Looks(7.0, 7 + waited_s))
    monkeypatch.setattr(withheld, "_others_s", lambda: next(readings_s))
    monkeypatch.setattr(withheld, "usable_cores", lambda: 2)
    monkeypatch.setattr(withheld, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    assert GivenTime().read() == pytest.approx((10.0, share))


def test_what_was_started_is_not_others_while_it_runs_nor_when_it_has_ended() -> None:
    begin_s = withheld._own_s()
    with subprocess.Popen(
        [sys.executable, "-c", BURN], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout
        child.stdout.readline()
        assert withheld._own_s() - begin_s >= 0.9 * BURN_S
    assert withheld._own_s() - begin_s >= 0.9 * BURN_S


def test_a_machine_says_something_between_all_and_nothing() -> None:
    clock = GivenTime()
    time.sleep(0.05)
    passed_s, share = clock.read()
    assert passed_s >= 0.05
    assert 0 <= share <= 1
