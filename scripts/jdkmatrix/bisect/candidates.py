# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Over which builds does a bisection go, and from which state to which?"""

from collections.abc import Mapping
from dataclasses import dataclass

from jdkmatrix.bisect.search import State
from jdkmatrix.config import version
from jdkmatrix.config.jdks import JdksFile
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import UsageError, accepted
from jdkmatrix.plan.expectation import expect
from jdkmatrix.vocabulary import Expectation


@dataclass(frozen=True)
class Candidates:
    """Builds of one train, oldest first, by their entries' ids; `first` is the oldest's state."""

    train: int
    versions: dict[str, JdkVersion]
    first: State

    @property
    def ids(self) -> tuple[str, ...]:
        """The entries' ids, oldest first."""
        return tuple(self.versions)


def of_train(
    bug: Bug, train: int, ledger: Ledger, jdks: JdksFile, build_ids: Mapping[str, str], test: str
) -> Candidates:
    """The builds of a train in which the bug can be; its fix is looked for.

    Raises UsageError if jdks.yaml has fewer than two.
    """
    known = _versions(jdks, build_ids)
    able = {
        entry_id: found
        for entry_id, found in known.items()
        if found.train == train
        and expect(bug, found, ledger, test) is not Expectation.NOT_APPLICABLE
    }
    if len(able) < 2:
        trains = sorted({found.train for found in known.values()})
        raise UsageError(
            f"--train {train}: jdks.yaml has {len(able)} builds of it in which {bug.id} can be, "
            f"so none on both sides; accepted: {', '.join(map(str, trains))}"
        )
    return Candidates(train, able, State.BAD)


def between(good: str, bad: str, jdks: JdksFile, build_ids: Mapping[str, str]) -> Candidates:
    """The builds from one of these to the other. Raises UsageError."""
    known = _versions(jdks, build_ids)
    ends = [_entry(option, text, known, build_ids) for option, text in _options(good, bad)]
    good_version, bad_version = known[ends[0]], known[ends[1]]
    if good_version.train != bad_version.train or good_version == bad_version:
        raise UsageError(
            f"--good {good}, --bad {bad}: accepted: two builds of one train, not the same"
        )
    low, high = sorted((good_version, bad_version))
    within = {entry_id: found for entry_id, found in known.items() if low <= found <= high}
    first = State.GOOD if good_version < bad_version else State.BAD
    return Candidates(good_version.train, within, first)


def trains_with_both(
    bug: Bug, ledger: Ledger, jdks: JdksFile, build_ids: Mapping[str, str], test: str
) -> tuple[int, ...]:
    """The trains of jdks.yaml that have affected and fixed builds, by the ledger.

    Raises UsageError if there is none.
    """
    seen: dict[int, set[Expectation]] = {}
    for found in _versions(jdks, build_ids).values():
        seen.setdefault(found.train, set()).add(expect(bug, found, ledger, test))
    both = {Expectation.AFFECTED, Expectation.FIXED}
    trains = tuple(sorted(train for train, expected in seen.items() if both <= expected))
    if not trains:
        known = ", ".join(map(str, sorted(seen)))
        raise UsageError(
            f"bisect {bug.id}: no train of jdks.yaml has builds on both sides by the ledger; "
            f"accepted: --train {known}, or --good and --bad"
        )
    return trains


def _versions(jdks: JdksFile, build_ids: Mapping[str, str]) -> dict[str, JdkVersion]:
    """The version of each entry, oldest first; a moving one has none before it was fetched."""
    versions = {
        entry.id: version.parse(build_ids.get(entry.id, entry.id).partition("-")[2])
        for entry in jdks.builds
        if entry.id in build_ids or not entry.moves
    }
    return dict(sorted(versions.items(), key=lambda pair: pair[1]))


def _options(good: str, bad: str) -> tuple[tuple[str, str], ...]:
    return ("--good", good), ("--bad", bad)


def _entry(
    option: str, text: str, known: Mapping[str, JdkVersion], build_ids: Mapping[str, str]
) -> str:
    for entry_id in known:
        if text in (entry_id, build_ids.get(entry_id)):
            return entry_id
    raise UsageError(f"{option} {text}: no such build; {accepted(text, known)}")
