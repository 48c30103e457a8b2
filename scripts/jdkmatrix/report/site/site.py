# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does the ledger become a site: a page a bug, a release and a change, to be put anywhere?

Each page is one file that loads nothing, so a folder of them works from a disk, too.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, Template
from markupsafe import Markup

from jdkmatrix.config.known_changes import KnownChange
from jdkmatrix.config.ledger import Bug, Ledger, jbs_page
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.machine.files import text_of, write_atomically
from jdkmatrix.paths import test_name
from jdkmatrix.report.console.bug_list import headline
from jdkmatrix.report.page.page import csp_hash
from jdkmatrix.report.site.jmc_rules import rule_files
from jdkmatrix.report.site.release_lines import lines_of, neighbours, releases_of
from jdkmatrix.results.bugs_document import BugsDocument, ChangeEntry, ChangesDocument
from jdkmatrix.results.document import Results
from jdkmatrix.results.known_bugs import (
    BugsAnswer,
    Effect,
    Question,
    answer,
)
from jdkmatrix.templating import templates
from jdkmatrix.vocabulary import Expectation, Outcome
from jdkmatrix.words.first_tags import short_text

_TEMPLATES = Path(__file__).parents[1] / "templates" / "site"
# What a folder has that this has written; nothing else is written over.
_MARK = "bugs.schema.json"
_MOST_CAUSES = 3
_SPAN_WORDS = {
    Expectation.AFFECTED: "has it",
    Expectation.FIXED: "fixed",
    Expectation.NOT_APPLICABLE: "cannot have it",
    Expectation.UNKNOWN: "unknown",
}


@dataclass(frozen=True)
class SiteSource:
    """What a site is made from; `results` is a run whose outcomes are shown as measured."""

    ledger: Ledger
    changes: tuple[KnownChange, ...]
    tests: Path
    results: Results | None = None


def write_site(source: SiteSource, folder: Path) -> int:
    """Write the site, and return how many pages it has.

    Raises UsageError if the folder holds anything else, MachineError if it can't be written.
    """
    try:
        if folder.exists() and any(folder.iterdir()) and not (folder / _MARK).exists():
            raise UsageError(f"--out {folder}: holds no site; accepted: a new folder, or a site's")
        files = site_files(source)
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(folder / name, text)
    except OSError as error:
        raise MachineError(f"--out {folder}: {error.strerror}") from None
    return sum(name.endswith(".html") for name in files)


def site_files(source: SiteSource) -> dict[str, str]:
    """The files by their paths. Reads the tests' text."""
    ledger, results = source.ledger, source.results
    releases = releases_of(ledger, source.changes, results)
    updates = {
        newer.release: answer(Question(version=older, update=newer), ledger, source.changes)
        for older, newer in neighbours(releases)
    }
    changes = _by_id(source.changes)
    whole = answer(Question(), ledger, source.changes)
    files = _documents(whole, source.changes)
    for bug in ledger.bugs:
        files[f"bug/{bug.id}.html"] = _page(
            "bug.html.j2",
            bug=bug,
            jbs_page=jbs_page(bug.id),
            lines=lines_of(bug, ledger, releases, results),
            causes=_causes(bug, results),
            runs_on=len(results.builds) if results else 0,
        )
        for test in bug.tests:
            name = f"java/{test_name(test)}.java"
            files[name] = text_of(source.tests / test)
    for release, update in updates.items():
        files[f"release/{release}.html"] = _page(
            "release.html.j2",
            release=release,
            update=update,
            effects={effect: update.with_effect(effect) for effect in Effect},
        )
    for change_id, entries in changes.items():
        files[f"change/{change_id}.html"] = _page(
            "change.html.j2", id=change_id, entries=entries, bugs={b.id for b in ledger.bugs}
        )
    files["index.html"] = _page(
        "index.html.j2",
        root="",
        findings=whole.bugs,
        changes=changes,
        releases=releases,
        newest={train: of_train[-1] for train, of_train in releases.items()},
        updates=updates,
    )
    files |= {f"jmc/{path}": text for path, text in rule_files(ledger.bugs).items()}
    files["feed.xml"] = _template("feed.xml.j2").render(updates=updates, effects=Effect)
    return files


def _documents(whole: BugsAnswer, changes: Sequence[KnownChange]) -> dict[str, str]:
    of_updates = [ChangeEntry.from_change(change) for change in changes if change.is_excuse]
    return {
        "bugs.json": whole.to_json(),
        "changes.json": ChangesDocument(schema=2, changes=of_updates).to_json(),
        _MARK: BugsDocument.schema_text(),
        "changes.schema.json": ChangesDocument.schema_text(),
    }


def _by_id(changes: Sequence[KnownChange]) -> Mapping[str, Sequence[KnownChange]]:
    by_id: dict[str, list[KnownChange]] = defaultdict(list)
    for change in changes:
        if change.bug and change.is_excuse:
            by_id[change.bug].append(change)
    return by_id


def _causes(bug: Bug, results: Results | None) -> tuple[str, ...]:
    """What a run saw where the bug showed, the newest build first; each sentence once."""
    cells = [
        cell
        for cell in (results.cells if results else ())
        if cell.bug == bug.id and cell.outcome is Outcome.REPRODUCED and cell.evidence.cause
    ]
    return tuple(dict.fromkeys(cell.evidence.cause or "" for cell in reversed(cells)))[
        :_MOST_CAUSES
    ]


def _page(name: str, **contents: Any) -> str:
    style, script = _read("site.css"), _read("site.js")
    return _template(name).render(
        {"root": "../", **contents},
        style=Markup(style),
        script=Markup(script),
        script_hash=csp_hash(script),
    )


def _template(name: str) -> Template:
    return _environment().get_template(name)


@cache
def _environment() -> Environment:
    environment = templates(_TEMPLATES, is_html=True)
    environment.filters |= {
        "fix": short_text,
        "headline": headline,
        "span": _SPAN_WORDS.__getitem__,
        "test_name": test_name,
    }
    return environment


@cache
def _read(name: str) -> str:
    return text_of(_TEMPLATES / name)
