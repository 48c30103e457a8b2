# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix has` of a known change of test/changes.yaml: by what the JDK does, not its version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from jdkmatrix.cli.behave import ALL_ROWS, measure_rows, rows_request
from jdkmatrix.cli.facts import build_of, defaults_of
from jdkmatrix.cli.printed import give, say
from jdkmatrix.errors import ExitCode
from jdkmatrix.texts import document_text
from jdkmatrix.vocabulary import Presence

if TYPE_CHECKING:
    from jdkmatrix.config.known_changes import KnownChange
    from jdkmatrix.paths import Checkout
    from jdkmatrix.supply.runtime_facts import Defaults
    from jdkmatrix.verdict.change_presence import ChangeSign

_ANSWERS = {True: "it has it", False: "it does not have it", None: "cannot say"}
_PRESENCES = {True: Presence.PRESENT, False: Presence.ABSENT, None: Presence.CANNOT_SAY}
_CODES = {True: ExitCode.SURPRISE, False: ExitCode.OK, None: ExitCode.MACHINE}
_MARKS = {True: "changed", False: "as before", None: "tells nothing"}


def answer_changes(
    checkout: Checkout,
    changes: Sequence[KnownChange],
    *,
    jdk: str | None,
    build: str | None,
    offline: bool,
    out: Path | None,
    as_json: bool,
) -> int:
    """Print whether a JDK has the changes, all of one id, with what says so, and return the exit
    code.

    Raises MachineError if the JDK can't be had or asked, UsageError for a place that is none.
    """
    from jdkmatrix.verdict.change_presence import is_changed, signs_in_defaults, signs_in_rows

    signs: list[ChangeSign] = []
    if any(change.changes for change in changes):
        aspects = read_defaults(checkout, jdk, build, offline=offline).aspects
        signs += [sign for change in changes for sign in signs_in_defaults(change, aspects)]
    globs = [glob for change in changes for pattern in change.behaviour for glob in pattern.rows]
    if globs:
        texts = _texts_of_rows(checkout, globs, jdk, build, offline=offline, out=out)
        signs += [sign for change in changes for sign in signs_in_rows(change, texts)]
    answer, place = is_changed(signs), jdk or build
    bug_id, title = changes[0].bug, changes[0].title
    if as_json:
        facts = {"bug": bug_id, "title": title, "build": place, "presence": _PRESENCES[answer]}
        give(document_text(2, **facts, signs=list(map(asdict, signs))))
        return _CODES[answer]
    say(f"{bug_id} in {place}: {_ANSWERS[answer]}")
    say(f"  {title}")
    for sign in signs:
        say(f"  {_MARKS[sign.is_changed]}: {sign.subject}: {sign.state}")
    if not signs:
        say("  Rows of interoperability alone show it: scripts/matrix run --test :interop")
    for setting in dict.fromkeys(change.restore for change in changes if answer and change.restore):
        say(f"  To get the old behaviour back: {setting}")
    return _CODES[answer]


def read_defaults(
    checkout: Checkout, jdk: str | None, build: str | None, *, offline: bool
) -> Defaults:
    """What the build or the JDK in a folder does by default. Raises as facts does."""
    from jdkmatrix.cli.tool_jdk import shown_supplier
    from jdkmatrix.supply.catalog import Catalog

    catalog = Catalog.of_checkout(checkout)
    with shown_supplier(checkout, offline=offline) as supplier:
        place = catalog.entry(build, "--build") if build else Path(jdk or ".")
        return defaults_of(checkout, supplier, build_of(supplier, "--jdk", place))


def _texts_of_rows(
    checkout: Checkout,
    globs: Sequence[str],
    jdk: str | None,
    build: str | None,
    *,
    offline: bool,
    out: Path | None,
) -> dict[str, str]:
    from jdkmatrix.grading.compared_behaviour import observations_of
    from jdkmatrix.vocabulary import ObservationStatus

    places = [jdk or build or "."]
    request = rows_request(checkout, places, globs, is_path=jdk is not None, test=ALL_ROWS)
    results = measure_rows(checkout, request, offline=offline, out=out).results
    (record,) = results.builds
    rows = observations_of(results, record.id)
    return {row.row: row.text for row in rows if row.status is ObservationStatus.SEEN}
