# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a run store while it runs, so that it can be resumed and graded again?

A run folder holds `run.json` (a RunRecord) and, for each finished cell, a folder with `cell.json`
(a CellRecord) beside that cell's files. The further attempts at a surprise lie in its subfolders
`attempt-2` and `attempt-3`, each with a `cell.json` of its own.
"""

import operator
import shlex
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from jdkmatrix.config import version
from jdkmatrix.config.known_changes import VendorVersion
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.records.comparison_record import ThroughputRecord
from jdkmatrix.records.model import BuildId, CommandLine, InsidePath, Record, Seconds, Text
from jdkmatrix.records.older_marks import JUDGED, strip_mark
from jdkmatrix.records.request import Request, java_option_words
from jdkmatrix.supply.runtime_facts import Defaults, RuntimeFacts
from jdkmatrix.texts import command_line
from jdkmatrix.vocabulary import Intent, Status

_OVERLAY_OPTIONS = tuple(
    (*overlay, *intent)
    for overlay in (("--overlay",), ("--overlay-patch",), ("--overlay-patch", "--sources"))
    for intent in ((), ("--expect",))
)


def _known_version(text: str) -> str:
    version.parse(text)
    return text


def _without_older_mark(entry: str) -> str:
    return strip_mark(entry, JUDGED)


Moment = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]


def _is_overlay_option(line: str) -> str:
    words = shlex.split(line)
    options = tuple(words[::2])
    if len(words) % 2 or options not in _OVERLAY_OPTIONS:
        raise ValueError("not an option of an overlay; accepted: --overlay or --overlay-patch PATH")
    return line


class OverlayRecord(Record):
    """Classes that were laid over a build; `option` gives the same overlay again. `intent` and
    `bugs` are what was meant by it: what it makes of each bug, or else which bugs it fixes.
    """

    name: str
    option: Annotated[CommandLine, AfterValidator(_is_overlay_option)]
    sha256: str
    java_options: tuple[str, ...]
    note: str
    intent: Intent | None = None
    bugs: tuple[str, ...] = ()


class BuildRecord(Record):
    """One JDK that was used, with what it said of itself.

    With an `overlay` it has an id of its own; all else is that of the JDK underneath. `altered`
    says how it differs from the release that it claims to be, `replaced` how it was found to have
    changed after its cells had run, `refusal` why no JVM of it starts. `configuration` says from
    what its configuration files were composed, if its package had none. `compile_options` are
    jtreg's options to compile a user's suite for a build without javac. `defaults` is set only in a
    validation, where they are compared.
    """

    id: BuildId
    entry: Annotated[str, AfterValidator(_without_older_mark)]
    version: Annotated[str, AfterValidator(_known_version)]
    vendor: str
    train: Annotated[int, Field(ge=1, le=999)]
    source: str
    sha256: str
    home: str
    facts: dict[str, str | bool | int | None]
    runtime: RuntimeFacts | None = None
    defaults: Defaults | None = None
    overlay: OverlayRecord | None = None
    altered: str | None = None
    configuration: str | None = None
    replaced: str | None = None
    refusal: str | None = None
    compile_options: tuple[str, ...] = ()
    java_options: tuple[str, ...] = Field(default=(), exclude_if=operator.not_)

    @property
    def jdk_version(self) -> JdkVersion:
        """Its version, to be compared."""
        return version.parse(self.version)

    @property
    def java_vendor(self) -> str:
        """Its `java.vendor`; the kit's word for the vendor if it did not say."""
        return str(self.facts.get("vendor") or self.vendor)

    @property
    def vendor_version(self) -> VendorVersion:
        """What known changes depend on."""
        return VendorVersion(self.jdk_version, self.java_vendor)

    @property
    def variant(self) -> str:
        """How it differs from the supplied entry: '', an overlay's name, `local` or `altered`.

        A `local` JDK, the user's own, may be a changed copy of the release that it says it is;
        `altered` is one that is known to be.
        """
        if self.overlay:
            name = self.overlay.name
        elif self.altered:
            name = "altered"
        else:
            name = "local" if self.is_local else ""
        return " ".join((name, *self.java_options)).strip()

    @property
    def test_options(self) -> tuple[str, ...]:
        """The options of its JVMs that run a test: those of its overlay, then the user's."""
        return (*(self.overlay.java_options if self.overlay else ()), *self.java_options)

    @property
    def is_local(self) -> bool:
        """Whether it is a JDK of the user's own, at its place."""
        return self.source == "local"

    @property
    def spec(self) -> str:
        """As a command line names it: its id in `jdks.yaml`, or its folder."""
        return command_line(self.home if self.is_local else self.entry)

    @property
    def option(self) -> str:
        """The option of `scripts/matrix run` that chooses it, without an overlay."""
        return f"{'--jdk' if self.is_local else '--build'} {self.spec}"

    @property
    def options(self) -> str:
        """The options of `scripts/matrix run` that choose this build, and no other."""
        overlay_options = (self.overlay.option,) if self.overlay else ()
        return " ".join((self.option, *overlay_options, *java_option_words(self.java_options)))

    @property
    def id_lines(self) -> tuple[str, str]:
        """The id on two lines, as the head of a column: its vendor, and the rest."""
        return self.vendor, self.id.removeprefix(f"{self.vendor}-")


