# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix behave`: what does a JDK do, row by row, and what did an update change of that?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jdkmatrix.cli import options
from jdkmatrix.cli.printed import give, say
from jdkmatrix.errors import ExitCode, MachineError, NothingRanError, UsageError
from jdkmatrix.paths import Checkout, shown_path
from jdkmatrix.texts import document_text

if TYPE_CHECKING:
    from jdkmatrix.config.rulebook import Rulebook
    from jdkmatrix.flow.flow import FinishedRun
    from jdkmatrix.records.request import Request
    from jdkmatrix.results.document import ObservationResult
    from jdkmatrix.verdict.behaviour import Breach

GOLD_ROWS, ALL_ROWS = ":behave_gold", ":behave"
_MOST_SHOWN = 20


def behave(
    jdk: options.OneJdk = None,
    build: options.OneBuild = None,
    diff: options.SecondJdk = None,
    row: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Only rows with such ids, gold or not.")
    ] = None,
    every_row: Annotated[
        bool, typer.Option("--all", help="Every row, not only those known to tell builds apart.")
    ] = False,
    offline: options.Offline = False,
    out: options.RunFolderOut = None,
    as_json: options.AsJson = False,
) -> int:
    """Print what a JDK does, row by row, or what an update changed.

    Requests as a server sees them, redirects, odd replies, certificates, key stores, hellos: each
    row is one small experiment over loopback. Rows that changed alike are one line, with the bug
    of test/changes.yaml that explains it. A row that changed is asked again on both builds.

    Exit code 0: nothing changed that has no explanation; without --diff, no rule was broken that
    is not known. 1: something did, or was. 2: no answer. 4: bad arguments.

    Example: scripts/matrix behave --jdk ~/jdk-17.0.22 --diff debian-17
    """
    from jdkmatrix.config.rulebook import Rulebook

    if (jdk is None) == (build is None):
        raise UsageError("behave: accepted: one of --jdk PATH and --build ID")
    checkout = Checkout.current()
    rulebook = Rulebook.load(checkout)
    places = [place for place in (jdk or build, diff) if place]
    test = ALL_ROWS if row or every_row else GOLD_ROWS
    request = rows_request(checkout, places, row or (), is_path=jdk is not None, test=test)
    finished_run = measure_rows(checkout, request, offline=offline, out=out)
    results = finished_run.results
    if not any(cell.observations for cell in results.cells):
        raise UsageError(
            f"--row {' --row '.join(row or ())}: no such row; accepted: globs of the ids that "
            "scripts/matrix behave --all --json lists"
        )
    if diff:
        return _print_difference(finished_run, rulebook, as_json=as_json)
    return _print_build(finished_run, rulebook, as_json=as_json, is_whole=bool(row))


def rows_request(
    checkout: Checkout, places: list[str], globs: Sequence[str], *, is_path: bool, test: str
) -> Request:
    """The request for these rows of builds; only the first is surely a path, or surely an id."""
    from jdkmatrix.supply.catalog import Catalog

    catalog, builds, jdks = Catalog.of_checkout(checkout), [], []
    for number, place in enumerate(places):
        if is_path if number == 0 else Path(place).is_dir():
            jdks.append(place)
        else:
            builds.append(catalog.entry(place, "--diff" if number else "--build").id)
    request = options.request_of(builds, jdks, tests=[test], rows=tuple(globs))
    if len({*request.builds, *request.jdks}) < len(places):
        raise UsageError(f"--diff {places[1]}: is the build itself; accepted: another one")
    if len(request.jdks) > len(jdks):
        raise UsageError(f"behave: --jdk {places[0]}: {len(request.jdks)} JDKs; accepted: one")
    return request


