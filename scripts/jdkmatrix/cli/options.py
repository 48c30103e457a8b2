# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which options mean the same in several commands? Each is written here once."""

from __future__ import annotations

from glob import glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jdkmatrix.cli import complete
from jdkmatrix.errors import UsageError
from jdkmatrix.vocabulary import Intent

if TYPE_CHECKING:
    from jdkmatrix.config.known_changes import KnownChange
    from jdkmatrix.records.request import Request

Builds = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ID|GLOB",
        help="A build of jdks.yaml. Default: its selection.",
        autocompletion=complete.builds,
    ),
]
Jdks = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATH|auto", help="The folder of a JDK. auto: every JDK that this machine has."
    ),
]
Bugs = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ID", help="Only tests of that bug: JDK-8293562.", autocompletion=complete.bugs
    ),
]
Tests = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATH",
        help="A test, folder, glob or :group under test/.",
        autocompletion=complete.tests,
    ),
]
JavaOptions = Annotated[
    list[str] | None,
    typer.Option(metavar="OPTION", help="An option of java: --java-option=-Xmx1g; repeatable."),
]
Suite = Annotated[
    str | None,
    typer.Option(metavar="DIR", help="Your own jtreg suite, or folder of programs."),
]
Overlays = Annotated[
    str | None, typer.Option(metavar="DIR|JAR", help="Lay these classes over each build.")
]
OverlayPatch = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Lay the classes that this diff changes over each build."),
]
SourcesFolder = Annotated[
    str | None,
    typer.Option(
        "--sources",
        metavar="DIR",
        help="The JDK's sources for --overlay-patch: a checkout; java.base alone will do.",
    ),
]
Expect = Annotated[
    Intent | None,
    typer.Option(
        "--expect",
        help="What the overlay does. Default: it fixes the bugs that the diff, --bug or --test"
        " names, where the build has them.",
    ),
]
OneJdk = Annotated[str | None, typer.Option(metavar="PATH", help="The folder of a JDK.")]
OneBuild = Annotated[
    str | None,
    typer.Option(metavar="ID", help="A build of jdks.yaml.", autocompletion=complete.builds),
]
SecondJdk = Annotated[
    str | None,
    typer.Option(
        metavar="ID|PATH",
        help="A second JDK: print what changed from the older to the newer.",
        autocompletion=complete.builds,
    ),
]
Offline = Annotated[bool, typer.Option("--offline", help="Use only what is in the cache.")]
Resume = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Resume the latest run, or the one in --out; with --out, name its paths again.",
    ),
]
MINUTES_RULE = (
    "What is not decided then has no verdict. With --resume, a new limit for the whole run: one"
    " whose time was up continues."
)
Wait = Annotated[
    bool,
    typer.Option(
        "--wait", help="Begin once no other run is measuring on this machine, not fail at once."
    ),
]
Strict = Annotated[bool, typer.Option("--strict", help="An unavailable build fails the run.")]
Paranoid = Annotated[
    bool, typer.Option("--paranoid", help="Hash every file of a cached JDK before its use.")
]
NoConfirm = Annotated[bool, typer.Option("--no-confirm", help="Do not run surprises again.")]
NoArchive = Annotated[
    bool,
    typer.Option("--no-archive", help="Each JVM reads the JDK's classes itself, which is slower."),
]
RunFolderOut = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="The run's folder. Default: a new one in reports/. The history stays in reports/.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ResultsAsJson = Annotated[
    bool, typer.Option("--json", help="Print results.json on standard output.")
]


_QUICK_ANSWER = ":tier1"


def request_of(
    builds: list[str] | None = None,
    jdks: list[str] | None = None,
    bugs: list[str] | None = None,
    tests: list[str] | None = None,
    suite: str | None = None,
    overlay: str | None = None,
    overlay_patch: str | None = None,
    sources: str | None = None,
    expect: Intent | None = None,
    **fields: Any,
) -> Request:
    """The request that these options make, with these other fields and defaults for the rest.

    If nothing is chosen, it is the quick answer: the tests of tier1. Its paths are absolute, as a
    run may be resumed in another folder. Raises UsageError for the home of an unknown user and for
    a path without a JDK, NothingRanError if `auto` finds nothing.
    """
    from jdkmatrix.records.request import ProgramRequest, Request

    for bug in bugs or ():
        check_no_change("--bug", bug)
    if not any((builds, jdks, bugs, tests, suite)):
        tests = [_QUICK_ANSWER]
    return Request(
        builds=tuple(builds or ()),
        jdks=tuple(path for jdk in jdks or () for path in _jdks(jdk)),
        bugs=tuple(bugs or ()),
        tests=tuple(tests or ()),
        suite=suite and _path("--suite", suite),
        program=ProgramRequest() if suite and _has_programs(_path("--suite", suite)) else None,
        overlay=overlay and _path("--overlay", overlay),
        overlay_patch=overlay_patch and _path("--overlay-patch", overlay_patch),
        sources=sources and _path("--sources", sources),
        expect=expect,
        **fields,
    )


def _has_programs(suite: str) -> bool:
    """Whether a folder is no jtreg suite, but has programs."""
    from jdkmatrix.config.suite import find_programs

    root = Path(suite)
    return root.is_dir() and not (root / "TEST.ROOT").is_file() and bool(find_programs(root))


def check_no_change(option: str, text: str) -> None:
    """Raises UsageError for the id of a known change that is no bug: no reproducer can show it."""
    for change in changes_of(text):
        raise UsageError(
            f"{option} {text}: a change, not a bug: {change.title}; which versions have it: "
            f"scripts/matrix bugs {change.bug}; whether a JDK has it: "
            f"scripts/matrix has {change.bug} --jdk PATH"
        )


def changes_of(text: str) -> tuple[KnownChange, ...]:
    """The known changes of this id, however it is written, if it is no bug of the ledger."""
    from jdkmatrix.config.known_changes import load_known_changes
    from jdkmatrix.config.ledger import id_in, load_ledger
    from jdkmatrix.paths import Checkout

    bug_id, checkout = id_in(text), Checkout.current()
    if bug_id is None or any(bug.id == bug_id for bug in load_ledger(checkout.ledger).bugs):
        return ()
    changes = load_known_changes(checkout.known_changes)
    return tuple(change for change in changes if change.bug == bug_id)


def _jdks(text: str) -> list[str]:
    from jdkmatrix.cli.discovered_jdks import AUTO, usable_homes
    from jdkmatrix.supply.build import SourceError
    from jdkmatrix.supply.sources.local import home_at

    if text == AUTO:
        return usable_homes()
    if has_magic(text) and not Path(text).exists():
        # Path.glob would match hidden files, and allows no `**` within a name.
        paths = glob(_path("--jdk", text), recursive=True)  # noqa: PTH207
        homes = sorted(map(Path, paths))
        if not homes:
            raise UsageError(f"--jdk {text}: nothing fits this pattern; accepted: folders of JDKs")
        return [path for home in homes for path in _jdks(str(home))]
    try:
        home_at(Path(text))
    except (SourceError, OSError) as error:
        raise UsageError(f"--jdk {text}: {error}") from None
    return [_path("--jdk", text)]


def _path(option: str, text: str) -> str:
    from jdkmatrix.supply.build import SourceError, expand_home

    try:
        return str(expand_home(Path(text)).absolute())
    except SourceError as error:
        raise UsageError(f"{option} {text}: {error}") from None
