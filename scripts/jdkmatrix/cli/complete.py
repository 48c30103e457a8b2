# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What can the user complete with Tab? Ids from the kit's own files; nothing is fetched.

The files are only scanned line by line: parsing and checking them would take a second of CPU time
at each Tab. A damaged one completes less; the command itself will say what is wrong with it.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from jdkmatrix.config.suite import find_tests, read_groups
from jdkmatrix.errors import KitError
from jdkmatrix.machine.files import text_of
from jdkmatrix.paths import Checkout

Completion = tuple[str, str]

_ID = re.compile(r"  - id: (?P<id>\S+)")
_TEXT = re.compile(r"    (?:title|note): (?P<text>[^>|].*)")  # folded text is left out
_KEY = re.compile(r"  (?P<name>[\w.-]+):")
_CONTROLS = re.compile(r"    controls:(?P<inline>.*)")
_CONTROL = re.compile(r"      (?P<name>[\w.-]+):")


def builds(incomplete: str) -> list[Completion]:
    """The ids of `jdks.yaml`, each with its note."""
    return _beginning(incomplete, _list_ids(Checkout.current().jdks, "builds"))


def bugs(incomplete: str) -> list[Completion]:
    """The bugs of the ledger with their titles; ids whole or as digits, as the user began."""
    prefix = "JDK-" if incomplete[:1].isdigit() else ""
    ledger_bugs = _list_ids(Checkout.current().ledger, "bugs")
    return _beginning(incomplete, ((bug.removeprefix(prefix), title) for bug, title in ledger_bugs))


def faults(incomplete: str) -> list[Completion]:
    """The faults that `planted` plants, with their titles."""
    return _beginning(incomplete, _list_ids(Checkout.current().planted_faults, "planted"))


def scenarios(incomplete: str) -> list[Completion]:
    """The scenarios, each with its controls: `gap`, `gap/tls12`."""
    return _beginning(incomplete, ((name, "") for name in _scenarios(Checkout.current().scenarios)))


def clients(incomplete: str) -> list[Completion]:
    """HTTP clients and services."""
    lines = [*_section(Checkout.current().scenarios, "clients")]
    lines += _section(Checkout.current().scenarios, "services")
    names = (match["name"] for line in lines if (match := _KEY.match(line)))
    return _beginning(incomplete, ((name, "") for name in names))


def tests(incomplete: str) -> list[Completion]:
    """The suite's tests and groups."""
    suite = Checkout.current().suite
    try:
        names = (*(f":{name}" for name in read_groups(suite)), *find_tests(suite))
    except KitError:
        names = ()
    return _beginning(incomplete, ((name, "") for name in names))


def runs(incomplete: str) -> list[Completion]:
    """The runs under `reports/`, newest first."""
    reports = Checkout.current().reports
    folders = sorted(reports.iterdir(), reverse=True) if reports.is_dir() else []
    names = [path.name for path in folders if (path / "run.json").is_file()]
    return _beginning(incomplete, ((name, "") for name in names))


def _beginning(incomplete: str, completions: Iterable[Completion]) -> list[Completion]:
    return [(word, text) for word, text in completions if word.startswith(incomplete)]


def _section(path: Path, name: str) -> Iterator[str]:
    """The lines below a key at the left margin."""
    try:
        lines = text_of(path, errors="replace").splitlines()
    except OSError:
        return
    is_inside = False
    for line in lines:
        if line[:1].strip():
            is_inside = line.startswith(f"{name}:")
        elif is_inside:
            yield line


def _list_ids(path: Path, section: str) -> list[Completion]:
    """The ids of a list, each with its title or note."""
    completions: list[Completion] = []
    for line in _section(path, section):
        if id_match := _ID.match(line):
            completions.append((id_match["id"], ""))
        elif completions and (text_match := _TEXT.match(line)) and not completions[-1][1]:
            completions[-1] = (completions[-1][0], text_match["text"].strip("\"'"))
    return completions


def _scenarios(path: Path) -> Iterator[str]:
    name, has_controls = "", False
    for line in _section(path, "scenarios"):
        if key := _KEY.match(line):
            name, has_controls = key["name"], False
            yield name
        elif line[:5].strip():
            controls = _CONTROLS.match(line)
            has_controls = bool(controls)
            if controls:
                names = re.findall(r"([\w.-]+): \{", controls["inline"])
                yield from (f"{name}/{control}" for control in names)
        elif has_controls and (control := _CONTROL.match(line)):
            yield f"{name}/{control['name']}"
