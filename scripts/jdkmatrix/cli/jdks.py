# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix jdks`: list, fetch, check and remove builds; maintain `jdks.yaml` and the lock."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.cli import complete
from jdkmatrix.cli.options import AsJson, Offline
from jdkmatrix.cli.printed import complain, give, say
from jdkmatrix.errors import ExitCode, MachineError, NothingRanError, UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.texts import command_line, count_of, document_text

if TYPE_CHECKING:
    from jdkmatrix.config.jdks import BuildEntry, JdksFile
    from jdkmatrix.report.console.display import Display
    from jdkmatrix.supply.build import Build, Unavailable
    from jdkmatrix.supply.cache.holdings import Holdings, VerifiedInstall
    from jdkmatrix.supply.supplier import Supplier

app = typer.Typer(
    help="List, fetch, lock, verify, add and prune JDK builds.",
    no_args_is_help=True,
)

Ids = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[ID|GLOB]...", help="Default: the selection.", autocompletion=complete.builds
    ),
]
EveryId = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[ID|GLOB]...", help="Default: every build.", autocompletion=complete.builds
    ),
]


@app.command("list")
def list_builds(as_json: AsJson = False) -> int:
    """List the builds of jdks.yaml: cached, locked, stale, changed.

    Example: scripts/matrix jdks list --json
    """

    from jdkmatrix.machine.trees import size_of_tree
    from jdkmatrix.report.console.holdings_list import holding_line, holding_row, mb

    checkout = Checkout.current()
    holdings = _holdings(checkout)
    holding_list = [holdings.look_up(entry) for entry in _jdks(checkout).builds]
    if as_json:
        give(document_text(1, builds=[holding_row(holding) for holding in holding_list]))
        return ExitCode.OK
    for holding in holding_list:
        say(holding_line(holding))
    builds = cache_root() / "builds"
    total = f"{mb(size_of_tree(builds))} in {builds}, of every checkout: builds, jtreg, Maven, jars"
    say(total)
    return ExitCode.OK


@app.command("discover")
def discover(as_json: AsJson = False) -> int:
    """List the JDKs that this machine has already.

    It looks where JAVA_HOME, the system, SDKMAN, asdf, mise, jenv, IntelliJ, Gradle and Maven have
    them, and says whether they are what they say. run and throughput test all of them with --jdk
    auto. Exit code 3: there is none.

    Example: scripts/matrix jdks discover
    """
    from jdkmatrix.cli.discovered_jdks import found_jdks

    rows = []
    for candidate in found_jdks():
        build = candidate.build.id if candidate.build else None
        home, places = str(candidate.jdk.home), candidate.jdk.named_by
        reason = candidate.word
        rows.append({"id": build, "home": home, "places": places, "reason": reason})
        if not as_json:
            say(f"{build or '-':<24} {home} ({', '.join(places)}): {reason}")
    if as_json:
        give(document_text(1, builds=rows))
    return ExitCode.OK


@app.command("fetch")
def fetch(
    builds: Ids = None,
    tools: Annotated[
        bool, typer.Option("--tools", help="No builds: only what tests of your own JDK need.")
    ] = False,
    offline: Offline = False,
) -> int:
    """Get builds into the cache, and all that tests of them need.

    They are as jdks.lock has them. With them come the tool JDK, unless this machine has a JDK that
    can be it, jtreg, jars, and programs of peers and services. After that, --offline works.

    Example: scripts/matrix jdks fetch 'temurin-17*'
    """
    if tools and builds:
        raise UsageError(f"--tools {' '.join(builds)}: accepted: --tools, or builds")
    from jdkmatrix.cli.console import progress_display
    from jdkmatrix.config.scenarios import load_scenarios
    from jdkmatrix.run.cells.compiled_tests import PEER_PROGRAMS
    from jdkmatrix.supply.supplier import Supplier

    checkout = Checkout.current()
    entries = [] if tools else _entries(checkout, builds)
    with progress_display() as display:
        supplier = Supplier.of_checkout(checkout, offline, display)
        getters: list[Callable[[], object]] = [supplier.tool_jdk, supplier.jtreg]
        programs = {*PEER_PROGRAMS, *load_scenarios(checkout.scenarios).programs}
        getters += [partial(_program, supplier, name, display) for name in sorted(programs)]
        getters.append(supplier.jars(checkout).fetch)
        outcomes, futures = _fetch_all(supplier, entries, getters)
    code = _print_supplied(outcomes)
    failures = [error for error in map(Future.exception, futures) if error is not None]
    for error in failures:
        if not isinstance(error, MachineError):
            raise error
        say(error)
    if futures[-1].exception() is None:
        say(f"jars: {futures[-1].result()}")
    return ExitCode.MACHINE if failures else code


