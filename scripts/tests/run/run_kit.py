# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A run without Java: its supplier has what it is asked for, each cell passes at once."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from jdkmatrix import matrix_run, pipeline
from jdkmatrix.java_program import JavaProgram
from jdkmatrix.matrix_run import RunOptions
from jdkmatrix.paths import Checkout
from jdkmatrix.report.display import Display
from jdkmatrix.report.results import Results
from jdkmatrix.run.execution import Execution, Status
from jdkmatrix.run.othervm import OtherVm
from jdkmatrix.run.process import Ended
from jdkmatrix.run.record import Request, RunRecord
from jdkmatrix.run.store import RunFolder
from jdkmatrix.supply.build import Build
from tests.evidence.test_assemble import outcome_file
from tests.run.test_resume import PLAIN

TESTS = ("tls13/CipherSuiteLookupCopiesTable.java", "keepalive/DisconnectWaitsForSilentPeer.java")
PASSED = Execution(Ended.FINISHED, Status.PASSED, "Passed.", 1.0)


class StandInSupplier:
    """Has the release, and says of every folder that it is the same release, changed."""

    checked = "nothing"

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def local(self, path: Path) -> Build:
        return replace(PLAIN, source="local", sha256="cc", home=path)

    def supply(
        self, entries: Iterable[object], on_ready: Callable[[Build], None] = lambda _: None
    ) -> list[Build]:
        builds = [PLAIN for _ in entries]
        for build in builds:
            on_ready(build)
        return builds

    def tool_jdk(self) -> Build:
        return PLAIN

    def jtreg(self) -> Path:
        return Path("/jtreg")

    def stop(self) -> None:
        pass


def play(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all that needs Java be played."""
    monkeypatch.setattr(pipeline, "Supplier", StandInSupplier)
    monkeypatch.setattr(JavaProgram, "compiled", lambda self: Path("/classes"))
    monkeypatch.setattr(matrix_run, "ask", lambda *_: {})
    monkeypatch.setattr(matrix_run, "digest_recordings", lambda *_: None)
    monkeypatch.setattr(OtherVm, "run", passes)


def passes(_: OtherVm, __: object, ___: str, folder: Path, **____: Any) -> Execution:
    """A reproducer on a build that has not the bug."""
    played_outcome(folder, "subject", "not-reproduced")
    played_outcome(folder, "tls12", "not-reproduced")
    return PASSED


def played_outcome(folder: Path, case: str, outcome: str) -> None:
    """What a case leaves that was run by the build of the stand-in."""
    outcome_file(folder, case, outcome, PLAIN.facts.version, PLAIN.facts.vendor)


def run(out: Path, request: Request, jobs: int = 1) -> Results:
    """Run a request into the folder `out`."""
    display = Display(Console(quiet=True))
    options = RunOptions(jobs=jobs, out=out)
    return pipeline.run_matrix(Checkout.here(), request, options, display)[0]


def resume(out: Path) -> Results:
    """Go on with the run in `out`."""
    display = Display(Console(quiet=True))
    return pipeline.resume_matrix(Checkout.here(), RunOptions(jobs=1, out=out), display)[0]


def stored(out: Path) -> RunRecord:
    """What the run in `out` has stored of itself."""
    return RunFolder.open(out).read_run()
