# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Must a bug show on a build? Answered from the ledger and the version alone."""

from collections.abc import Mapping
from enum import StrEnum

from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.version import JdkVersion


class Expectation(StrEnum):
    """What the ledger says of one bug on one build (DESIGN.md section 3)."""

    AFFECTED = "affected"
    FIXED = "fixed"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not-applicable"


def has_change(build: JdkVersion, tags: Mapping[int, JdkVersion]) -> bool | None:
    """Does the build contain a change that reached each train with the given build tag?

    A change lands in mainline first, so its newest train's tag counts for every later train; an
    older train without a tag of its own never got it. None where the version cannot tell.
    """
    tag = tags.get(build.train)
    if tag is not None:
        return build.contains(tag)
    return build.train > max(tags)


def expect(bug: Bug, build: JdkVersion, ledger: Ledger) -> Expectation:
    """The expectation of `bug` on a build of that version."""
    needs = [has_change(build, condition.since) for condition in ledger.conditions_of(bug)]
    if False in needs:
        return Expectation.NOT_APPLICABLE
    fixed = has_change(build, bug.fixed)
    if None in needs or fixed is None:
        return Expectation.UNKNOWN
    return Expectation.FIXED if fixed else Expectation.AFFECTED
