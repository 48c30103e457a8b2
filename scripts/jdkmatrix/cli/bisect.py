# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix bisect`: between which two builds was a bug fixed, and does the ledger agree?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jdkmatrix.cli import complete
from jdkmatrix.cli.options import AsJson, JavaOptions, Offline, request_of
from jdkmatrix.cli.printed import complain
from jdkmatrix.cli.try_program import (
    ClassPath,
    FailsWith,
    PassesWith,
    Timeout,
    program_request_of,
    tried_request,
)
from jdkmatrix.errors import ExitCode, NothingRanError, UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.texts import command_line

if TYPE_CHECKING:
    from jdkmatrix.bisect.candidates import Candidates, SearchableBuilds
    from jdkmatrix.bisect.search import Probe
    from jdkmatrix.cli.bisection import SearchAnswer, Tell
    from jdkmatrix.config.ledger import Bug, Ledger
    from jdkmatrix.records.request import ProgramRequest, Request


def bisect(
    bug_id: Annotated[
        str | None,
        typer.Argument(
            metavar="[BUG]", help="A bug of the ledger: 8293562.", autocompletion=complete.bugs
        ),
    ] = None,
    file: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Instead of a bug: a program, as `try` takes it; no ledger."
        ),
    ] = None,
    fails_with: FailsWith = None,
    passes_with: PassesWith = None,
    error: Annotated[
        float,
        typer.Option(
            metavar="P", min=0.001, max=0.3, help="With --file: how often it may be wrong."
        ),
    ] = 0.05,
    timeout: Timeout = 60.0,
    class_path: ClassPath = None,
    java_option: JavaOptions = None,
    train: Annotated[
        int | None,
        typer.Option(metavar="N", help="The train to search. Default: each with both sides."),
    ] = None,
    good: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="With --bad: search between these two builds.",
            autocompletion=complete.builds,
        ),
    ] = None,
    bad: Annotated[
        str | None,
        typer.Option(metavar="ID", help="A build with the bug.", autocompletion=complete.builds),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Which test of the bug, or of --suite. Default: the bug's first.",
            autocompletion=complete.tests,
        ),
    ] = None,
    suite: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Instead of a bug: a suite as `run` takes it, with its --test."
        ),
    ] = None,
    jdk: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH",
            help="A JDK at hand to search as well, or a pattern: '~/nightly/*'; repeatable.",
        ),
    ] = None,
    offline: Offline = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where its runs go. Default: a new folder in reports/."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Find the first fixed build of a train in few runs.

    What it finds is compared with the ledger. Where builds of the train lie between the two, it
    says which.

    With --file it finds the first bad and the first fixed build of a program that fails, by
    --fails-with, --passes-with or else its exit code (0 passes, 125 cannot tell). One that fails by
    chance is run as often as it takes to be wrong in 5 % of searches at most (--error). With
    --suite and --test it does so for a test of your own suite.

    Example: scripts/matrix bisect JDK-8293562 --train 17

    Example: scripts/matrix bisect --file Repro.java --fails-with 'CR expected' --train 17
    """
    from jdkmatrix.cli.bisection import Answers
    from jdkmatrix.cli.console import progress_display
    from jdkmatrix.cli.runs import runs
    from jdkmatrix.flow.tools import Tools
    from jdkmatrix.machine.loopback import check_loopback
    from jdkmatrix.machine.run_lock import going_on
    from jdkmatrix.records.store import RunFolder, keep_bisection

    checkout = Checkout.current()
    if file or suite:
        _check_program(bug_id, file, suite, test)
        program = program_request_of(
            [file or "{java}"],
            class_path or [],
            java_option or [],
            fails_with=fails_with,
            passes_with=passes_with,
            by_exit_code=not (fails_with or passes_with),
            timeout_s=timeout,
        )
        searched_program = _suite_test(suite, test, program) if suite and test else _file(program)
        builds = _find_builds(checkout, jdk)
        options = _options_of_builds(jdk or [], offline=offline)
        bisection = _of_program(searched_program, builds, train, good, bad, error, options)
    elif bug_id is None:
        raise UsageError("bisect: accepted: a bug of the ledger, --file FILE.java, or --suite DIR")
    elif fails_with or passes_with or class_path or java_option:
        raise UsageError(
            "bisect: --fails-with and the like are of a program; accepted: with --file"
        )
    else:
        bisection = _of_bug(checkout, bug_id, test, train, good, bad, jdk or [], offline=offline)
    check_loopback()
    folder = RunFolder.create(checkout.reports, out).path
    answers = Answers(as_json=as_json)
    with progress_display() as display, going_on(folder):
        run = runs(Tools(checkout), display, jobs=1, offline=offline)
        probe = bisection.probe_of(run=run, folder=folder, say=complain)
        code = bisection.search(probe=probe, tell=answers.tell)
    if bisection.program:
        keep_bisection(folder, bisection.program, answers.lines)
    answers.end(bisection.subject, folder)
    return code


@dataclass(frozen=True)
class _Bisection:
    """What is searched for with which probe, and how the answers name it; `program` is its path."""

    search: Callable[..., ExitCode]
    probe_of: Callable[..., object]
    subject: Mapping[str, str]
    program: Path | None = None


@dataclass(frozen=True)
class _SearchedProgram:
    """What is searched for: where it lies, how it is run, and the options that name it."""

    path: Path
    request: Request
    options: tuple[str, ...]


def _check_program(
    bug_id: str | None, file: str | None, suite: Path | None, test: str | None
) -> None:
    if suite and (file or bug_id or not test):
        raise UsageError(f"--suite {suite}: accepted: with --test, without a bug and --file")
    if file and (bug_id or test):
        raise UsageError(f"--file {file}: accepted: without a bug and --test")


def _file(program: ProgramRequest) -> _SearchedProgram:
    request = tried_request(request_of(tests=["program"]), program)
    path = Path(str(program.path))
    return _SearchedProgram(path, request, ("--file", str(path), *_options(program)))


def _suite_test(suite: Path, test: str, program: ProgramRequest) -> _SearchedProgram:
    """A test of a jtreg suite, judged by jtreg, or of a folder of plain programs."""
    request = request_of(suite=str(suite), tests=[test])
    path = Path(str(request.suite), test)
    if not path.is_file():
        raise UsageError(f"--test {test}: not in {suite}; accepted: the path of a test in it")
    if request.program:
        own_program = program.model_copy(update={"command": (), "path": None})
        request = request.model_copy(update={"program": own_program})
    elif not program.by_exit_code:
        raise UsageError(f"--fails-with, --passes-with: {suite} is a jtreg suite, which judges")
    options = ("--suite", str(suite), "--test", test, *_options(program))
    return _SearchedProgram(path, request, options)


def _options(program: ProgramRequest) -> tuple[str, ...]:
    """The words that say how it is run and when it fails; here, its exit code always counts."""
    judging = (word for word in program.judging_options if word != "--by-exit-code")
    paths = (word for path in program.class_path for word in ("--cp", path))
    return (*judging, *paths, *(f"--java-option={option}" for option in program.java_options))


def _of_program(
    program: _SearchedProgram,
    builds: SearchableBuilds,
    train: int | None,
    good: str | None,
    bad: str | None,
    error: float,
    options: list[str],
) -> _Bisection:
    """The search for the change after which a program fails, or no longer does."""
    from jdkmatrix.bisect.probes import ProgramProbe
    from jdkmatrix.cli.file_bisection import lines_to_search, search_lines

    lines = lines_to_search(builds, train, good, bad)
    command = ("scripts/matrix", "bisect", *program.options, "--error", f"{error:g}", *options)
    return _Bisection(
        search=partial(search_lines, lines, error=error, command=command),
        probe_of=partial(ProgramProbe, request=program.request, versions=builds.versions),
        subject={"subject": program.path.name},
        program=program.path,
    )


def _of_bug(
    checkout: Checkout,
    bug_id: str,
    test: str | None,
    train: int | None,
    good: str | None,
    bad: str | None,
    jdks: list[str],
    *,
    offline: bool,
) -> _Bisection:
    """The searches for a bug's fix, as one of its tests shows it."""
    from jdkmatrix.bisect.probes import ReproducerProbe
    from jdkmatrix.config.ledger import load_ledger
    from jdkmatrix.records.request import Request

    ledger = load_ledger(checkout.ledger)
    bug = ledger.bug(bug_id, "bisect")
    reproducer = _test_of(bug, test)
    builds = _find_builds(checkout, jdks)
    searches = searches_of(bug, reproducer, ledger, builds, train, good, bad)
    request = Request(tests=(reproducer,))
    return _Bisection(
        search=partial(search_all, bug, ledger, reproducer, searches, jdks=jdks, offline=offline),
        probe_of=partial(ReproducerProbe, request=request, versions=builds.versions),
        subject={"bug": bug.id, "test": reproducer},
    )


