# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which jtreg tests does the suite under `test/` have?"""

import re
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path

from jdkmatrix.errors import UsageError, one_line, suggest
from jdkmatrix.machine.bounded import text_of
from jdkmatrix.machine.trees import walk

_HAS_TEST_TAG = re.compile(r"^[ \t]*(?:/?\*+|#)[ \t]*@test\b", re.MULTILINE)
_SUFFIXES = {".java", ".sh"}  # shell tests: the JDK's own suite of 8u and 11u has many
# Folders whose tests one jtreg runs one after the other; several do not know of each other.
_EXCLUSIVE = re.compile(r"^exclusiveAccess\.dirs\s*=(?P<folders>(?:.*\\\n)*.*)$", re.MULTILINE)
_HAS_MAIN = re.compile(r"\bstatic\b[\w\s]*\bvoid\s+main\s*\(")
# Of a folder of plain programs; the JDK's whole suite has some 40,000.
_MOST_FILES = 50_000
_NEEDS_QUIET = re.compile(r"^[ \t]*(?:/?\*+|//)[ \t]*@key\b.*\bquiet\b", re.MULTILINE)


def find_tests(root: Path) -> tuple[str, ...]:
    """Every jtreg test under `root`, as sorted paths relative to it.

    `root` must hold a `TEST.ROOT`. Raises UsageError.
    """
    if not (root / "TEST.ROOT").is_file():
        raise UsageError(f"{root}: not a jtreg suite; it needs a file TEST.ROOT")
    tests = tuple(
        path.relative_to(root).as_posix()
        for path in sorted(Path(entry.path) for entry in walk(root))
        if path.suffix in _SUFFIXES and path.is_file() and has_test_tag(_text(path))
    )
    for test in tests:
        if not test.isprintable():  # no record holds it, and no report shows it as it is
            raise UsageError(f"{root}: {one_line(test)}: accepted: names of printable characters")
    return tests


def find_programs(root: Path) -> tuple[str, ...]:
    """The Java files under `root` that have a main method, as sorted paths relative to it."""
    paths = sorted(Path(entry.path) for entry in islice(walk(root), _MOST_FILES))
    return tuple(
        path.relative_to(root).as_posix()
        for path in paths
        if path.suffix == ".java" and path.is_file() and _HAS_MAIN.search(_text(path))
    )


def has_test_tag(text: str) -> bool:
    """Whether a source is a jtreg test."""
    # Most files of the suite have no such word at all, which is seen in a tenth of the time.
    return "@test" in text and _HAS_TEST_TAG.search(text) is not None


def quiet_tests(root: Path, tests: tuple[str, ...]) -> frozenset[str]:
    """The tests that need a machine on which nothing else runs: those with `@key quiet`.

    Also those in a folder of `exclusiveAccess.dirs` in `TEST.ROOT`.
    """
    match = _EXCLUSIVE.search(_text(root / "TEST.ROOT"))
    folders = match["folders"].replace("\\\n", " ").split() if match else []
    alone = tuple(f"{folder.rstrip('/')}/" for folder in folders)
    return frozenset(
        test for test in tests if test.startswith(alone) or _needs_quiet(_text(root / test))
    )


def _needs_quiet(text: str) -> bool:
    return "quiet" in text and _NEEDS_QUIET.search(text) is not None


def _text(path: Path) -> str:
    try:
        return text_of(path, errors="replace")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None


def select_tests(tests: tuple[str, ...], pattern: str) -> tuple[str, ...]:
    """The tests that `pattern` matches: a path, a folder or a glob, relative to the suite.

    It may begin with `test/`, as paths of this checkout do; a folder `test` of the suite itself
    comes first. A file's name alone is enough if one test has it. Raises UsageError if it matches
    none.
    """
    for path in _readings(pattern):
        matches = tuple(
            test
            for test in tests
            if test in (path, f"{path}.java")
            or test.startswith(f"{path}/")
            or fnmatchcase(test, path)
        )
        if matches:
            return matches
    namesakes = tuple(test for test in tests if _has_name(pattern, test))
    if len(namesakes) == 1:
        return namesakes
    raise UsageError(f"--test {pattern}: no such test; {suggest(pattern, tests)}")


def names_one_test(pattern: str, test: str) -> bool:
    """Whether `pattern` names this very test, not a folder, glob or group that has it."""
    paths = _readings(pattern)
    return any(test in (path, f"{path}.java") for path in paths) or _has_name(pattern, test)


def _has_name(pattern: str, test: str) -> bool:
    name = test.rpartition("/")[2]
    return pattern in (name, name.rpartition(".")[0])


def _readings(pattern: str) -> tuple[str, str]:
    bare = pattern.removeprefix("./").rstrip("/")
    return bare, bare.removeprefix("test/")
