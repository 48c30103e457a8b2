# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is where a bug was seen to come or go where the ledger says? Pure."""

from dataclasses import dataclass

from jdkmatrix.bisect.search import State
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.plan.expectation import Expectation, expect


@dataclass(frozen=True)
class Verdict:
    """One sentence, and whether the ledger agrees."""

    text: str
    agrees: bool


def verdict(
    bug: Bug, ledger: Ledger, test: str, before: JdkVersion, after: JdkVersion, first: State
) -> Verdict:
    """Compare the change between two neighbouring builds with the ledger's tags.

    `first` is the state of `before`: BAD where the fix lies between them.
    """
    tags = bug.fixed if first is State.BAD else bug.introduced or {}
    tag = tags.get(after.train)
    what = "fixed" if first is State.BAD else "affected"
    said = f"ledger says {tag}" if tag else f"the ledger has no tag for {after.train}"
    last = State.GOOD if first is State.BAD else State.BAD
    states = ((before, first), (after, last))
    agrees = all(_fits(bug, ledger, test, build, state) for build, state in states)
    end = "agrees" if agrees else f"disagrees, {before} was the last {first}"
    return Verdict(f"first {what}: {after} ({said}): {end}", agrees)


def _fits(bug: Bug, ledger: Ledger, test: str, build: JdkVersion, state: State) -> bool:
    expected = expect(bug, build, ledger, test)
    if expected is Expectation.UNKNOWN:  # between two measured builds: either is in order
        return True
    return (expected is Expectation.AFFECTED) is (state is State.BAD)
