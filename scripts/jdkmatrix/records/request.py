# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did the user ask for? A run stores it; a plan needs nothing else of a record."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

from pydantic import Field

from jdkmatrix.config.accepted_changes import AcceptedChange
from jdkmatrix.config.patterns import Pattern
from jdkmatrix.errors import one_line
from jdkmatrix.records.model import Record
from jdkmatrix.texts import command_line
from jdkmatrix.vocabulary import Intent

# In characters: the texts of a record are of any length.
_MOST_OF_A_COMMAND = 4000


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
