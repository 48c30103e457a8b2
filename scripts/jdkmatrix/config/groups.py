# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which tests does a group of `TEST.groups` name, and which does `ProblemList.txt` leave out?

Both files are jtreg's own: `jtreg -exclude:test/ProblemList.txt test:tier1` means the same.
"""

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from jdkmatrix.errors import UsageError, one_line, suggest
from jdkmatrix.machine.bounded import text_of

_GROUP = re.compile(r"^(?P<name>[^=\n]*?)[ \t]*=(?P<members>.*)$", re.MULTILINE)
_CONTINUED = re.compile(r"\\\n")
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)
# The JDK's own suite has five.
_MOST_OUTER_GROUPS = 50
_MEMBERS_OF_PROBLEM = 3  # a line is: test, bug ids, platforms, and perhaps ignored words
_JTREG_SYSTEMS = {"alpine-linux": "linux", "mac": "macosx"}
_JTREG_ARCHITECTURES = {"x64": "amd64"}


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
