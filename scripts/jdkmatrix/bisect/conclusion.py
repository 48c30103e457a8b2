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
