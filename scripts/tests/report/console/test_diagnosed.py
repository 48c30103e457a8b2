# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does each sentence of an answer lead somewhere, and does none contradict another?"""

from io import StringIO

import pytest
from rich.console import Console

from jdkmatrix.evidence.places import StillWaiting
from jdkmatrix.grading.diagnosis import BugDiagnosis, Diagnosis
from jdkmatrix.report.console.diagnosed import print_diagnosis
from jdkmatrix.results.finding import Finding, Suspicion
from jdkmatrix.vocabulary import Expectation

WAITED = Finding(
    rule="JDK-1",
    bug="JDK-1",
    sentence="3 threads waited 30 s to enter a.B.c.",
    frames=("a.B.c",),
    lock_classes=("a.B",),
    threads=3,
    blocked_ms=30_000,
    open_ms=0,
    bound_ms=100,
)
SLOW = WAITED.model_copy(update={"lock_classes": (), "sentence": "3 threads sat up to 10 s."})
BUG = BugDiagnosis(
    bug="JDK-1",
    title="Waits",
    expectation=Expectation.AFFECTED,
    first_fix="17.0.7+1",
    bound_ms=100,
    bound_source="It is measured.",
    finding=WAITED,
)
PROBABLE = {"finding": None, "suspicion": Suspicion(sentence="It waits.", proof="A dump.")}
UNKNOWN = {**PROBABLE, "expectation": Expectation.UNKNOWN}


def still_waiting(threads: int) -> StillWaiting:
    return StillWaiting.model_validate(
        {
            "kind": "monitor",
            "lock_class": "a.B",
            "frame": "a.B.c",
            "threads": threads,
            "thread_ids": range(threads),
            "total_ms": 2000,
            "holder": None,
        }
    )


def answer(version: str | None, *bugs: BugDiagnosis) -> str:
    diagnosis = Diagnosis(
        file="dumps.txt",
        version=version,
        duration_ms=10_000,
        threads=4,
        bugs=bugs,
        bugs_of_ledger=84,
        others=(),
        longest=(),
        still_waiting=tuple(still_waiting(threads) for threads in (1, 12)),
        hidden=(),
        dumps=2,
    )
    console = Console(file=StringIO(), width=500)
    print_diagnosis(console, [diagnosis])
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def test_a_sum_over_threads_is_called_one() -> None:
    """Else 30 s in dumps of 10 s look wrong."""
    assert "    Summed over the threads; from 100 ms on it counts." in answer("17.0.3", BUG)
    slow_bug = BUG.model_copy(update={"finding": SLOW})
    assert "    From 100 ms on it counts." in answer("17.0.3", slow_bug)


@pytest.mark.parametrize(
    ("version", "way"),
    [
        (None, "jcmd PID VM.version says which it is"),
        ("17.0.6", "scripts/matrix has 1 --jdk PATH tells"),
    ],
)
def test_how_to_learn_whether_a_build_has_the_bug_is_said(version: str | None, way: str) -> None:
    text = answer(version, BUG.model_copy(update=UNKNOWN))
    assert f"It is not known whether this build has it ({way}); fixed in 17.0.7+1." in text


def test_a_release_that_the_ledger_does_not_know_is_not_called_clean() -> None:
    """Nor is a list of its bugs named: `bugs --on 7u80` is refused."""
    text = answer("7u80")
    assert "No bug was looked for: the ledger begins with JDK 8." in text
    assert "No known bug shows" not in text
    assert "scripts/matrix bugs --on 17.0.3 lists them" in answer("17.0.3", BUG)
    assert "scripts/matrix bugs" not in text


def test_one_thread_is_no_threads() -> None:
    """And numbers stand below one another."""
    rows = [line for line in answer("17.0.3").splitlines() if "s at least" in line]
    assert rows == [
        "        2.00 s at least      1 thread  a.B.c (monitor)",
        "        2.00 s at least    12 threads  a.B.c (monitor)",
    ]
