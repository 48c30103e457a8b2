# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix facts`: what does a JDK do by default, and what did an update change of that?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from jdkmatrix.cli.options import AsJson, Offline, OneBuild, OneJdk, SecondJdk
from jdkmatrix.cli.printed import give, say
from jdkmatrix.config import version
from jdkmatrix.errors import ExitCode, MachineError, UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.texts import document_text

if TYPE_CHECKING:
    from jdkmatrix.config.jdks import BuildEntry
    from jdkmatrix.supply.build import Build
    from jdkmatrix.supply.runtime_facts import Defaults
    from jdkmatrix.supply.supplier import Supplier

# A JDK has hundreds of these: without a comparison their number is enough.
_COUNTED = ("service", "root", "known-property", "supported-cipher-suite")


def facts(
    jdk: OneJdk = None,
    build: OneBuild = None,
    diff: SecondJdk = None,
    offline: Offline = False,
    as_json: AsJson = False,
) -> int:
    """Print what a JDK does by default, or what an update changed.

    Protocols, cipher suites, groups, signature schemes, session settings, disabled algorithms,
    security properties, default types, caching of names, providers and their services, roots, and
    the properties that its classes know, with their defaults where these are constants.
    test/changes.yaml says which bug a change belongs to.

    Exit code 0: nothing changed that has no explanation and that connections agree on or fail by.
    1: something did. 4: bad arguments.

    Example: scripts/matrix facts --jdk ~/jdk-17.0.22 --diff debian-17
    """
    from jdkmatrix.cli.tool_jdk import shown_supplier
    from jdkmatrix.config.known_changes import load_known_changes
    from jdkmatrix.supply.catalog import Catalog
    from jdkmatrix.verdict.defaults_difference import difference
    from jdkmatrix.words.defaults import difference_headline, difference_lines

    if (jdk is None) == (build is None):
        raise UsageError("facts: accepted: one of --jdk PATH and --build ID")
    checkout = Checkout.current()
    known_changes = load_known_changes(checkout.known_changes)
    catalog = Catalog.of_checkout(checkout)
    requests: dict[str, BuildEntry | Path] = {
        "--jdk": catalog.entry(build, "--build") if build else Path(jdk or ".")
    }
    if diff:
        is_folder = Path(diff).is_dir()
        requests["--diff"] = Path(diff) if is_folder else catalog.entry(diff, "--diff")
    with shown_supplier(checkout, offline=offline) as supplier:
        builds = [build_of(supplier, option, request) for option, request in requests.items()]
        defaults = [defaults_of(checkout, supplier, jdk_build) for jdk_build in builds]
    if not diff:
        if as_json:
            give(document_text(1, build=builds[0].id, **defaults[0].model_dump()))
        else:
            say("\n".join([*_lines(defaults[0]), *_configuration_lines(builds)]))
        return ExitCode.OK
    older, newer = sorted(
        zip(builds, defaults, strict=True), key=lambda pair: version.parse(pair[1].version)
    )
    changes = difference(older[1], newer[1], known_changes)
    names = [older[0].id, newer[0].id]
    if older[0].id == newer[0].id:  # a release, and a build of the user's own of it
        names = [f"{jdk_build.id} ({jdk_build.home})" for jdk_build, _ in (older, newer)]
    if as_json:
        give(document_text(1, baseline=names[0], build=names[1], **asdict(changes)))
    else:
        say(f"{names[0]} -> {names[1]}: {difference_headline(changes)}")
        say("\n".join([*difference_lines(changes), *_configuration_lines(builds)]))
    return ExitCode.SURPRISE if changes.surprises else ExitCode.OK


def _configuration_lines(builds: Iterable[Build]) -> list[str]:
    """What of these facts is the kit's own doing: a configuration that it composed."""
    return [f"{build.id}: {build.configuration}" for build in builds if build.configuration]


def build_of(supplier: Supplier, option: str, request: BuildEntry | Path) -> Build:
    """The build of an entry or in a folder. Raises MachineError if it can't be had, UsageError if
    the folder has none.
    """
    from jdkmatrix.supply.build import Build

    if isinstance(request, Path):
        return supplier.local(request, option)
    (build,) = supplier.supply([request])
    if not isinstance(build, Build):
        raise MachineError(str(build))
    return build


def defaults_of(checkout: Checkout, supplier: Supplier, build: Build) -> Defaults:
    """What a build does by default. Raises MachineError if it does not say."""
    from jdkmatrix.machine.java_program import JavaTool
    from jdkmatrix.supply.build import SourceError
    from jdkmatrix.supply.probe import Probe

    try:
        return Probe(JavaTool.of_checkout(checkout, supplier.tool_jdk().home)).defaults(build)
    except SourceError as error:
        raise MachineError(f"{build.id}: {error}") from None


def _lines(defaults: Defaults) -> Iterable[str]:
    yield f"{defaults.version}, {defaults.vendor}"
    for aspect, settings in defaults.aspects.items():
        if aspect in _COUNTED:
            yield f"{aspect}: {len(settings)}, which --json has"
        elif any(settings.values()):
            yield from (f"{aspect}: {name} = {setting}" for name, setting in settings.items())
        else:
            yield f"{aspect}: {', '.join(settings)}"
    yield from (f"{aspect}: not known: {reason}" for aspect, reason in defaults.unknown.items())
