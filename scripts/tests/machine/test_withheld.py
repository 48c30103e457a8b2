# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A deadline moves by what others take from a process group, and by nothing else."""

import os
import sys
import time
from pathlib import Path
from threading import Thread

import pytest

from jdkmatrix.machine import withheld
from jdkmatrix.machine.children import ChildEnd, Children
from jdkmatrix.machine.cores import usable_cores
from jdkmatrix.machine.withheld import MOST_STRETCH, stretch_at_start
from jdkmatrix.machine.withheld import withheld as withheld_s
from jdkmatrix.run.cells.jtreg import deadline_words

pytestmark = pytest.mark.slow

NO_PID = 2**22 + 1  # beyond the most that Linux gives
SPIN = [sys.executable, "-c", "while True: pass"]
NEEDS_A_QUARTER_S = [
    sys.executable,
    "-c",
    "import time\nwhile time.process_time() < 0.25: pass\nprint('done')",
]


@pytest.mark.parametrize(
    ("cpu_s", "waited_s", "expected_s"),
    [
        (0.0, 0.0, 0.0),  # it slept, as one that hangs
        (10.0, 0.0, 0.0),  # it had a core to itself
        (0.1, 9.9, 9.9),  # one thread, a hundredth of its pace
        (0.5, 49.5, 9.75),  # ten threads, the same: a quarter of a second of both cores
        (0.5, 1.5, 1.5),  # it mostly slept
        (20.0, 60.0, 0.0),  # its own threads had both cores, and waited for one another
    ],
)
def test_what_is_withheld_of_ten_seconds_on_two_cores(
    cpu_s: float, waited_s: float, expected_s: float
) -> None:
    assert withheld_s(10, cpu_s, waited_s, 2) == pytest.approx(expected_s)


@pytest.mark.parametrize(
    ("load", "stretch"), [(0.1, 1.0), (8.0, 1.0), (16.0, 2.0), (90.0, MOST_STRETCH)]
)
def test_jtregs_own_time_outs_go_by_the_load_at_the_start(load: float, stretch: float) -> None:
    assert stretch_at_start(load, 2) == stretch


def test_the_bound_is_told() -> None:
    words = "3660 s per test, up to 14640 s if the machine withholds CPU"
    assert deadline_words(0.25) == deadline_words(1) == words


def test_one_that_sleeps_gets_no_more_time_however_busy_the_machine_is(tmp_path: Path) -> None:
    process = Children().run_watched(["sleep", "60"], tmp_path / "log", os.environ, 3, 30)
    assert process.end is ChildEnd.TIMEOUT
    assert process.resources.withheld_s < 3


def test_the_cpu_time_of_all_that_was_started_is_counted(tmp_path: Path) -> None:
    command = ["sh", "-c", '"$0" -c "$1"; true', sys.executable, NEEDS_A_QUARTER_S[2]]
    process = Children().run_watched(command, tmp_path / "log", os.environ, 300, 300)
    assert (process.end, process.code) == (ChildEnd.FINISHED, 0)
    assert 0.25 <= process.resources.cpu_s < 2.5


def test_of_one_that_was_killed_too(tmp_path: Path) -> None:
    start_s = time.monotonic()
    process = Children(look_every_s=0.2).run_watched(SPIN, tmp_path / "log", os.environ, 2, 6)
    assert process.end is ChildEnd.TIMEOUT
    assert time.monotonic() - start_s >= 2
    assert process.resources.cpu_s > 0.1
    assert process.resources.waited_s is not None


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="no schedstat")
def test_a_deadline_waits_for_one_that_gets_no_core(tmp_path: Path) -> None:
    """Eight others spin on each core, each in a session of its own; it needs 0.25 s of one."""
    pool = Children(look_every_s=0.2)
    crowd = [
        Thread(target=pool.run, args=(SPIN, tmp_path / f"crowd-{n}", os.environ, 120))
        for n in range(8 * usable_cores())
    ]
    for thread in crowd:
        thread.start()
    try:
        start_s = time.monotonic()
        process = pool.run_watched(NEEDS_A_QUARTER_S, tmp_path / "log", os.environ, 1, 110)
        took_s = time.monotonic() - start_s
    finally:
        pool.stop()
        for thread in crowd:
            thread.join()
    assert (tmp_path / "log").read_text() == "done\n"
    assert process.end is ChildEnd.FINISHED
    assert took_s > 1
    assert 0.25 < process.resources.withheld_s < took_s


def test_without_the_threads_counters_the_load_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(withheld, "usable_cores", lambda: 2)
    for load, expected in ((1.0, 0.0), (8.0, 7.5)):
        monkeypatch.setattr(os, "getloadavg", lambda load=load: (load, 0, 0))
        watch = withheld.Watch(NO_PID)
        watch.sample(10)
        assert watch.read_resources().withheld_s == expected
        assert watch.read_resources().waited_s is None
