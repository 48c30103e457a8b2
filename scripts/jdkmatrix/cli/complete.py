# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What can the user complete with Tab? Ids from the kit's own files; nothing is fetched.

The files are read, but not checked, which would take a second of CPU time at each Tab. A damaged
one completes nothing; the command itself will say what is wrong with it.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from jdkmatrix.config.suite import find_tests, read_groups
from jdkmatrix.config.yaml_file import data_of, read
from jdkmatrix.errors import KitError
from jdkmatrix.paths import Checkout

Completion = tuple[str, str]


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
    return _beginning(incomplete, ((name, "") for name in _scenario_names()))


def clients(incomplete: str) -> list[Completion]:
    """HTTP clients and services."""
    sections = ("clients", "services")
    file = Checkout.current().scenarios
    return _beginning(incomplete, ((name, "") for key in sections for name in _content(file)[key]))


def tests(incomplete: str) -> list[Completion]:
    """The suite's tests and groups."""
    return _beginning(incomplete, ((name, "") for name in _test_names(Checkout.current().suite)))


def runs(incomplete: str) -> list[Completion]:
    """The runs under `reports/`, newest first."""
    reports = Checkout.current().reports
    folders = sorted(reports.iterdir(), reverse=True) if reports.is_dir() else []
    names = [path.name for path in folders if (path / "run.json").is_file()]
    return _beginning(incomplete, ((name, "") for name in names))


def _beginning(incomplete: str, completions: Iterable[Completion]) -> list[Completion]:
    """Those that begin so; none if a file can't be read as they are asked for."""
    with suppress(KitError, AttributeError, LookupError, TypeError):
        return [(word, text) for word, text in completions if word.startswith(incomplete)]
    return []


def _content(path: Path) -> Any:
    return data_of(read(path), path, lambda content: content)


def _list_ids(path: Path, section: str) -> Iterator[Completion]:
    """The ids of a list, each with its title or note."""
    for row in _content(path)[section]:
        yield row["id"], row.get("title") or row.get("note") or ""


def _scenario_names() -> Iterator[str]:
    for name, scenario in _content(Checkout.current().scenarios)["scenarios"].items():
        yield name
        yield from (f"{name}/{control}" for control in scenario.get("controls", ()))


def _test_names(suite: Path) -> Iterator[str]:
    yield from (f":{name}" for name in read_groups(suite))
    yield from find_tests(suite)
