# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which tests does a group of `TEST.groups` name, and which does `ProblemList.txt` leave out?

Both files are jtreg's own: `jtreg -exclude:test/ProblemList.txt test:tier1` means the same.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from jdkmatrix.errors import UsageError

_GROUP = re.compile(r"^(?P<name>\w+)\s*=(?P<members>.*)$", re.MULTILINE)
_CONTINUED = re.compile(r"\\\n")
_COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)
_MEMBER_OF_PROBLEM = 2  # a line is: test, bug ids, platforms


def read_groups(suite: Path) -> dict[str, tuple[str, ...]]:
    """The members of each group: paths, `:group`, and either with a minus before it."""
    path = suite / "TEST.groups"
    if not path.is_file():
        return {}
    text = _CONTINUED.sub(" ", _COMMENT.sub("", path.read_text(encoding="utf-8")))
    return {match["name"]: tuple(match["members"].split()) for match in _GROUP.finditer(text)}


def tests_of_group(
    groups: Mapping[str, tuple[str, ...]], name: str, tests: tuple[str, ...]
) -> tuple[str, ...]:
    """Those of `tests` that the group has. Raises UsageError for a group that is not there."""
    if name not in groups:
        known = ", ".join(f":{known}" for known in sorted(groups))
        raise UsageError(f"--test :{name}: no such group in TEST.groups; accepted: {known}")
    chosen: set[str] = set()
    left_out: set[str] = set()
    for member in groups[name]:
        target = left_out if member.startswith("-") else chosen
        bare = member.removeprefix("-")
        if bare.startswith(":"):
            target.update(tests_of_group(groups, bare[1:], tests))
        else:
            folder = bare.rstrip("/")
            target.update(t for t in tests if t == folder or t.startswith(f"{folder}/"))
    return tuple(test for test in tests if test in chosen - left_out)


def read_problems(suite: Path) -> dict[str, str]:
    """The tests that are left out, each with its reason: the comment above its line.

    Raises UsageError for a line that has none, or is not as jtreg wants it.
    """
    path = suite / "ProblemList.txt"
    problems: dict[str, str] = {}
    reason: list[str] = []
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    for n, line in enumerate(lines, 1):
        text = line.strip()
        if not text:
            reason = []
        elif text.startswith("#"):
            reason.append(text.lstrip("# "))
        elif len(text.split()) <= _MEMBER_OF_PROBLEM or not reason:
            raise UsageError(
                f"{path}:{n}: {text}: accepted: test, bug ids, platforms; the reason above it as #"
            )
        else:
            problems[text.split()[0]] = " ".join(reason)
    return problems
