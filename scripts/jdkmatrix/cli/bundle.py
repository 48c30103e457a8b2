# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix bundle`: what a reporter attaches to a bug in JBS."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jdkmatrix.cli import complete
from jdkmatrix.cli.options import AsJson, Offline
from jdkmatrix.cli.printed import give, say
from jdkmatrix.cli.try_program import FailsWith, PassesWith
from jdkmatrix.errors import ExitCode, UsageError
from jdkmatrix.paths import Checkout, shown_path, test_name
from jdkmatrix.texts import document_text
from jdkmatrix.vocabulary import Outcome

if TYPE_CHECKING:
    from jdkmatrix.bundle.make import Bundle, ProgramBundle


def bundle(
    bug: Annotated[
        str | None,
        typer.Argument(
            metavar="[BUG]", help="A bug of the ledger: JDK-8293562.", autocompletion=complete.bugs
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.java",
            help="Instead of a bug: a program that `try` ran, or a test of a suite.",
        ),
    ] = None,
    run: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN",
            help="A run's folder, or its name under reports/. Default: latest; the file's newest.",
            autocompletion=complete.runs,
        ),
    ] = None,
    fails_with: FailsWith = None,
    passes_with: PassesWith = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the zip goes. Default: the run's folder."),
    ] = None,
    minimal: Annotated[
        bool,
        typer.Option(help="Whether to make the file of the subject alone, and to try it."),
    ] = True,
    jdk: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH",
            help="A JDK of the run that lies outside the kit's cache. It is started again.",
        ),
    ] = None,
    offline: Offline = False,
    as_json: AsJson = False,
) -> int:
    """Make the zip to attach to a bug: one Java file, and proof.

    The file needs nothing but java. It has the subject alone where that takes 400 lines at most
    and was seen to tell an affected build of the run from one that is not: those of the kit's
    cache are started again for it, and those that --jdk names. Beside it: the same
    with its controls, the fields that JBS and AQAvit ask for, results on every build of the run,
    java -version of each, evidence of the worst one, checksums.

    With --file it is your own file, as it is, with what each build said in a run of `try`. Where
    its exit code does not say on which it fails, --fails-with or --passes-with does. The newest
    bisection of it goes in, too.

    Example: scripts/matrix bundle 8293562 --run latest --out ~/jbs

    Example: scripts/matrix bundle --file Repro.java --fails-with 'CR expected'
    """
    from jdkmatrix.bundle.make import make_bundle
    from jdkmatrix.cli.tool_jdk import tool_jdk
    from jdkmatrix.config.ledger import load_ledger
    from jdkmatrix.records.store import RunFolder

    checkout = Checkout.current()
    if file:
        if bug:
            raise UsageError(f"--file {file}: accepted: without a bug")
        program = _bundle_file(
            checkout, file, run, out, fails_with, passes_with, jdk or [], offline=offline
        )
        _tell(_contents_of_program(program, file), program.place, as_json=as_json)
        return ExitCode.OK
    if bug is None:
        raise UsageError("bundle: accepted: a bug of the ledger, or --file FILE.java")
    if fails_with or passes_with:
        raise UsageError("bundle: --fails-with and --passes-with: accepted: with --file")
    ledger_bug = load_ledger(checkout.ledger).bug(bug, "bundle")
    folder = RunFolder.find(checkout.reports, run or Path("latest"))
    package = make_bundle(
        checkout,
        ledger_bug,
        folder,
        out,
        lambda: tool_jdk(checkout, offline=offline),
        minimal=minimal,
        jdks=jdk or (),
    )
    _tell(_contents(package), package.place, as_json=as_json)
    return ExitCode.OK


def _bundle_file(
    checkout: Checkout,
    file: Path,
    run: Path | None,
    out: Path | None,
    fails_with: str | None,
    passes_with: str | None,
    jdks: list[Path],
    *,
    offline: bool,
) -> ProgramBundle:
    """Bundle a reporter's own file."""
    from jdkmatrix.bundle.make import make_program_bundle
    from jdkmatrix.cli.tool_jdk import tool_jdk
    from jdkmatrix.run.cells.programs import check_pattern

    check_pattern("--fails-with", fails_with)
    check_pattern("--passes-with", passes_with)
    if file.suffix != ".java" or not file.is_file():
        raise UsageError(f"--file {file}: no such file; accepted: a Java file")
    return make_program_bundle(
        checkout,
        file.resolve(),
        run,
        out,
        lambda: tool_jdk(checkout, offline=offline),
        fails_with=fails_with,
        passes_with=passes_with,
        jdks=jdks,
    )


def _contents(package: Bundle) -> dict[str, Any]:
    """The document of a bug's bundle; of `builds`, by outcome, those with any."""
    from jdkmatrix.bundle.flatten import CONTROLS

    material, java = package.material, package.java
    name = Path(material.test).name
    lacks = list(package.missing)
    if java.minimal is None:
        lacks.insert(0, f"not cut down to its subject: {java.why_not}")
    return {
        "bug": material.bug.id,
        "title": material.bug.title,
        "subject": test_name(material.test),
        "builds": {
            outcome: builds for outcome in Outcome if (builds := material.builds_with(outcome))
        },
        "files": _files(
            package.sizes, {name: java.length, f"{CONTROLS}/{name}": java.whole.count("\n")}
        ),
        "lacks": lacks,
    }


def _contents_of_program(package: ProgramBundle, file: Path) -> dict[str, Any]:
    from jdkmatrix.words.programs import JUDGED_WORDS

    return {
        "bug": None,
        "title": None,
        "subject": file.name,
        "builds": {
            word: [build.id for build in builds]
            for outcome, word in JUDGED_WORDS.items()
            if (builds := package.material.builds_with(outcome))
        },
        "files": _files(package.sizes, {}),
        "lacks": package.missing,
    }


def _files(size_bytes: Mapping[str, int], line_counts: Mapping[str, int]) -> list[dict[str, Any]]:
    return [
        {"path": name, "size_bytes": size, "lines": line_counts.get(name)}
        for name, size in size_bytes.items()
    ]


def _tell(contents: dict[str, Any], place: Path, *, as_json: bool) -> None:
    """Print the document, or the same as text."""
    zip_bytes = place.stat().st_size
    if as_json:
        give(document_text(1, **contents, zip=shown_path(place), size_bytes=zip_bytes))
        return
    if contents["bug"]:
        say(f"{contents['bug']}: {contents['title']}")
    for word, ids in contents["builds"].items():
        say(f"{contents['subject']} {word}: {', '.join(ids)}")
    for file in contents["files"]:
        lines = "" if file["lines"] is None else f", {file['lines']} lines"
        say(f"  {file['path']} ({file['size_bytes']:,} bytes{lines})")
    for lack in contents["lacks"]:
        say(f"  {lack}")
    say(f"bundle: {shown_path(place)} ({zip_bytes:,} bytes)")
