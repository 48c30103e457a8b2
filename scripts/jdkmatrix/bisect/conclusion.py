# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Did a bug come or go where the ledger says? Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from jdkmatrix.bisect.search import BugState
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.plan.expectation import expect
from jdkmatrix.vocabulary import Expectation


@dataclass(frozen=True)
class Conclusion:
    """One sentence, and whether the ledger agrees."""

    text: str
    agrees: bool


def verdict(
    bug: Bug, ledger: Ledger, test: str, before: JdkVersion, after: JdkVersion, first: BugState
) -> Conclusion:
    """Compare the change between two neighbouring builds with the ledger's tags.

    `first` is the state of `before`: BAD where the fix lies between them.
    """
    tags = bug.fixed if first is BugState.BAD else bug.introduced or {}
    tag = tags.get(after.train)
    what = "fixed" if first is BugState.BAD else "affected"
    said = f"ledger says {tag}" if tag else f"the ledger has no tag for {after.train}"
    last = BugState.GOOD if first is BugState.BAD else BugState.BAD
    states = ((before, first), (after, last))
    agrees = all(_fits(expect(bug, build, ledger, test), state) for build, state in states)
    end = _end(agrees, before, first)
    return Conclusion(f"first {what}: {after} ({said}): {end}", agrees)


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


def verdict_of_scenario(
    scenario: str,
    bugs: Sequence[str],
    before: tuple[JdkVersion, Expectation],
    after: tuple[JdkVersion, Expectation],
    first: BugState,
) -> Conclusion:
    """Compare the change with what the ledger says of the bugs that the scenario shows.

    `before` and `after` are the neighbours, each with its expectation. Without a bug there is
    nothing to disagree with.
    """
    what = "no longer slower" if first is BugState.BAD else "slower"
    text = f"first {what} in {scenario}: {after[0]}"
    if not bugs:
        return Conclusion(f"{text} (the ledger has no bug that it shows)", True)
    last = BugState.GOOD if first is BugState.BAD else BugState.BAD
    agrees = _fits(before[1], first) and _fits(after[1], last)
    said = f"by {', '.join(bugs)} the ledger says {before[0]} {before[1]}, {after[0]} {after[1]}"
    return Conclusion(f"{text} ({said}): {_end(agrees, before[0], first)}", agrees)


def _end(agrees: bool, before: JdkVersion, first: BugState) -> str:
    return "agrees" if agrees else f"disagrees, {before} was the last {first}"


def _fits(expected: Expectation, state: BugState) -> bool:
    if expected is Expectation.UNKNOWN:  # between two measured builds: either state fits
        return True
    return (expected is Expectation.AFFECTED) is (state is BugState.BAD)
