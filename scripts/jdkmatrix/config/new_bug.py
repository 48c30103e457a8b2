# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`scripts/new-bug JDK-ID AREA/NAME`: what does a bug begin with?

A reproducer that compiles and is inconclusive, and its entry in the ledger. Both say as `TODO:`
what is to be written; the ledger's reader refuses the entry until it is.
"""

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from jdkmatrix.config.ledger import Ledger, load_ledger, todo_lines
from jdkmatrix.config.run_lines import read_header
from jdkmatrix.errors import KitError, MachineError, UsageError, one_line, suggest
from jdkmatrix.machine.bounded import text_of
from jdkmatrix.machine.files import write_atomically
from jdkmatrix.paths import Checkout

_USAGE = "scripts/new-bug JDK-ID AREA/NAME, as in: scripts/new-bug 8276774 httpclient/CookieLost"
_SKELETONS = Path(__file__).with_name("skeletons")
_ID = re.compile(r"(?:JDK-)?(?P<number>\d{7})", re.ASCII)
# In the style of the others: a class is named for the symptom, in ASCII.
_NAME = re.compile(r"[A-Z][A-Za-z0-9]*", re.ASCII)
# What comes after the bugs.
_NEXT_SECTION = "\nleft-out:\n"


def add_bug(checkout: Checkout, bug_id: str, test_name: str) -> tuple[Path, Path]:
    """Write the skeletons; return the reproducer's path and the ledger's.

    Raises UsageError for an id or name that is there already or can't be, and for a checkout that
    may not be written, MachineError for a full disk; then nothing is written.
    """
    ledger = load_ledger(checkout.ledger)
    number = _new_number(ledger, bug_id)
    area, _, name = test_name.removesuffix(".java").partition("/")
    reproducer = checkout.suite / area / f"{name}.java"
    _check_test(checkout.suite, ledger, area, name)
    for folder in (reproducer.parent, checkout.suite):
        if not os.access(folder, os.W_OK):
            raise UsageError(f"{folder}: may not be written; accepted: a checkout of your own")
    names = {"number": number, "test": f"{area}/{name}.java", "name": name}
    names["requires"] = _requires_of(checkout.suite, ledger, area)
    bugs, heading, rest = text_of(checkout.ledger).partition(_NEXT_SECTION)
    entry = _fill_in("bug.yaml", names)
    write_atomically(reproducer, _fill_in("Reproducer.java", names))
    try:
        write_atomically(checkout.ledger, f"{bugs.rstrip()}\n\n{entry}{heading}{rest}")
    except MachineError:
        reproducer.unlink()
        raise
    return reproducer, checkout.ledger


def _new_number(ledger: Ledger, bug_id: str) -> str:
    match = _ID.fullmatch(bug_id)
    if match is None:
        raise UsageError(f"{one_line(bug_id)}: no bug id; accepted: 8276774 or JDK-8276774")
    new_id = f"JDK-{match['number']}"
    for bug in ledger.bugs:
        if bug.id == new_id:
            raise UsageError(
                f"{new_id}: is in test/bugs.yaml, with {bug.tests[0]}; accepted: a new id, "
                "or one more line under its tests"
            )
    if new_id in [bug.id for bug in ledger.left_out]:
        raise UsageError(f"{new_id}: is under left-out in test/bugs.yaml; take it out there first")
    return match["number"]


def _check_test(suite: Path, ledger: Ledger, area: str, name: str) -> None:
    areas = sorted({test.partition("/")[0] for bug in ledger.bugs for test in bug.tests})
    if area not in areas:
        raise UsageError(f"{one_line(area)}/: no area of test/; {suggest(area, areas)}")
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{one_line(name) or area}: no name of a Java class; accepted: AREA/NAME with letters "
            "and digits, the first a capital, as in CookieSentTwice"
        )
    # Classes of the suite have no package, so a name is there once.
    for file in sorted(suite.rglob(f"{name}.java")):
        raise UsageError(f"{name}: test/{file.relative_to(suite)} is there; accepted: a new name")


def _requires_of(suite: Path, ledger: Ledger, area: str) -> str:
    """The line that all reproducers of the area have in common, if they have any."""
    headers = {
        header.requires
        for bug in ledger.bugs
        for test in bug.tests
        if test.startswith(f"{area}/")
        for header in [read_header(suite / test)]
        if "@requires" in text_of(suite / test)
    }
    return f" * @requires {headers.pop()}\n" if len(headers) == 1 else ""


def _fill_in(skeleton: str, names: dict[str, str]) -> str:
    text = text_of(_SKELETONS / skeleton)
    for name, text_of_name in names.items():
        text = text.replace(f"@{name}@", text_of_name)
    return text


def main(arguments: Sequence[str]) -> int:
    """Write the skeletons into this checkout, print what is still to be written; the exit code."""
    checkout = Checkout.current()
    try:
        if len(arguments) != 2:
            raise UsageError(f"{len(arguments)} arguments; accepted: {_USAGE}")
        files = add_bug(checkout, *arguments)
    except KitError as error:
        print(f"new-bug: {error}", file=sys.stderr)
        return error.exit_code
    print("Still to be written:")
    for file in files:
        for line, text in todo_lines(text_of(file)):
            print(f"  {file.relative_to(checkout.root)}:{line}: {text}")
    print("Everything that is missing, with its fix: scripts/test tests/test_bug_gaps.py")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
