# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which builds does a bisection search, and from which state to which?"""

from collections.abc import Mapping
from dataclasses import dataclass

from jdkmatrix.bisect.search import BugState
from jdkmatrix.config import version
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import UsageError, suggest
from jdkmatrix.plan.expectation import expect
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.texts import count_of
from jdkmatrix.vocabulary import Expectation


@dataclass(frozen=True)
class SearchableBuilds:
    """What can be searched: versions, oldest first, by id in jdks.yaml or path of a JDK.

    `names` maps the entry ids of locked builds to build ids.
    """

    versions: dict[str, JdkVersion]
    names: Mapping[str, str]


def known_builds(
    jdks: JdksFile, names: Mapping[str, str], given: Mapping[str, JdkVersion]
) -> SearchableBuilds:
    """The builds of jdks.yaml and the `given` JDKs, the latter by path.

    An entry that moves on has no version until it is fetched, and is left out until then. So are
    builds for another C library: a release is asked once.
    """
    versions = {
        entry.id: version.parse(names.get(entry.id, entry.id).partition("-")[2])
        for entry in jdks.builds
        if (entry.id in names or not entry.moves) and not entry.target
    }
    return SearchableBuilds(
        dict(sorted({**versions, **given}.items(), key=lambda pair: pair[1])), names
    )


@dataclass(frozen=True)
class Candidates:
    """Builds of one train, oldest first, by their ids; `first` is the oldest's state."""

    train: int
    versions: dict[str, JdkVersion]
    first: BugState

    @property
    def ids(self) -> tuple[str, ...]:
        """The builds' ids, oldest first."""
        return tuple(self.versions)


def of_train(
    bug: Bug, train: int, ledger: Ledger, known: SearchableBuilds, test: str
) -> Candidates:
    """The builds of a train that can have the bug; the search is for its fix.

    Raises UsageError if there are fewer than two.
    """
    able = {
        build: found
        for build, found in known.versions.items()
        if found.train == train
        and expect(bug, found, ledger, test) is not Expectation.NOT_APPLICABLE
    }
    if len(able) < 2:
        trains = trains_with_both(bug, ledger, known, test)
        raise UsageError(
            f"--train {train}: jdks.yaml has {count_of(len(able), 'build')} of it that can have "
            f"{bug.id}; two or more are needed; accepted: {', '.join(map(str, trains))}, "
            "or --jdk DIR with builds of it"
        )
    return Candidates(train, able, BugState.BAD)


def between(good: str, bad: str, known: SearchableBuilds) -> Candidates:
    """The two builds and those between them; builds of other vendors with the version of an end
    are left out. Raises UsageError.
    """
    ends = [_build("--good", good, known), _build("--bad", bad, known)]
    good_version, bad_version = known.versions[ends[0]], known.versions[ends[1]]
    if good_version.train != bad_version.train or good_version == bad_version:
        raise UsageError(f"--good {good}, --bad {bad}: accepted: two different builds of one train")
    low, high = sorted((good_version, bad_version))
    within = {
        build: found
        for build, found in known.versions.items()
        if low < found < high or build in ends
    }
    first = BugState.GOOD if good_version < bad_version else BugState.BAD
    return Candidates(good_version.train, within, first)


def trains_with_both(
    bug: Bug, ledger: Ledger, known: SearchableBuilds, test: str
) -> tuple[int, ...]:
    """The trains that have both affected and fixed builds by the ledger.

    Raises UsageError if there is none.
    """
    seen: dict[int, set[Expectation]] = {}
    for found in known.versions.values():
        seen.setdefault(found.train, set()).add(expect(bug, found, ledger, test))
    both = {Expectation.AFFECTED, Expectation.FIXED}
    trains = tuple(sorted(train for train, expected in seen.items() if both <= expected))
    if not trains:
        raise UsageError(
            f"bisect {bug.id}: by the ledger no train of jdks.yaml has builds on both sides of the "
            "fix; accepted: --jdk DIR with builds from the other side, or --good and --bad"
        )
    return trains


def another(ran: BuildRecord, known: JdkVersion) -> str | None:
    """Why a build that ran is not the one searched, whose version is `known`; None if it is.

    An entry may have moved on, and a local JDK may have been replaced.
    """
    if ran.replaced or version.parse(ran.version).fits(known):
        return ran.replaced
    return f"no verdict: it was {known} when the search began"


def _build(option: str, text: str, known: SearchableBuilds) -> str:
    for build in known.versions:
        if text in (build, known.names.get(build)):
            return build
    raise UsageError(f"{option} {text}: no such build; {suggest(text, known.versions)}")
