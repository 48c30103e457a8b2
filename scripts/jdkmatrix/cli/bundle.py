# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix bundle BUG`: what a reporter attaches to a bug in JBS."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jdkmatrix.cli import complete
from jdkmatrix.cli.options import Offline
from jdkmatrix.cli.printed import say
from jdkmatrix.errors import ExitCode
from jdkmatrix.paths import Checkout, shown_path, test_name
from jdkmatrix.vocabulary import Outcome

if TYPE_CHECKING:
    from jdkmatrix.bundle.flatten import JavaFiles
    from jdkmatrix.bundle.make import Bundle


def bundle(
    bug: Annotated[
        str,
        typer.Argument(
            metavar="BUG", help="A bug of the ledger: JDK-8293562.", autocompletion=complete.bugs
        ),
    ],
    run: Annotated[
        Path,
        typer.Option(
            metavar="RUN",
            help="A run's folder, or its name under reports/.",
            autocompletion=complete.runs,
        ),
    ] = Path("latest"),
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
) -> int:
    """Make the zip to attach to a bug: one Java file, and proof.

    The file needs nothing but java. It has the subject alone where that takes 350 lines at most
    and was seen to tell an affected build of the run from one that is not: those of the kit's
    cache are started again for it, and those that --jdk names. Beside it: the same
    with its controls, the fields that JBS and AQAvit ask for, results on every build of the run,
    java -version of each, evidence of the worst one, checksums.

    Example: scripts/matrix bundle 8293562 --run latest --out ~/jbs
    """
    from jdkmatrix.bundle.make import make_bundle
    from jdkmatrix.cli.tool_jdk import tool_jdk
    from jdkmatrix.config.ledger import load_ledger
    from jdkmatrix.records.store import RunFolder

    checkout = Checkout.current()
    ledger_bug = load_ledger(checkout.ledger).bug(bug, "bundle")
    folder = RunFolder.find(checkout.reports, run)
    package = make_bundle(
        checkout,
        ledger_bug,
        folder,
        out,
        lambda: tool_jdk(checkout, offline=offline),
        minimal=minimal,
        jdks=jdk or (),
    )
    _print(package)
    return ExitCode.OK


def _lengths(name: str, java: JavaFiles) -> dict[str, int]:
    from jdkmatrix.bundle.flatten import CONTROLS

    whole = java.whole.count("\n")
    return {name: java.length, f"{CONTROLS}/{name}": whole}


def _print(package: Bundle) -> None:

    material = package.material
    lines = [f"{material.bug.id}: {material.bug.title}"]
    for outcome in Outcome:
        if builds := material.builds_with(outcome):
            lines.append(f"{test_name(material.test)} {outcome}: {', '.join(builds)}")
    lengths = _lengths(Path(material.test).name, package.java)
    for name, size in package.sizes.items():
        extra = f", {lengths[name]} lines" if name in lengths else ""
        lines.append(f"  {name} ({size:,} bytes{extra})")
    if package.java.minimal is None:
        lines.append(f"  not cut down to its subject: {package.java.why_not}")
    lines += [f"  {missing}" for missing in package.missing]
    lines.append(f"bundle: {shown_path(package.place)} ({package.place.stat().st_size:,} bytes)")
    for line in lines:
        say(line)