def measure_rows(
    checkout: Checkout, request: Request, *, offline: bool, out: Path | None
) -> FinishedRun:
    """Run the rows. Raises MachineError if the run gives no answer."""
    from jdkmatrix.cli.console import progress_display
    from jdkmatrix.flow import flow
    from jdkmatrix.flow.tools import Tools
    from jdkmatrix.vocabulary import Grade

    run_options = flow.RunOptions(jobs=1, offline=offline, out=out)
    try:
        with progress_display() as display:
            finished_run = flow.run(Tools(checkout), request, run_options, display)
    except NothingRanError as error:
        raise MachineError(f"behave: no answer: {error}") from None
    results = finished_run.results
    for cell in results.cells:
        if cell.grade in (Grade.ERROR, Grade.BROKE):
            raise MachineError(f"behave: no answer: {cell.test} on {cell.build}: {cell.reason}")
    if not results.complete:
        raise MachineError("behave: no answer: not every row was run")
    return finished_run


def _print_build(
    finished_run: FinishedRun, rulebook: Rulebook, *, as_json: bool, is_whole: bool
) -> int:
    from jdkmatrix.grading.compared_behaviour import breaches_of, observations_of
    from jdkmatrix.words.behaviour import breach_lines

    results = finished_run.results
    (build,) = (record.id for record in results.builds)
    observations = observations_of(results, build)
    broken_rules = breaches_of(results, build, rulebook.behaviour)
    if as_json:
        _give_build(build, observations, broken_rules)
    else:
        say(f"{build}: {len(observations)} rows")
        is_short = is_whole and len(observations) <= _MOST_SHOWN
        say("\n".join(_observation_lines(observations, is_short=is_short)))
        say("\n".join(f"broken rule: {line}" for line in breach_lines(broken_rules)))
        say(f"report: {shown_path(finished_run.folder / 'index.html')}")
    is_new = any(breach.name is None for breach in broken_rules)
    return ExitCode.SURPRISE if is_new else ExitCode.OK


def _give_build(
    build: str, observations: tuple[ObservationResult, ...], broken_rules: tuple[Breach, ...]
) -> None:
    rows = [
        row.model_dump(mode="json", include={"row", "does", "status", "text", "notes"})
        | {"gold": row.is_gold}
        for row in observations
    ]
    breaches = [asdict(breach) for breach in broken_rules]
    give(document_text(1, build=build, observations=rows, broken_rules=breaches))


def _observation_lines(observations: tuple[ObservationResult, ...], *, is_short: bool) -> list[str]:
    """Each row, or, as they are hundreds, how many there are of each topic."""
    from collections import Counter

    if is_short:
        return [
            f"{row.row}: {row.does}\n  {row.text}{''.join(f' [{note}]' for note in row.notes)}"
            for row in observations
        ]
    topics = Counter(row.row.partition(".")[0] for row in observations)
    counts = ", ".join(f"{topic} {count}" for topic, count in sorted(topics.items()))
    return [f"{counts}; --json or --row GLOB prints them"]


def _print_difference(finished_run: FinishedRun, rulebook: Rulebook, *, as_json: bool) -> int:
    from jdkmatrix.config import version
    from jdkmatrix.grading.compared_behaviour import breaches_of, compare_builds
    from jdkmatrix.verdict.behaviour import ChangeRules
    from jdkmatrix.words.behaviour import breach_lines, difference_lines, headline

    results = finished_run.results
    records = sorted(results.builds, key=lambda record: version.parse(record.version))
    older, newer = (record.id for record in records)
    rules = ChangeRules(rulebook.behaviour, rulebook.known_changes)
    delta = compare_builds(results, (older, newer), rules)
    new_breaches = breaches_of(results, newer, rulebook.behaviour, older)
    if as_json:
        breaches = [asdict(breach) for breach in new_breaches]
        sides = {"baseline": older, "build": newer}
        give(document_text(1, **sides, **asdict(delta), broken_rules=breaches))
    else:
        say(f"{older} -> {newer}: {headline(delta)}")
        say("\n".join(difference_lines(delta)))
        say(
            "\n".join(
                f"breaks a rule that the older one keeps: {x}" for x in breach_lines(new_breaches)
            )
        )
        say(f"report: {shown_path(finished_run.folder / 'index.html')}")
    is_odd = any(not cluster.is_explained for cluster in delta.clusters) or any(
        breach.name is None for breach in new_breaches
    )
    return ExitCode.SURPRISE if is_odd else ExitCode.OK
