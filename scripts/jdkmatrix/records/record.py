# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a run store while it runs, so that it can be resumed and graded again?

A run folder holds `run.json` (a RunRecord) and, for each finished cell, a folder with `cell.json`
(a CellRecord) beside that cell's files. The further attempts at a surprise lie in its subfolders
`attempt-2` and `attempt-3`, each with a `cell.json` of its own.
"""

import operator
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from jdkmatrix.config import version
from jdkmatrix.config.accepted_changes import AcceptedChange
from jdkmatrix.config.known_changes import VendorVersion
from jdkmatrix.config.patterns import Pattern
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import one_line
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.records.comparison_record import ThroughputRecord
from jdkmatrix.records.model import BuildId, CommandLine, InsidePath, Record, Seconds, Text
from jdkmatrix.records.older_marks import JUDGED, strip_mark
from jdkmatrix.supply.defaults import Defaults
from jdkmatrix.supply.runtime_facts import RuntimeFacts
from jdkmatrix.texts import command_line
from jdkmatrix.vocabulary import Intent, Status

# In characters: the texts of a record are of any length.
_MOST_OF_A_COMMAND = 4000
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


def java_option_words(options: Iterable[str]) -> Iterator[str]:
    """How a command line gives options of java, some of which begin with two dashes."""
    return (f"--java-option={command_line(option)}" for option in options)


class SpeedRequest(Record):
    """What is to be measured: the options of `scripts/matrix throughput` that choose comparisons.

    `baseline` is an id of `jdks.yaml`, the build that it was when last fetched, or a path. `copies`
    is how often each baseline is compared with itself, besides the control arm; `blocks` is the
    maximum per comparison. `minutes` limits the time of all comparisons together. Of a validation,
    `is_baseline_named` says that the user named its baseline, and `twins` are ids of builds that
    were passed over for it, as they are of the candidate's own update; `counterpart` is another
    vendor's build of the candidate's version, an id of `jdks.yaml`.
    """

    scenarios: tuple[str, ...] = ()
    clients: tuple[str, ...] = ()
    baseline: str | None = None
    copies: int = 0
    sweep: bool = False
    blocks: int
    minimum_effect: float
    seed: int
    minutes: int | None = None
    is_baseline_named: bool = False
    twins: tuple[str, ...] = ()
    counterpart: str | None = None


class ProgramRequest(Record):
    """How programs are run that are no tests: nothing is known of them beforehand.

    `path` is the file or folder that `try` was given, absolute; None for a `command`, whose words
    may have `{java}`, `{javac}` and `{home}`, and for a suite of programs. `class_path` is absolute
    too. Each is run `times` times, for `timeout_s` at most. Of the two patterns, which are regular
    expressions, one at most is given; with `by_exit_code` the code decides, as for `git bisect
    run`. Without any of these three, builds are only compared.
    """

    path: str | None = None
    command: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    java_options: tuple[str, ...] = ()
    class_path: tuple[str, ...] = ()
    timeout_s: Annotated[float, Field(gt=0, le=86_400)] = 60.0
    times: Annotated[int, Field(ge=1, le=99)] = 1
    fails_with: Pattern | None = None
    passes_with: Pattern | None = None
    by_exit_code: bool = False
    in_place: bool = False

    @property
    def judges(self) -> bool:
        """Does it say of each build whether it is good?"""
        return bool(self.fails_with or self.passes_with or self.by_exit_code)

    @property
    def has_usual_timeout(self) -> bool:
        """Did nobody choose how long it may take? Then a header may give it longer."""
        return bool(self.timeout_s == type(self).model_fields["timeout_s"].default)

    @property
    def judging_options(self) -> tuple[str, ...]:
        """The words that say when it fails: one that takes too long does, too."""
        options = (
            ("--fails-with", self.fails_with),
            ("--passes-with", self.passes_with),
            ("--timeout", None if self.has_usual_timeout else f"{self.timeout_s:g}"),
        )
        words = tuple(word for option, text in options if text for word in (option, text))
        return (*words, *(["--by-exit-code"] if self.by_exit_code else []))

    @property
    def places(self) -> tuple[str, ...]:
        """What is started, and with what, as the command line names it; the program last."""
        options = [command_line("--cp", path) for path in self.class_path]
        options += java_option_words(self.java_options)
        if self.path:
            arguments = command_line("--", *self.arguments) if self.arguments else ""
            return (*options, f"{command_line(self.path)} {arguments}".rstrip())
        return (*options, f"-- {command_line(*self.command)}") if self.command else tuple(options)


class Request(Record):
    """What the user asked for: which builds, and what is to be run on them.

    `sources` are those that a patch is applied to, `expect` what an overlay is meant to do.
    `java_options` are of each JVM of a build that runs a test.

    `cells`: the reproducers, or the tests of a `suite`; `speed`: comparisons. `shard` is `I/N`.
    With `program`, the tests of the `suite` are plain programs.
    `rows` are globs for the rows of tests that have some; none means all. `accepted_changes` are
    those of behaviour that somebody has accepted. `record` records every test, `confirm` runs again
    what was not as expected; with `archive` JVMs map their classes from an archive. With both
    `cells` and `speed` the run is a validation, which has its own workloads.
    """

    builds: tuple[str, ...] = ()
    jdks: tuple[str, ...] = ()
    bugs: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    accepted_changes: tuple[AcceptedChange, ...] = ()
    suite: str | None = None
    overlay: str | None = None
    overlay_patch: str | None = None
    sources: str | None = None
    expect: Intent | None = None
    java_options: tuple[str, ...] = ()
    timeout_factor: float = 1.0
    shard: str | None = None
    record: bool = False
    confirm: bool = True
    archive: bool = True
    cells: bool = True
    speed: SpeedRequest | None = None
    program: ProgramRequest | None = None

    @property
    def validates(self) -> bool:
        """Is it a validation?"""
        return self.cells and self.speed is not None

    @property
    def tries(self) -> bool:
        """Is it of one program that the user named, or of a command?"""
        return self.program is not None and bool(self.program.path or self.program.command)

    @property
    def needs_compiler(self) -> bool:
        """Must each build have a javac, or be given one?"""
        if self.program:
            return any("{javac}" in word for word in self.program.command)
        return self.suite is not None

    @property
    def command(self) -> str:
        """The command that makes such a run: `run`, `throughput`, `validate` or `try`."""
        if self.validates:
            return "validate"
        if self.tries:
            return "try"
        return "throughput" if self.speed else "run"

    @property
    def places(self) -> tuple[str, ...]:
        """What the run starts from outside the kit: each path with the option that names it."""
        baseline = self.speed.baseline if self.validates and self.speed else None
        pairs = [("" if self.validates else "--jdk ", path) for path in self.jdks]
        pairs += [
            (option, path)
            for option, path in (
                ("--suite ", None if self.tries else self.suite),
                ("--overlay ", self.overlay),
                ("--overlay-patch ", self.overlay_patch),
                ("--sources ", self.sources),
                ("--baseline ", baseline if baseline and "/" in baseline else None),
            )
            if path
        ]
        places = [f"{option}{command_line(path)}" for option, path in pairs]
        return (*places, *(self.program.places if self.program else ()))

    def resumed_by(self, out: Path | None, *options: str) -> str:
        """The command line that resumes the run, with these options. `out` is the run's folder if
        it is not the latest run; its places have to be named then.
        """
        places = self.places if out else ()
        last = places[-1:] if self.tries else ()  # what follows a program is its own
        out_options = (command_line("--out", out),) if out else ()
        rest = (*places[: len(places) - len(last)], *out_options, *options, *last)
        words = ("scripts/matrix", self.command, "--resume", *rest)
        return one_line(" ".join(words), _MOST_OF_A_COMMAND)


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