@app.command("lock")
def lock(builds: Ids = None) -> int:
    """Ask the sources what is new, update jdks.lock, and fetch it.

    Example: scripts/matrix jdks lock debian-17
    """
    from jdkmatrix.cli.tool_jdk import shown_supplier

    checkout = Checkout.current()
    entries = _entries(checkout, builds)
    with shown_supplier(checkout, offline=False) as supplier:
        outcomes = supplier.renew(entries)
    return _print_supplied(outcomes)


@app.command("verify")
def verify(builds: EveryId = None, as_json: AsJson = False) -> int:
    """Hash every cached file and compare with what was installed.

    Without a name, jtreg, Maven, the programs and the jars too. Exit code 1: something is not what
    was installed; 3: none of them is cached.

    Example: scripts/matrix jdks verify
    """
    from jdkmatrix.report.console.holdings_list import mb

    checkout = Checkout.current()
    entries = _entries(checkout, builds) if builds else list(_jdks(checkout).builds)
    checks: list[VerifiedInstall] = []
    for check in _holdings(checkout).verify(entries, with_tools=not builds):
        checks.append(check)
        if as_json:
            continue
        if check.problem is None:
            speed = f"{check.hashed_bytes / 1e6 / check.seconds:.0f} MB/s"
            alone = (
                "" if check.is_vouched else "  by installed.json alone: no tree hash in jdks.lock"
            )
            say(f"{check.name:<20} intact   {mb(check.hashed_bytes):>9}  {speed}{alone}")
        else:
            say(f"{check.name:<20} CHANGED  {check.problem}")
    if not checks:
        get = command_line("scripts/matrix", "jdks", "fetch", *(builds or ()))
        raise NothingRanError(f"none of these builds is cached; get them: {get}")
    changed_count = sum(check.problem is not None for check in checks)
    if as_json:
        give(document_text(1, installs=list(map(_install_json, checks))))
    else:
        hashed_bytes = sum(check.hashed_bytes for check in checks)
        hash_work = f"{mb(hashed_bytes)} hashed in {sum(c.seconds for c in checks):.1f} s of work"
        say(f"{count_of(len(checks), 'install')}, {changed_count} changed; {hash_work}")
    return ExitCode.SURPRISE if changed_count else ExitCode.OK


@app.command("add")
def add(
    vendor: Annotated[
        str, typer.Argument(metavar="VENDOR", help="temurin, corretto, zulu, liberica ...")
    ],
    version: Annotated[
        str,
        typer.Argument(
            metavar="VERSION",
            help="8u412, 17.0.3+7; 17.0.1..17.0.9 for a range; 17 for the newest; of temurin that"
            " and 17-ea, 17-previous are entries that move on.",
        ),
    ],
    offline: Offline = False,
) -> int:
    """Write builds of a vendor into jdks.yaml; its comments stay.

    Temurin is looked up in the Adoptium API; corretto, zulu, liberica, semeru, microsoft and
    graalvm in Coursier's index. Nothing is added that is not there. The index has no checksums: the
    first download is locked. An entry that is there gets one more source, before its others.

    Example: scripts/matrix jdks add temurin 8u412
    """
    from jdkmatrix.cli.tool_jdk import shown_supplier
    from jdkmatrix.supply.added_entries import add_entries
    from jdkmatrix.supply.cache.cache_locks import Locks
    from jdkmatrix.supply.platform import Platform
    from jdkmatrix.supply.vendor_index import VendorIndex

    checkout = Checkout.current()
    locks = Locks(cache_root() / "locks", threading.Event())

    def index_of(platform: Platform) -> VendorIndex:
        with shown_supplier(checkout, offline=offline) as supplier:
            return VendorIndex.read(supplier.jars(checkout).class_path("vendors"), platform)

    for entry in add_entries(
        checkout.jdks, locks, vendor, version, index_of, offline, notice=complain
    ):
        say(f"{entry.id}: {_addition(entry)} {checkout.jdks.name}")
    return ExitCode.OK


