# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Did a bug come or go where the ledger says? Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from jdkmatrix.bisect.search import BugState
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.plan.expectation import expect
from jdkmatrix.vocabulary import Expectation

_LEGACY_TRAIN = 8
# The index of the update release in a version's numbers: 17.0.7, and 8u412 as (8, 0, 412).
_UPDATE = 2


@dataclass(frozen=True)
class Conclusion:
    """One sentence, and whether the ledger agrees."""

    text: str
    agrees: bool


def verdict(
    bug: Bug, ledger: Ledger, test: str, older: JdkVersion, newer: JdkVersion, first: BugState
) -> Conclusion:
    """Compare the change between two neighbouring builds with the ledger's tags.

    `first` is the state of `older`: BAD where the fix lies between them.
    """
    tags = bug.fixed if first is BugState.BAD else bug.introduced or {}
    tag = tags.get(newer.train)
    change = "fixed" if first is BugState.BAD else "affected"
    ledger_text = f"ledger says {tag}" if tag else f"the ledger has no tag for {newer.train}"
    last = BugState.GOOD if first is BugState.BAD else BugState.BAD
    states = ((older, first), (newer, last))
    agrees = all(_fits(expect(bug, build, ledger, test), state) for build, state in states)
    end = _end(agrees, older, first)
    return Conclusion(f"first {change}: {newer} ({ledger_text}): {end}", agrees)


def verdict_of_ends(
    bug: Bug,
    ledger: Ledger,
    test: str,
    ends: Mapping[str, BugState],
    versions: Mapping[str, JdkVersion],
) -> Conclusion:
    """Compare ends that do not differ with the ledger; a lost fix looks like this.

    `ends` are the states of builds whose versions are in `versions`. Without an end, or if each is
    as the ledger says, there is nothing to disagree with: the train has only one side.
    """
    parts: list[str] = []
    agrees = True
    for end, state in ends.items():
        expected = expect(bug, versions[end], ledger, test)
        agrees = agrees and _fits(expected, state)
        parts.append(f"{versions[end]} is {state} (ledger says {expected})")
    end = "agrees" if agrees else "disagrees"
    return Conclusion(f"no change found: {', '.join(parts)}: {end}", agrees)


def _end(agrees: bool, older: JdkVersion, first: BugState) -> str:
    return "agrees" if agrees else f"disagrees, {older} was the last {first}"


def _fits(expected: Expectation, state: BugState) -> bool:
    if expected is Expectation.UNKNOWN:  # between two measured builds: either state fits
        return True
    return (expected is Expectation.AFFECTED) is (state is BugState.BAD)


def narrowing(older: JdkVersion, newer: JdkVersion) -> str | None:
    """One sentence on what lies between two builds of a train; None if no build does."""
    low, high = _update(older), _update(newer)
    if low == high:
        return None if _follows(older, newer) else _by_hand(older, newer, "builds of one release")
    has_own = newer.build is None or newer.build > 1
    if high - low == 1:
        return _by_hand(older, newer, f"only builds of {_name(newer, high)}") if has_own else None
    own_builds = f", and builds of {_name(newer, high)}" if has_own else ""
    if newer.train == _LEGACY_TRAIN:  # its update numbers mostly go up by tens
        middle, releases = "VERSION", "releases of 8u"
    else:
        middle = _name(newer, (low + high) // 2)
        first, last = _name(newer, low + 1), _name(newer, high - 1)
        releases = f"releases {first} to {last}" if first != last else f"release {first}"
    return _by_hand(
        older, newer, f"{releases} (scripts/matrix jdks add temurin {middle}){own_builds}"
    )


def _by_hand(older: JdkVersion, newer: JdkVersion, choices: str) -> str:
    return f"between {older} and {newer}: {choices}; --jdk DIR adds local builds"


def _follows(older: JdkVersion, newer: JdkVersion) -> bool:
    """Whether `newer` is the very next build of the same version."""
    if older.numbers != newer.numbers or older.build is None or newer.build is None:
        return False
    return newer.build - older.build <= 1


def _update(version: JdkVersion) -> int:
    return version.numbers[_UPDATE] if len(version.numbers) > _UPDATE else 0


def _name(version: JdkVersion, update: int) -> str:
    if version.train == _LEGACY_TRAIN:
        return f"8u{update}"
    return f"{version.train}.0.{update}"
