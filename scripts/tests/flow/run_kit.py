# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A run without Java: its supplier has what it is asked for, each cell passes at once."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from jdkmatrix import __version__
from jdkmatrix.config.version import parse
from jdkmatrix.evidence.digest import Digest, Unreadable
from jdkmatrix.flow import flow
from jdkmatrix.flow.tools import Tools
from jdkmatrix.machine.children import ChildEnd, Children
from jdkmatrix.paths import Checkout
from jdkmatrix.records.builds import build_record
from jdkmatrix.records.provenance import kit_commit
from jdkmatrix.records.record import BuildRecord, KitRecord, RunRecord
from jdkmatrix.records.request import Request
from jdkmatrix.records.store import RunFolder
from jdkmatrix.report.console.display import Display
from jdkmatrix.results.document import Results
from jdkmatrix.run.cells.execution import CellTask, Execution
from jdkmatrix.supply.build import Build, BuildFacts
from jdkmatrix.vocabulary import Status
from tests.grading.test_whole_run import outcome_file
from tests.report.conftest import make_results

FACTS = BuildFacts(
    version="17.0.9+9",
    vendor="Eclipse Adoptium",
    vm_name="OpenJDK 64-Bit Server VM",
    vm_version="17.0.9+9",
    arch="amd64",
    java_home=".",
    has_jfr=True,
    has_javac=False,
)
PLAIN = Build(
    id="temurin-17.0.9+9",
    entry_id="temurin-17.0.9+9",
    version=parse("17.0.9+9"),
    vendor="temurin",
    train=17,
    source="wheel",
    sha256="aa",
    artifacts=(),
    home=Path("/jdk"),
    facts=FACTS,
)
TESTS = ("tls13/CipherSuiteLookupCopiesTable.java", "keepalive/DisconnectWaitsForSilentPeer.java")
PASSED = Execution(ChildEnd.FINISHED, Status.PASSED, "Passed.", 1.0)
Run = Callable[..., Execution]
Read = Callable[[Sequence[Path]], None]


class StandInSupplier:
    """Has the release, and says of every folder that it is the same release, changed."""

    check_cost = "nothing"

    def local(self, path: Path, _: str = "") -> Build:
        return replace(PLAIN, source="local", sha256="cc", home=path)

    def stream_outcomes(self, build_entries: Iterable[object]) -> Iterator[Build]:
        for _ in build_entries:
            yield PLAIN

    def supply(self, build_entries: Iterable[object]) -> list[Build]:
        return list(self.stream_outcomes(build_entries))

    def tool_jdk(self) -> Build:
        return PLAIN

    def stop(self) -> None:
        pass


def passes(_: BuildRecord, __: str, folder: Path, **___: Any) -> Execution:
    """A reproducer on a build that has not the bug."""
    played_outcome(folder, "subject", "not-reproduced")
    played_outcome(folder, "tls12", "not-reproduced")
    return PASSED


@dataclass
class Stage:
    """What a played run has in place of Java: who supplies, runs a cell, reads recordings.
    `refusals` are of the builds whose JVM does not start.
    """

    supplier: Any = field(default_factory=StandInSupplier)
    run: Run = passes
    read: Read = lambda recordings: None
    refusals: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PlayedRunner:
    """Makes an attempt by a function that plays it."""

    play: Run

    def run(self, task: CellTask, folder: Path, children: Children) -> Execution:
        return self.play(
            task.build,
            task.cell.test,
            folder,
            is_recorded=task.is_recorded,
            only_rows=(task.debugged_row,) if task.debugged_row else task.rows,
            is_debugged=task.debugged_row is not None,
            children=children,
        )


class PlayedTools(Tools):
    """All that needs Java is played."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(Checkout.current())
        self.stage = stage

    def supplier(self, *_: Any, **__: Any) -> Any:
        return self.stage.supplier

    def runner(self, *_: Any) -> Any:
        return PlayedRunner(self.stage.run), None

    def programs(self, *_: Any) -> Any:
        return self.stage

    def ask(self, jdk: Build, *_: Any, **__: Any) -> dict[str, Any]:
        return {"refusal": self.stage.refusals.get(jdk.id)}

    def digester(self, _: Build) -> Any:
        return self

    def digest(self, recordings: Sequence[Path], _: Sequence[Path] = ()) -> Digest:
        self.stage.read(recordings)
        unread = [Unreadable(file=str(path), error="played") for path in recordings]
        return Digest(recordings=tuple(unread))


def played_outcome(folder: Path, case: str, outcome: str) -> None:
    """What a case leaves that was run by the build of the stand-in."""
    outcome_file(folder, case, outcome, PLAIN.facts.version, PLAIN.facts.vendor)


def run(out: Path, request: Request, jobs: int = 1, stage: Stage | None = None) -> Results:
    """Run a request into the folder `out`."""
    options = flow.RunOptions(jobs=jobs, out=out)
    tools = PlayedTools(stage or Stage())
    return flow.run(tools, request, options, Display(Console(quiet=True))).results


def resume(out: Path, stage: Stage | None = None, command: str = "run") -> Results:
    """Resume the run in `out`, as who made it: its paths are named again."""
    options = flow.RunOptions(jobs=1, out=out, places=read_stored(out).request.places)
    tools = PlayedTools(stage or Stage())
    return flow.resume(tools, command, options, Display(Console(quiet=True))).results


def read_stored(out: Path) -> RunRecord:
    """What the run in `out` has stored of itself."""
    return RunFolder.open(out).read_run()


def store(place: Path, **changes: Any) -> RunRecord:
    """A run that this kit has begun, and that has cells left."""
    run = RunRecord(
        run=place.name,
        started="2026-11-21T08:00:00Z",
        request=Request(builds=(PLAIN.id,)),
        machine=make_results().machine,
        kit=KitRecord(version=__version__, commit=kit_commit(Checkout.current().root)),
        builds=(build_record(PLAIN),),
    ).model_copy(update=changes)
    RunFolder(place).write_run(run)
    return run