@app.command("prune")
def prune(
    unused_days: Annotated[
        float,
        typer.Option("--unused-days", metavar="N", min=0, help="Days for which nobody used them."),
    ] = 30,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only print what would be removed.")
    ] = False,
) -> int:
    """Remove cached builds that nobody needs.

    jdks.lock does not name them, and no checkout used them recently. Unfinished downloads of that
    age are removed too.

    Example: scripts/matrix jdks prune --dry-run
    """
    from jdkmatrix.report.console.holdings_list import mb

    checkout = Checkout.current()
    holdings = _holdings(checkout)
    freed_bytes = 0
    try:
        for folder in holdings.list_unneeded(unused_days):
            removal = holdings.prune(folder, not dry_run, unused_days)
            if removal.is_gone:  # another prune was quicker
                continue
            if dry_run or removal.is_removed:
                freed_bytes += removal.size_bytes
            action = "would go" if dry_run else "removed" if removal.is_removed else "in use, kept"
            say(f"{folder.name:<40} {mb(removal.size_bytes):>9}  {action}")
    except OSError as error:
        raise MachineError(f"{error.filename}: cannot be pruned: {error.strerror}") from None
    say(f"{mb(freed_bytes)} {'would be freed' if dry_run else 'freed'}")
    return ExitCode.OK


def _install_json(check: VerifiedInstall) -> dict[str, object]:
    return {
        "id": check.name,
        "changed": check.problem is not None,
        "reason": check.problem,
        "vouched": check.is_vouched,
        "size_bytes": check.hashed_bytes,
        "seconds": round(check.seconds, 3),
    }


def _addition(entry: BuildEntry) -> str:
    if len(entry.sources) == 1:
        return "added to"
    take = command_line("scripts/matrix", "jdks", "lock", entry.id)
    return f"source {entry.sources[0].source} added before its others; {take} takes it; in"


def _entries(checkout: Checkout, builds: list[str] | None) -> list[BuildEntry]:
    from jdkmatrix.supply.catalog import Catalog

    return list(Catalog.of_checkout(checkout).select(builds or (), "ID|GLOB"))


def _jdks(checkout: Checkout) -> JdksFile:
    from jdkmatrix.config.jdks import load_jdks

    return load_jdks(checkout.jdks)


def _holdings(checkout: Checkout) -> Holdings:
    from jdkmatrix.supply.cache.holdings import Holdings

    return Holdings(_jdks(checkout), checkout.lock, cache_root(), jars_lock=checkout.jars_lock)


def _program(supplier: Supplier, name: str, display: Display) -> None:
    """Fetch a program that the interoperability suite or scenarios start; a failure is a notice."""
    try:
        supplier.program(name)
    except MachineError as error:
        display.notice(f"{error}; tests and scenarios that need it cannot run")


def _fetch_all(
    supplier: Supplier, entries: list[BuildEntry], getters: list[Callable[[], object]]
) -> tuple[list[Build | Unavailable], list[Future[object]]]:
    """Fetch the builds and, beside them, the rest; a failure there does not stop the builds."""
    with ThreadPoolExecutor(len(getters), "tools") as pool:
        tools = [pool.submit(get) for get in getters]
        try:
            outcomes = supplier.supply(entries)
            wait(tools)
        except BaseException:
            supplier.stop()  # otherwise leaving this block would wait for every download
            raise
    return outcomes, tools


def _print_supplied(outcomes: list[Build | Unavailable]) -> int:
    from jdkmatrix.supply.build import Unavailable

    for build in outcomes:
        say(build if isinstance(build, Unavailable) else f"{build.entry_id}: {build.home}")
    missing = any(isinstance(build, Unavailable) for build in outcomes)
    return ExitCode.MACHINE if missing else ExitCode.OK