class UnavailableRecord(Record):
    """A wanted build that no source could supply, with the reason of each source."""

    entry: str
    reasons: tuple[tuple[str, str], ...]

    @property
    def text(self) -> str:
        """`source: reason; source: reason`."""
        return "; ".join(f"{source}: {reason}" for source, reason in self.reasons)


class MachineRecord(Record):
    """Where the run took place. `memory_mib` is the machine's whole memory."""

    os: str
    kernel: str
    architecture: str
    cores: int
    memory_mib: int
    load_1min: float


class KitRecord(Record):
    """Which kit ran: its version, its commit if known, and its tools once they are known.

    `tool_jdk_source` is the source of the tool JDK, or who names it: `JAVA_HOME`, `--jdk`, `cache`.
    """

    version: str
    commit: str | None
    jtreg: str | None = None
    tool_jdk: str | None = None
    tool_jdk_source: str | None = None


class PlannedCell(Record):
    """A cell to run; a run is complete when each has a CellRecord.

    In the plan of a shard it may be a comparison: its baseline as `build`, `scenario/client` as
    `test`.
    """

    build: str
    test: InsidePath


class ShardRecord(Record):
    """Which part of a plan a run is. `plan` has the cells of every shard, in order.

    Its cells name a build as it was asked for, by an id of `jdks.yaml` or a path: which build that
    is may not be known until it is fetched. `lock_sha256` is that of `jdks.lock` at the start.
    """

    index: int
    count: int
    plan: tuple[tuple[PlannedCell, ...], ...]
    lock_sha256: str


class MergedShard(Record):
    """A run that is part of a merged run; `shard` is `I/N`."""

    shard: str
    run: str
    started: str
    finished: str | None
    machine: MachineRecord


class RunRecord(Record):
    """One run. Times are ISO 8601 in UTC; `finished` is None until every cell and block was run.

    `seconds` is how long it ran by a monotonic clock, without pauses and, if it measures, without
    the fetching before; None while it runs, and for good once it was killed.

    `speed` is what it measures, once that is planned. `shard` says which part of a plan it is,
    `merged` which parts it was made of. Schema 1 had `speed` in a file of its own (`store.py`).
    """

    schema_: Literal[1, 2] = 2
    run: str
    started: Moment
    finished: Moment | None = None
    seconds: Seconds | None = None
    request: Request
    machine: MachineRecord
    kit: KitRecord
    builds: tuple[BuildRecord, ...] = ()
    unavailable: tuple[UnavailableRecord, ...] = ()
    cells: tuple[PlannedCell, ...] = ()
    speed: ThroughputRecord | None = None
    shard: ShardRecord | None = None
    merged: tuple[MergedShard, ...] = ()

    @model_validator(mode="after")
    def _knows_its_builds(self) -> Self:
        build_ids = {build.id for build in self.builds}
        for cell in self.cells:
            if cell.build not in build_ids:
                raise ValueError(f"cells: no build {cell.build!r}")
        return self


class CellRecord(Record):
    """How one attempt at a cell went. `seconds` is its wall time, `test_seconds` that of its JVMs
    or what jtreg says.

    `cpu_s` is the CPU time of all its processes, `waited_s` the sum of how long their threads were
    ready but had no core; None where that is not known. `attempt` counts from 1.
    """

    build: BuildId
    test: InsidePath
    ended: ChildEnd
    status: Status
    status_text: Text
    seconds: Seconds
    test_seconds: Seconds | None
    cpu_s: Seconds | None = None
    waited_s: Seconds | None = None
    artifacts: tuple[InsidePath, ...]
    attempt: Annotated[int, Field(ge=1, le=99)] = 1

    @property
    def cell(self) -> PlannedCell:
        """The cell that this is an attempt at."""
        return PlannedCell(build=self.build, test=self.test)
