# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a bug begin with, from nothing or from a program that was tried?

A reproducer that compiles and is inconclusive, and its entry in the ledger. Both say as `TODO:`
what is to be written; the ledger's reader refuses the entry until it is.
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jdkmatrix.config.ledger import Ledger, load_ledger
from jdkmatrix.config.run_lines import read_header
from jdkmatrix.errors import MachineError, UsageError, one_line, suggest
from jdkmatrix.machine.files import text_of, write_atomically
from jdkmatrix.paths import Checkout

_SKELETONS = Path(__file__).with_name("skeletons")
_ID = re.compile(r"(?:JDK-)?(?P<number>\d{7})", re.ASCII)
# In the style of the others: a class is named for the symptom, in ASCII.
_NAME = re.compile(r"[A-Z][A-Za-z0-9]*", re.ASCII)
_PACKAGE = re.compile(r"^package\s+[\w.]+\s*;\n?", re.MULTILINE)
_IMPORT = re.compile(r"^import\s+(?:static\s+)?[\w.*]+\s*;\n?", re.MULTILINE)
_PUBLIC = re.compile(
    r"^public\s+(?=(?:(?:final|abstract|strictfp)\s+)*(?:class|enum|interface)\b)", re.MULTILINE
)
_IMPORTS_OF_SKELETON = (
    "import java.io.ByteArrayOutputStream;",
    "import java.io.PrintStream;",
    "import java.util.regex.Matcher;",
    "import java.util.regex.Pattern;",
)
_EMPTY_TAGS = "fixed: {} "
# Of what it printed, in the header.
_MOST_SHOWN_LINES = 6
# What comes after the bugs.
_NEXT_SECTION = "\nleft-out:\n"


@dataclass(frozen=True)
class TriedProgram:
    """A program of one Java file, its class's name, and what builds said. `pattern`, a regular
    expression, matches a line that it prints where it fails. `fixed_tags` has by train the first
    build that passes after one that fails.
    """

    class_name: str
    source: str
    pattern: str
    bad_lines: Sequence[str]
    good_lines: Sequence[str]
    fixed_tags: Mapping[int, str] = field(default_factory=dict)


def add_bug(
    checkout: Checkout, bug_id: str, test_name: str, program: TriedProgram | None = None
) -> tuple[Path, Path]:
    """Write the skeletons, around the `program` if there is one; return the reproducer's path and
    the ledger's.

    Raises UsageError for an id or name that is there already or can't be, and for a checkout that
    may not be written, MachineError for a full disk; then nothing is written.
    """
    ledger = load_ledger(checkout.ledger, allow_todos=True)
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
    skeleton = "Reproducer.java"
    if program:
        skeleton = "FromProgram.java"
        names |= _names_of(program, name)
        entry = entry.replace(_EMPTY_TAGS, f"{_tags_of(program)} ")
    write_atomically(reproducer, _fill_in(skeleton, names))
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


def _names_of(program: TriedProgram, name: str) -> dict[str, str]:
    """What the skeleton around a program is filled with. Its class gets a name that nobody has."""
    class_name = f"{name}Program"
    text = _PACKAGE.sub("", program.source)
    imports = {line.strip() for line in _IMPORT.findall(text)} | {*_IMPORTS_OF_SKELETON}
    source = re.sub(rf"\b{re.escape(program.class_name)}\b", class_name, _IMPORT.sub("", text))
    return {
        "affected": _comment(program.bad_lines),
        "fixed": _comment(program.good_lines),
        "imports": "".join(f"{line}\n" for line in sorted(imports)),
        # JSON's escapes of a string are among Java's.
        "pattern": json.dumps(program.pattern or "TODO: a line that it prints where it fails"),
        "program": class_name,
        "source": _PUBLIC.sub("", source).strip(),
    }


def _comment(lines: Sequence[str]) -> str:
    shown_lines = [line.replace("*/", "* /") for line in lines[:_MOST_SHOWN_LINES] if line]
    return "\n".join(f" *     {line}" for line in shown_lines or ["TODO: what it printed"])


def _tags_of(program: TriedProgram) -> str:
    tags = ", ".join(f"{train}: {tag}" for train, tag in sorted(program.fixed_tags.items()))
    return f"fixed: {{{tags}}}"