def _options_of_builds(jdks: Sequence[str], *, offline: bool) -> list[str]:
    options = [word for path in jdks for word in ("--jdk", path)]
    return [*options, "--offline"] if offline else options


def _find_builds(checkout: Checkout, jdks: list[str] | None) -> SearchableBuilds:
    """The builds of jdks.yaml and the given JDKs. Raises UsageError for a path that is no JDK."""
    from jdkmatrix.bisect.candidates import known_builds
    from jdkmatrix.supply.catalog import Catalog
    from jdkmatrix.supply.supplier import Supplier

    supplier = Supplier.of_checkout(checkout, offline=True)
    paths = request_of(jdks=jdks).jdks if jdks else ()
    local_versions = {path: supplier.local(Path(path)).version for path in paths}
    return known_builds(Catalog.of_checkout(checkout), local_versions)


def searches_of(
    bug: Bug,
    test: str,
    ledger: Ledger,
    builds: SearchableBuilds,
    train: int | None,
    good: str | None,
    bad: str | None,
) -> list[Candidates]:
    """The searches for the bug's change: between two builds, in a train, or in all with both sides.

    Raises UsageError.
    """
    from jdkmatrix.bisect.candidates import between, of_train, trains_with_both

    if good or bad:
        if not (good and bad) or train is not None:
            raise UsageError("--good and --bad: accepted: both of them, without --train")
        return [between(good, bad, builds)]
    trains = (train,) if train else trains_with_both(bug, ledger, builds, test)
    return [of_train(bug, n, ledger, builds, test) for n in trains]


