# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What may stand where the user presses Tab? Ids from the kit's own files; nothing is fetched."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from jdkmatrix.config.groups import read_groups
from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.suite import find_tests
from jdkmatrix.errors import KitError
from jdkmatrix.paths import Checkout

T = TypeVar("T")
Completion = tuple[str, str]


def builds(incomplete: str) -> list[Completion]:
    """The ids of `jdks.yaml`, each with its note."""
    jdks = _or_nothing(lambda: load_jdks(Checkout.here().jdks).builds)
    return _beginning(incomplete, ((one.id, one.note or "") for one in jdks))


def bugs(incomplete: str) -> list[Completion]:
    """The bugs of the ledger with their titles, written as the user began: whole or as digits."""
    ledger = _or_nothing(lambda: load_ledger(Checkout.here().ledger).bugs)
    cut = "JDK-" if incomplete[:1].isdigit() else ""
    return _beginning(incomplete, ((bug.id.removeprefix(cut), bug.title) for bug in ledger))


def tests(incomplete: str) -> list[Completion]:
    """The suite's tests and groups."""
    suite = Checkout.here().suite
    groups = _or_nothing(lambda: [f":{name}" for name in read_groups(suite)])
    return _beginning(
        incomplete, ((name, "") for name in (*groups, *_or_nothing(lambda: find_tests(suite))))
    )


def runs(incomplete: str) -> list[Completion]:
    """The runs under `reports/`, newest first."""
    reports = Checkout.here().reports
    stored = sorted(reports.iterdir(), reverse=True) if reports.is_dir() else []
    found = [path.name for path in stored if (path / "run.json").is_file()]
    return _beginning(incomplete, ((name, "") for name in found))


def _beginning(incomplete: str, known: Iterable[Completion]) -> list[Completion]:
    return [(value, text) for value, text in known if value.startswith(incomplete)]


def _or_nothing(read: Callable[[], Iterable[T]]) -> Iterable[T]:
    """A damaged file completes nothing; the command itself will say what is wrong with it."""
    try:
        return read()
    except KitError:
        return ()
