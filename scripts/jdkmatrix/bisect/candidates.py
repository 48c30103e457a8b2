# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which builds does a bisection search, and from which state to which?"""

from collections.abc import Mapping
from dataclasses import dataclass

from jdkmatrix.bisect.search import BugState
from jdkmatrix.config import version
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import UsageError, suggest
from jdkmatrix.plan.expectation import expect
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.supply.build import NamedBuild
from jdkmatrix.supply.catalog import Catalog
from jdkmatrix.texts import count_of
from jdkmatrix.vocabulary import Expectation


@dataclass(frozen=True)
class SearchableBuilds:
    """What can be searched: versions, oldest first, by id in jdks.yaml or path of a JDK.

    `last_builds` are those last fetched, by the ids of their entries.
    """

    versions: dict[str, JdkVersion]
    last_builds: Mapping[str, NamedBuild]


def known_builds(catalog: Catalog, local_versions: Mapping[str, JdkVersion]) -> SearchableBuilds:
    """The builds of jdks.yaml and the JDKs `local_versions`, the latter by path.

    An entry that moves on has no version until it is fetched, and is left out until then. So are
    builds for another C library: a release is asked once.
    """
    versions = {
        entry.id: catalog.last_build(entry).version
        for entry in catalog.jdks.builds
        if catalog.knows_build(entry) and not entry.target
    }
    return SearchableBuilds(
        dict(sorted({**versions, **local_versions}.items(), key=lambda pair: pair[1])),
        catalog.last_builds,
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
    bug: Bug, train: int, ledger: Ledger, catalog: SearchableBuilds, test: str
) -> Candidates:
    """The builds of a train that can have the bug; the search is for its fix.

    Raises UsageError if there are fewer than two.
    """
    able = {
        build: jdk_version
        for build, jdk_version in catalog.versions.items()
        if jdk_version.train == train
        and expect(bug, jdk_version, ledger, test) is not Expectation.NOT_APPLICABLE
    }
    if len(able) < 2:
        trains = trains_with_both(bug, ledger, catalog, test)
        raise UsageError(
            f"--train {train}: jdks.yaml has {count_of(len(able), 'build')} of it that can have "
            f"{bug.id}; two or more are needed; accepted: {', '.join(map(str, trains))}, "
            "or --jdk DIR with builds of it"
        )
    return Candidates(train, able, BugState.BAD)


def between(good: str, bad: str, catalog: SearchableBuilds) -> Candidates:
    """The two builds and those between them; builds of other vendors with the version of an end
    are left out. Raises UsageError.
    """
    ends = [_build("--good", good, catalog), _build("--bad", bad, catalog)]
    good_version, bad_version = catalog.versions[ends[0]], catalog.versions[ends[1]]
    if good_version.train != bad_version.train or good_version == bad_version:
        raise UsageError(f"--good {good}, --bad {bad}: accepted: two different builds of one train")
    low, high = sorted((good_version, bad_version))
    versions = {
        build: jdk_version
        for build, jdk_version in catalog.versions.items()
        if low < jdk_version < high or build in ends
    }
    first = BugState.GOOD if good_version < bad_version else BugState.BAD
    return Candidates(good_version.train, versions, first)


def trains_with_both(
    bug: Bug, ledger: Ledger, catalog: SearchableBuilds, test: str
) -> tuple[int, ...]:
    """The trains that have both affected and fixed builds by the ledger.

    Raises UsageError if there is none.
    """
    expectations: dict[int, set[Expectation]] = {}
    for jdk_version in catalog.versions.values():
        expectations.setdefault(jdk_version.train, set()).add(
            expect(bug, jdk_version, ledger, test)
        )
    sides = {Expectation.AFFECTED, Expectation.FIXED}
    trains = tuple(sorted(train for train, expected in expectations.items() if sides <= expected))
    if not trains:
        raise UsageError(
            f"bisect {bug.id}: by the ledger no train of jdks.yaml has builds on both sides of the "
            "fix; accepted: --jdk DIR with builds from the other side, or --good and --bad"
        )
    return trains


def explain_mismatch(record: BuildRecord, expected_version: JdkVersion) -> str | None:
    """Why a build that ran is not the one searched, of `expected_version`; None if it is.

    An entry may have moved on, and a local JDK may have been replaced.
    """
    if record.replaced or version.parse(record.version).fits(expected_version):
        return record.replaced
    return f"no verdict: it was {expected_version} when the search began"


def _build(option: str, text: str, catalog: SearchableBuilds) -> str:
    for build in catalog.versions:
        last = catalog.last_builds.get(build)
        if text == build or (last and text == last.id):
            return build
    raise UsageError(f"{option} {text}: no such build; {suggest(text, catalog.versions)}")