def search_all(
    bug: Bug,
    ledger: Ledger,
    test: str,
    searches: Sequence[Candidates],
    probe: Probe,
    tell: Tell,
    *,
    jdks: Sequence[str] = (),
    offline: bool = False,
) -> ExitCode:
    """Do each search and print its result; one without an answer does not stop the others.

    UnfinishedError says how to continue, with the `jdks` as they were given.
    """
    options = _options_of_builds(jdks, offline=offline)
    command = command_line("scripts/matrix", "bisect", bug.id, "--test", test, *options)
    agrees = True
    failure: UsageError | NothingRanError | None = None
    for candidates in searches:
        try:
            answer = _search(bug, ledger, test, candidates, probe, command)
            tell(answer)
            agrees = bool(answer.agrees) and agrees
        except (UsageError, NothingRanError) as error:
            failure = error
            complain(f"matrix: {error}")
    if not agrees:
        return ExitCode.SURPRISE
    return failure.exit_code if failure else ExitCode.OK


def _search(
    bug: Bug, ledger: Ledger, test: str, candidates: Candidates, probe: Probe, command: str
) -> SearchAnswer:
    """Search one train.

    If the ends do not differ and the ledger says the same of them, raises UsageError, or
    NothingRanError if builds could not be run.
    """
    from jdkmatrix.bisect.conclusion import narrowing, verdict, verdict_of_ends
    from jdkmatrix.bisect.search import BugState, NoBothSidesError
    from jdkmatrix.cli.bisection import SearchAnswer, costs, error_of_ends, passed_over, search_of

    versions = candidates.versions
    try:
        change = search_of(candidates, probe, command)
    except NoBothSidesError as error:
        conclusion = verdict_of_ends(bug, ledger, test, error.ends, versions)
        if conclusion.agrees:
            raise error_of_ends(error, candidates) from None
        lines = (conclusion.text, *costs(error.runs, candidates))
        return SearchAnswer(candidates.train, lines, agrees=conclusion.agrees)
    old, new = versions[change.older], versions[change.newer]
    conclusion = verdict(bug, ledger, test, old, new, candidates.first)
    gap = narrowing(old, new)
    lines = (
        conclusion.text,
        *([f"  {gap}"] if gap else []),
        *costs(change.runs, candidates),
        *passed_over(change),
    )
    is_fix = candidates.first is BugState.BAD
    return SearchAnswer(
        candidates.train,
        lines,
        last_good=None if is_fix else change.older,
        first_bad=None if is_fix else change.newer,
        last_bad=change.older if is_fix else None,
        first_fixed=change.newer if is_fix else None,
        agrees=conclusion.agrees,
    )


def _test_of(bug: Bug, test: str | None) -> str:
    if test is None:
        return bug.tests[0]
    path = test.removeprefix("./").removeprefix("test/").removesuffix(".java") + ".java"
    if path not in bug.tests:
        raise UsageError(f"--test {test}: not a test of {bug.id}; accepted: {', '.join(bug.tests)}")
    return path
