# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix jdks`: which builds are there, and get them into the cache."""

import json
from typing import Annotated

import typer
from rich.markup import escape

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.cli.console import progress_console, result_console
from jdkmatrix.config.jdks import BuildEntry, load_jdks
from jdkmatrix.errors import ExitCode
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.cells import plan_entries
from jdkmatrix.report.display import Display
from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.fetch import Supplier
from jdkmatrix.supply.lock import LockFile, this_platform
from jdkmatrix.supply.progress import Progress

app = typer.Typer(
    help="The JDK builds of jdks.yaml: which are cached, and fetch them.", no_args_is_help=True
)


@app.command("list")
def list_builds(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """List every build of jdks.yaml and whether its bytes are in the cache, intact.

    Example: scripts/matrix jdks list --json
    """
    checkout = Checkout.here()
    entries = load_jdks(checkout.jdks).builds
    supplied = _supplier(checkout, offline=True).supply(entries)
    if as_json:
        rows = [_row(entry, build) for entry, build in zip(entries, supplied, strict=True)]
        print(json.dumps({"builds": rows}, indent=1))
        return ExitCode.OK
    console = result_console()
    for entry, build in zip(entries, supplied, strict=True):
        if isinstance(build, Build):
            text = f"{entry.id:<20} cached  {build.source:<7} {build.facts.version}"
        else:
            text = f"{entry.id:<20} -       {build.reasons[-1][1]}"
        console.print(escape(text), highlight=False, soft_wrap=True)
    return ExitCode.OK


@app.command("fetch")
def fetch(
    builds: Annotated[
        list[str] | None, typer.Argument(metavar="[ID|GLOB]...", help="Default: the selection.")
    ] = None,
) -> int:
    """Get builds into the cache, with the tool JDK and jtreg, so that --offline can run them.

    Example: scripts/matrix jdks fetch 'temurin-17*'
    """
    checkout = Checkout.here()
    build_ids = LockFile(checkout.lock).build_ids(this_platform())
    entries = plan_entries(load_jdks(checkout.jdks), builds or (), build_ids)
    with Display(progress_console()) as display:
        supplier = _supplier(checkout, offline=False, progress=display)
        supplied = supplier.supply(entries)
        supplier.tool_jdk()
        supplier.jtreg()
    missing = [build for build in supplied if isinstance(build, Unavailable)]
    for build in supplied:
        print(build if isinstance(build, Unavailable) else f"{build.entry_id}: {build.home}")
    return ExitCode.MACHINE if missing else ExitCode.OK


def _supplier(checkout: Checkout, *, offline: bool, progress: Progress | None = None) -> Supplier:
    return Supplier(
        load_jdks(checkout.jdks),
        checkout.lock,
        cache_root(),
        offline=offline,
        progress=progress,
    )


def _row(entry: BuildEntry, build: Build | Unavailable) -> dict[str, object]:
    """One build as DESIGN.md section 4 has it; what is not cached has no version of its own."""
    if isinstance(build, Unavailable):
        return {
            "id": entry.id,
            "entry": entry.id,
            "home": None,
            "version": None if entry.moves else str(entry.version),
            "vendor": entry.vendor,
            "train": entry.version.train,
            "source": entry.sources[0].source,
            "sha256": None,
            "cached": False,
        }
    return {
        "id": build.id,
        "entry": entry.id,
        "home": str(build.home),
        "version": str(build.version),
        "vendor": build.vendor,
        "train": build.train,
        "source": build.source,
        "sha256": build.sha256,
        "cached": True,
    }
