# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which jtreg tests does the suite under `test/` have?"""

import re
from collections.abc import Collection, Mapping
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path

from jdkmatrix.errors import UsageError, one_line, suggest, translate_os_errors
from jdkmatrix.machine.files import text_of
from jdkmatrix.machine.trees import walk

_HAS_TEST_TAG = re.compile(r"^[ \t]*(?:/?\*+|#)[ \t]*@test\b", re.MULTILINE)
_SUFFIXES = {".java", ".sh"}  # shell tests: the JDK's own suite of 8u and 11u has many
# Folders whose tests one jtreg runs one after the other; several do not know of each other.
_EXCLUSIVE = re.compile(r"^exclusiveAccess\.dirs\s*=(?P<folders>(?:.*\\\n)*.*)$", re.MULTILINE)
_HAS_MAIN = re.compile(r"\bstatic\b[\w\s]*\bvoid\s+main\s*\(")
# Of a folder of plain programs; the JDK's whole suite has some 40,000.
_MOST_FILES = 50_000
_NEEDS_QUIET = re.compile(r"^[ \t]*(?:/?\*+|//)[ \t]*@key\b.*\bquiet\b", re.MULTILINE)
_GROUP = re.compile(r"^(?P<name>[^=\n]*?)[ \t]*=(?P<members>.*)$", re.MULTILINE)
_CONTINUED = re.compile(r"\\\n")
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
# The JDK's own suite has five.
_MOST_OUTER_GROUPS = 50
_MEMBERS_OF_PROBLEM = 3  # a line is: test, bug ids, platforms, and perhaps ignored words
_JTREG_SYSTEMS = {"alpine-linux": "linux", "mac": "macosx"}
_JTREG_ARCHITECTURES = {"x64": "amd64"}


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
    with translate_os_errors(UsageError, f"{path}: cannot be read"):
        return text_of(path, errors="replace")


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


def read_groups(suite: Path) -> dict[str, tuple[str, ...]]:
    """The members of each group: paths and `:group`, either of them with a minus if left out.

    Raises UsageError for a name for which jtreg would refuse the whole file.
    """
    path = suite / "TEST.groups"
    if not path.is_file():
        return {}
    text = _CONTINUED.sub(" ", _COMMENT.sub("", text_of(path, errors="replace")))
    groups = {match["name"]: tuple(match["members"].split()) for match in _GROUP.finditer(text)}
    for name in groups:
        if not re.fullmatch(r"\w+", name):
            raise UsageError(f"{path}: group {name}: accepted: letters, digits and _ in a name")
    return groups


def group_members(
    groups: Mapping[str, tuple[str, ...]], name: str, tests: tuple[str, ...]
) -> tuple[str, ...]:
    """Those of `tests` that are in the group. Raises UsageError for an unknown group, one that
    contains itself, or groups in groups in groups beyond all sense.
    """
    return _members(groups, name, tests, (), {})


def _members(
    groups: Mapping[str, tuple[str, ...]],
    name: str,
    tests: tuple[str, ...],
    outer_groups: tuple[str, ...],
    members_by_group: dict[str, tuple[str, ...]],
) -> tuple[str, ...]:
    """As `group_members`, of a group within others; `members_by_group` is filled."""
    if name in members_by_group:
        return members_by_group[name]
    if len(outer_groups) > _MOST_OUTER_GROUPS:
        raise UsageError(f"TEST.groups: :{outer_groups[0]}: more than {_MOST_OUTER_GROUPS} levels")
    if name in outer_groups:
        raise UsageError(f"TEST.groups: :{name} contains itself; accepted: other groups or tests")
    if name not in groups:
        hint = suggest(f":{name}", (f":{group}" for group in sorted(groups)))
        raise UsageError(f"--test :{name}: no such group in TEST.groups; {hint}")
    members: set[str] = set()
    left_out: set[str] = set()
    for member in groups[name]:
        target = left_out if member.startswith("-") else members
        bare = member.removeprefix("-")
        if bare.startswith(":"):
            outer = (*outer_groups, name)
            target.update(_members(groups, bare[1:], tests, outer, members_by_group))
        else:
            target.update(_tests_at(bare.strip("/"), tests))
    members_by_group[name] = tuple(test for test in tests if test in members - left_out)
    return members_by_group[name]


def _tests_at(path: str, tests: tuple[str, ...]) -> list[str]:
    """The test at a path, or those in the folder; '' is the whole suite."""
    return [test for test in tests if path in ("", test) or test.startswith(f"{path}/")]


def platform_words(system: str, architecture: str) -> frozenset[str]:
    """jtreg's names for this platform in a problem list: `generic-all`, `linux-x64`, `linux` ...

    The arguments are the Adoptium API's words. jtreg also knows names with the system's version.
    """
    systems = {"generic", system, _JTREG_SYSTEMS.get(system, system)}
    architectures = {"all", architecture, _JTREG_ARCHITECTURES.get(architecture, architecture)}
    return frozenset(
        systems | {f"{system_name}-{arch}" for system_name in systems for arch in architectures}
    )


def read_problems(suite: Path, platforms: Collection[str]) -> dict[str, str]:
    """The tests that are left out, each with its reason: the comment above its line.

    A line counts if one of its platforms is among `platforms`. Raises UsageError for a line
    without a reason, or not in jtreg's form.
    """
    path = suite / "ProblemList.txt"
    problems: dict[str, str] = {}
    reason: list[str] = []
    lines = text_of(path, errors="replace").splitlines() if path.is_file() else []
    for n, line in enumerate(lines, 1):
        text = line.strip()
        if not text:
            reason = []
        elif text.startswith("#"):
            reason.append(text.lstrip("# "))
        elif len(text.split()) < _MEMBERS_OF_PROBLEM or not reason:
            raise UsageError(
                f"{path}:{n}: {one_line(text)}: accepted: test, bug ids, platforms; "
                "the reason above it as a # comment"
            )
        else:
            test, _, platform_list = text.split()[:_MEMBERS_OF_PROBLEM]
            if any(word.lower() in platforms for word in platform_list.split(",")):
                problems[test] = " ".join(reason)
    return problems
