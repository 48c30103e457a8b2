# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix bugs`: which known bugs does a version have? Nothing is run or fetched."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jdkmatrix.cli.printed import give, say
from jdkmatrix.errors import ExitCode, UsageError, one_line
from jdkmatrix.paths import Checkout

if TYPE_CHECKING:
    from jdkmatrix.config.version import JdkVersion

_STDIN = "-"
# What `java -version` prints has some 300 characters; a stack has more.
_MOST_CHARACTERS = 64 * 1024


def bugs(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WORDS]...", help="An id, an exception, a frame, words; -: standard input."
        ),
    ] = None,
    version: Annotated[
        str | None,
        typer.Option(
            "--on",
            metavar="VERSION",
            help="17.0.5, 8u372, 11.0.19+7; -: what java -version printed.",
        ),
    ] = None,
    jdk: Annotated[
        str | None, typer.Option(metavar="PATH", help="The version of that JDK, by its files.")
    ] = None,
    update: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="VERSION", help="An update: what it fixes, leaves, brings, changes."
        ),
    ] = None,
    area: Annotated[
        str | None, typer.Option(metavar="NAME", help="A folder of test/: keepalive, tls13.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
) -> ExitCode:
    """List known bugs: of a version, an exception, an update.

    Answered from test/bugs.yaml and test/changes.yaml: nothing is run or fetched. Whether a build
    really has a bug, `has` finds out by running its reproducers.

    Example: scripts/matrix bugs --on 17.0.5 --to 17.0.19
    """
    from jdkmatrix.config.known_changes import load_known_changes
    from jdkmatrix.config.ledger import load_ledger
    from jdkmatrix.report.console.bug_list import bug_list, bug_list_markdown
    from jdkmatrix.results.known_bugs import Question, answer

    if as_json and as_markdown:
        raise UsageError("--json and --markdown: accepted: one of them")
    if version is not None and jdk is not None:
        raise UsageError("--on and --jdk: accepted: one of them")
    checkout = Checkout.current()
    question = Question(
        words=_text_of(" ".join(words or ())),
        version=_version_of(Path(jdk)) if jdk is not None else _read_version("--on", version),
        update=_read_version("--to", update),
        area=area,
    )
    ledger = load_ledger(checkout.ledger)
    findings = answer(question, ledger, load_known_changes(checkout.known_changes))
    if as_json:
        give(findings.to_json())
    elif as_markdown:
        give(bug_list_markdown(findings))
    else:
        say(bug_list(findings))
    return ExitCode.OK


def _text_of(word: str) -> str:
    """The word, or what comes by standard input in place of `-`."""
    return sys.stdin.read(_MOST_CHARACTERS) if word == _STDIN else word


def _read_version(option: str, text: str | None) -> JdkVersion | None:
    from jdkmatrix.config.version import read

    if text is None:
        return None
    try:
        return read(_text_of(text))
    except ValueError as error:
        raise UsageError(f"{option} {one_line(text, 40)}: {one_line(str(error))}") from None


def _version_of(path: Path) -> JdkVersion:
    """The version of a JDK by its `release` file. Raises UsageError."""
    from jdkmatrix.config.version import read
    from jdkmatrix.supply.build import SourceError
    from jdkmatrix.supply.jdk_facts import listed_version
    from jdkmatrix.supply.sources.local import home_at

    try:
        text = listed_version(home_at(path))
        if text is None:
            raise SourceError(
                "its file release has no version; use --on - with what its java -version prints"
            )
        return read(text)
    except (SourceError, OSError, ValueError) as error:
        raise UsageError(f"--jdk {path}: {error}") from None
