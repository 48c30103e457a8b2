# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix facts`: what does a JDK do by default, and what did an update change of that?"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jdkmatrix.cli import complete
from jdkmatrix.cli.options import Offline
from jdkmatrix.cli.printed import give, say
from jdkmatrix.config import version
from jdkmatrix.errors import ExitCode, MachineError, UsageError
from jdkmatrix.paths import Checkout

if TYPE_CHECKING:
    from jdkmatrix.config.jdks import BuildEntry
    from jdkmatrix.supply.build import Build
    from jdkmatrix.supply.defaults import Defaults
    from jdkmatrix.supply.supplier import Supplier

# A JDK has hundreds of these: without a comparison their number is enough.
_COUNTED = ("service", "root", "known-property", "supported-cipher-suite")


def facts(
    jdk: Annotated[str | None, typer.Option(metavar="PATH", help="The folder of a JDK.")] = None,
    build: Annotated[
        str | None,
        typer.Option(metavar="ID", help="A build of jdks.yaml.", autocompletion=complete.builds),
    ] = None,
    diff: Annotated[
        str | None,
        typer.Option(
            metavar="ID|PATH",
            help="A second JDK: print what changed from the older to the newer.",
            autocompletion=complete.builds,
        ),
    ] = None,
    offline: Offline = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> int:
    """Print what a JDK does by default, or what an update changed.

    Protocols, cipher suites, groups, signature schemes, session settings, disabled algorithms,
    security properties, providers and their services, roots, and the names of the properties that
    its classes know. test/changes.yaml says which bug a change belongs to.

    Exit code 0: nothing changed that has no explanation. 1: something did. 4: bad arguments.

    Example: scripts/matrix facts --jdk ~/jdk-17.0.22 --diff debian-17
    """
    from jdkmatrix.cli.console import progress_console
    from jdkmatrix.config.known_changes import load_known_changes
    from jdkmatrix.report.console.display import Display
    from jdkmatrix.results.defaults_words import difference_headline, difference_lines
    from jdkmatrix.supply.supplier import Supplier
    from jdkmatrix.verdict.defaults_difference import difference

    if (jdk is None) == (build is None):
        raise UsageError("facts: accepted: one of --jdk PATH and --build ID")
    checkout = Checkout.here()
    known = load_known_changes(checkout.known_changes)
    wanted: dict[str, BuildEntry | Path] = {}
    if build:
        wanted["--build"] = _wanted(checkout, build, "--build")
    else:
        wanted["--jdk"] = Path(jdk or ".")
    if diff:
        wanted["--diff"] = Path(diff) if Path(diff).is_dir() else _wanted(checkout, diff, "--diff")
    with Display(progress_console()) as display:
        supplier = Supplier.of(checkout, offline, display)
        builds = [_build(supplier, option, one) for option, one in wanted.items()]
        told = [_defaults(checkout, supplier, one) for one in builds]
    if not diff:
        if as_json:
            give(told[0].model_dump_json(indent=1))
        else:
            say("\n".join([*_lines(told[0]), *_composed(builds)]))
        return ExitCode.OK
    older, newer = sorted(
        zip(builds, told, strict=True), key=lambda one: version.parse(one[1].version)
    )
    found = difference(older[1], newer[1], known)
    names = [older[0].id, newer[0].id]
    if older[0].id == newer[0].id:  # a release, and a build of the user's own of it
        names = [f"{one.id} ({one.home})" for one, _ in (older, newer)]
    if as_json:
        give(json.dumps({"older": names[0], "newer": names[1], **asdict(found)}, indent=1))
    else:
        say(f"{names[0]} -> {names[1]}: {difference_headline(found)}")
        say("\n".join([*difference_lines(found), *_composed(builds)]))
    return ExitCode.SURPRISE if found.unexplained else ExitCode.OK


def _composed(builds: Iterable[Build]) -> list[str]:
    """What of these facts is the kit's own doing: a configuration that it composed."""
    return [f"{build.id}: {build.configuration}" for build in builds if build.configuration]


def _wanted(checkout: Checkout, name: str, option: str) -> BuildEntry:
    from jdkmatrix.config.jdks import load_jdks
    from jdkmatrix.plan.selection import entry_named
    from jdkmatrix.supply.cache.jdks_lock import LockFile

    ids = LockFile(checkout.lock).build_ids()
    return entry_named(load_jdks(checkout.jdks), ids, name, option)


def _build(supplier: Supplier, option: str, wanted: BuildEntry | Path) -> Build:
    from jdkmatrix.supply.build import Build

    if isinstance(wanted, Path):
        return supplier.local(wanted, option)
    (got,) = supplier.supply([wanted])
    if not isinstance(got, Build):
        raise MachineError(str(got))
    return got


def _defaults(checkout: Checkout, supplier: Supplier, build: Build) -> Defaults:
    from jdkmatrix.supply.probe import Probe
    from jdkmatrix.supply.sources.source import SourceError

    try:
        return Probe(supplier.tool_jdk().home, checkout.facts_sources).defaults(build)
    except SourceError as error:
        raise MachineError(f"{build.id}: {error}") from None


def _lines(told: Defaults) -> Iterable[str]:
    yield f"{told.version}, {told.vendor}"
    for aspect, items in told.aspects.items():
        if aspect in _COUNTED:
            yield f"{aspect}: {len(items)}, which --json has"
        elif any(items.values()):
            yield from (f"{aspect}: {item} = {value}" for item, value in items.items())
        else:
            yield f"{aspect}: {', '.join(items)}"
    yield from (f"{aspect}: not known: {why}" for aspect, why in told.unknown.items())
