# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which releases have a bug, release line by release line? By the ledger, and as measured. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from jdkmatrix.config.known_changes import KnownChange
from jdkmatrix.config.ledger import Bug, Ledger
from jdkmatrix.config.tags import FirstTag, TagsByTrain
from jdkmatrix.config.version import JdkVersion, parse, read
from jdkmatrix.plan.expectation import expect_whole
from jdkmatrix.results.document import Results
from jdkmatrix.vocabulary import Expectation, Outcome
from jdkmatrix.words.first_tags import short_text

# A line of one release has nothing to compare.
_FEWEST_RELEASES = 2
# The fourth number of a version is a respin's, of the same release to whoever asks (JEP 322).
_RELEASE_NUMBERS = 3


@dataclass(frozen=True)
class ReleaseSpan:
    """Neighbouring releases of a line that have the same of a bug."""

    expectation: Expectation
    first: str
    last: str
    releases: int

    @property
    def text(self) -> str:
        """`17.0.1 to 17.0.6`."""
        return self.first if self.first == self.last else f"{self.first} to {self.last}"


@dataclass(frozen=True)
class ReleaseLine:
    """A release line: what its releases have of a bug, the first fixed one, builds measured."""

    train: int
    spans: tuple[ReleaseSpan, ...]
    first_fix: str
    builds_with: tuple[str, ...]
    builds_without: tuple[str, ...]


def releases_of(
    ledger: Ledger, changes: Iterable[KnownChange], results: Results | None
) -> dict[int, tuple[JdkVersion, ...]]:
    """The releases of each line that ledger, changes or the builds of a run name, oldest first."""
    versions = {read(str(tag.present_in.train)) for bug in ledger.bugs for tag in _tags(bug.fixed)}
    versions |= {parse(build.version) for build in results.builds} if results else set()
    for tags in (
        *(tags for bug in ledger.bugs for tags in (bug.fixed, bug.introduced)),
        *(change.since for change in changes),
        *(condition.since for condition in ledger.conditions),
    ):
        for tag in _tags(tags):
            versions |= {version for version in (tag.present_in, tag.absent_in) if version}
    by_train: dict[int, dict[tuple[int, ...], JdkVersion]] = defaultdict(dict)
    for version in versions:
        numbers = version.numbers[:_RELEASE_NUMBERS]
        by_train[version.train][numbers] = read(JdkVersion(numbers).release)
    return {
        train: tuple(by_numbers[numbers] for numbers in sorted(by_numbers))
        for train, by_numbers in sorted(by_train.items())
        if len(by_numbers) >= _FEWEST_RELEASES
    }


def neighbours(releases: Mapping[int, Sequence[JdkVersion]]) -> Iterator[tuple[JdkVersion, ...]]:
    """Each release and the one before it in its line, as far as they are named."""
    for of_train in releases.values():
        yield from pairwise(of_train)


def lines_of(
    bug: Bug,
    ledger: Ledger,
    releases: Mapping[int, Sequence[JdkVersion]],
    results: Results | None,
) -> tuple[ReleaseLine, ...]:
    """What each release line has of a bug."""
    return tuple(
        ReleaseLine(
            train=train,
            spans=tuple(_spans(bug, ledger, of_train)),
            first_fix=short_text(bug.fixed[train]) if train in bug.fixed else "",
            builds_with=_builds_with(bug, results, train, Outcome.REPRODUCED),
            builds_without=_builds_with(bug, results, train, Outcome.NOT_REPRODUCED),
        )
        for train, of_train in releases.items()
    )


def _tags(tags: TagsByTrain | None) -> Iterable[FirstTag]:
    return tags.values() if tags else ()


def _spans(bug: Bug, ledger: Ledger, releases: Sequence[JdkVersion]) -> Iterator[ReleaseSpan]:
    for expectation, group in groupby(releases, lambda version: expect_whole(bug, version, ledger)):
        of_span = list(group)
        is_oldest = of_span[0] is releases[0]
        first = str(of_span[0].train) if is_oldest else of_span[0].release
        yield ReleaseSpan(expectation, first, of_span[-1].release, len(of_span))


def _builds_with(
    bug: Bug, results: Results | None, train: int, outcome: Outcome
) -> tuple[str, ...]:
    """The builds on which a bug had that outcome; one reproducer that shows it is enough."""
    if results is None:
        return ()
    outcomes = defaultdict(set)
    for cell in results.cells:
        if cell.bug == bug.id:
            outcomes[cell.build].add(cell.outcome)
    telling = [
        build.id
        for build in results.builds
        if build.train == train and outcome in outcomes[build.id]
    ]
    if outcome is Outcome.REPRODUCED:
        return tuple(telling)
    return tuple(build for build in telling if Outcome.REPRODUCED not in outcomes[build])
