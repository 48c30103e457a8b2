# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a request mean in this checkout: which builds, which tests, which comparisons?

What plans comparisons is loaded only for a request that measures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jdkmatrix.config.jdks import BuildEntry
from jdkmatrix.config.ledger import Ledger, load_ledger
from jdkmatrix.config.suite import quiet_tests
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.expectation import expect, expect_with
from jdkmatrix.plan.planned_cells import PlannedTest
from jdkmatrix.plan.seconds import expected_seconds
from jdkmatrix.plan.selected_tests import tests_of
from jdkmatrix.plan.shards import cut_shards
from jdkmatrix.plan.variants import Share, judged_by_others, requested_overlay, variants_of
from jdkmatrix.records.request import Request
from jdkmatrix.supply.build import NamedBuild, SourceError, expand_home, overlaid_id
from jdkmatrix.supply.catalog import Catalog
from jdkmatrix.vocabulary import Expectation

if TYPE_CHECKING:
    from jdkmatrix.overlay.overlay_request import OverlayRequest
    from jdkmatrix.plan.workloads import Workloads
    from jdkmatrix.records.comparison_record import ComparisonRecord


@dataclass(frozen=True)
class PlanRow:
    """A cell as it is planned. `spec` is the build's id in `jdks.yaml`, or a local JDK's path.

    `build` is the id that it had when last fetched, with the `overlay`, if there is one.
    """

    spec: str
    build: str
    overlay: OverlayRequest | None
    test: PlannedTest
    expectation: Expectation
    expected_s: float

    def to_json(self) -> dict[str, str | float | None]:
        """As `plan --format json` and `--dry-run --json` print it."""
        return {
            "build": self.build,
            "test": self.test.path,
            "bug": self.test.bug.id if self.test.bug else None,
            "expectation": self.expectation,
            "expected_seconds": self.expected_s,
        }


class PlannedComparison(NamedTuple):
    """A comparison as it is planned, with its builds as they were asked for. `name` is
    `scenario/client`.
    """

    name: str
    baseline: str
    builds: tuple[str, ...]

    def covers(self, comparison: PlannedComparison) -> bool:
        """Whether `comparison` is this one, perhaps with fewer builds, as some can't be had. Its
        baseline may then be another one of these.
        """
        return self.name == comparison.name and set(comparison.builds) <= set(self.builds)


@dataclass(frozen=True)
class Selection:
    """A request, looked up in `jdks.yaml`, the ledger, the suite and the scenarios.

    Its builds are `entries`, then the JDKs at `local`; a build's place is its index in that order.
    `suite` is the folder of its `TEST.ROOT`. `shares` are the tests of each build: all of `tests`,
    or those of one shard. `counterpart` is the place of a validation's other baseline, on which
    nothing is measured. `quiet` are the tests to be run alone; `left_out` those of
    `ProblemList.txt` with the reasons, which run only if the user names their very files. `speed`
    is what is measured, None if nothing; a shard measures only `shard_comparisons`.
    """

    catalog: Catalog
    ledger: Ledger
    tests: tuple[PlannedTest, ...]
    entries: tuple[BuildEntry, ...]
    local: tuple[Path, ...]
    shares: tuple[Share, ...]
    suite: Path
    overlay: OverlayRequest | None = None
    quiet: frozenset[str] = frozenset()
    left_out: Mapping[str, str] = field(default_factory=dict)
    speed: Workloads | None = None
    counterpart: int | None = None
    shard_comparisons: tuple[PlannedComparison, ...] | None = None

    @classmethod
    def resolve(cls, checkout: Checkout, request: Request) -> Selection:
        """Look up a request. Raises UsageError for an invalid one or a malformed file of the kit.

        With `--jdk` alone, the default selection is left out.
        """
        catalog = Catalog.of_checkout(checkout)
        ledger = load_ledger(checkout.ledger)
        suite, tests, left_out = tests_of(request, checkout.suite, ledger)
        entries: tuple[BuildEntry, ...] = ()
        if request.builds or not request.jdks:
            entries = catalog.select(request.builds)
        local = tuple(map(Path, request.jdks))
        overlay = requested_overlay(request, tests, ledger)
        speed = None
        if request.speed:
            from jdkmatrix.plan.workloads import Workloads

            baseline = None
            if request.speed.baseline and not request.validates:
                baseline = _baseline(catalog, entries, local, request.speed.baseline)
            speed = Workloads.resolve(checkout, ledger, request, baseline, overlay)
        selection = cls(
            catalog=catalog,
            ledger=ledger,
            tests=tests,
            suite=suite,
            shares=tuple(
                variants_of(tests, overlay, ledger, jdk_version)
                for _, jdk_version in _last_versions(catalog, entries, local)
            ),
            quiet=_quiet_tests(request, suite, tests),
            left_out=left_out,
            entries=entries,
            local=local,
            overlay=overlay,
            speed=speed,
        )
        return selection.with_baseline(request) if request.validates else selection

    def with_baseline(self, request: Request) -> Selection:
        """The selection with the baseline of a validation's request, if that has one by now. It is
        one more build, the first of its kind, and has only the tests that show no bug: those are
        judged by other builds alone. The next one is the counterpart, if it has one. Raises
        UsageError if there is no such build.
        """
        assert self.speed and request.speed
        spec = request.speed.baseline
        if spec is None or self.speed.baseline is not None:
            return self
        names = [spec] if "/" not in spec else []
        names += [request.speed.counterpart] if request.speed.counterpart else []
        further_entries = tuple(self.catalog.entry(name, "--baseline") for name in names)
        folders = (Path(spec),) if "/" in spec else ()
        entries = (*further_entries, *self.entries)
        share = variants_of(judged_by_others(self.tests), self.overlay, self.ledger, None)
        count = len(self.entries)
        return replace(
            self,
            entries=entries,
            local=(*folders, *self.local),
            shares=(
                *[share] * len(further_entries),
                *self.shares[:count],
                *[share] * len(folders),
                *self.shares[count:],
            ),
            speed=replace(self.speed, baseline=len(entries) if folders else 0),
            counterpart=len(further_entries) - 1 if request.speed.counterpart else None,
        )

    @property
    def specs(self) -> tuple[str, ...]:
        """Each build as it was asked for, by its place: an id of `jdks.yaml`, or a path."""
        return (*(entry.id for entry in self.entries), *map(str, self.local))

    def plan(self) -> list[PlanRow]:
        """The cells, from the configuration and `jdks.lock` alone: nothing is fetched or run.

        A moving entry is planned as the build it was when last fetched; before that, as for a
        local JDK, the version and so the expectation are not known.
        """
        seconds = expected_seconds(test.path for test in self.tests)
        return [
            PlanRow(
                spec=self.specs[place],
                build=overlaid_id(build, overlay.name) if overlay else build,
                overlay=overlay,
                test=test,
                expectation=expect_with(
                    expect(test.bug, jdk_version, self.ledger, test.path)
                    if jdk_version
                    else Expectation.UNKNOWN,
                    test.bug,
                    overlay,
                ),
                expected_s=seconds[test.path],
            )
            for place, (build, jdk_version) in enumerate(
                _last_versions(self.catalog, self.entries, self.local)
            )
            for overlay, tests in self.shares[place].items()
            for test in tests
        ]

    def last_known(self, local: Sequence[NamedBuild] = ()) -> dict[int, NamedBuild]:
        """The builds by their places, as they were when last fetched; before that, by their ids.

        `local` are the JDKs at `local`.
        """
        return dict(enumerate([*map(self.catalog.last_build, self.entries), *local]))

    def comparisons(self, builds: Mapping[int, NamedBuild]) -> tuple[ComparisonRecord, ...]:
        """The comparisons of these builds, which are by place; of a shard, its own alone."""
        if self.speed is None:
            return ()
        from jdkmatrix.plan.planned_comparisons import plan_comparisons

        records = plan_comparisons(self.speed, builds)
        if self.shard_comparisons is None:
            return records
        comparisons = self._as_asked(records, builds)
        return tuple(
            record
            for record, comparison in zip(records, comparisons, strict=True)
            if any(
                shard_comparison.covers(comparison) for shard_comparison in self.shard_comparisons
            )
        )

    def list_omissions(self) -> Iterator[str]:
        """A line for each test that is left out, though it was selected."""
        for test, reason in self.left_out.items():
            yield f"{test} is left out by ProblemList.txt: {reason}"

    def passed_over(self, builds: Mapping[int, NamedBuild]) -> Iterator[str]:
        """A line for all that was selected but is in no comparison of these builds."""
        if self.speed is None:
            return
        if self.shard_comparisons is None:
            from jdkmatrix.plan.planned_comparisons import passed_over

            yield from passed_over(self.speed, builds)
            return
        comparisons = self._as_asked(self.comparisons(builds), builds)
        for request in self.shard_comparisons:
            if not any(request.covers(comparison) for comparison in comparisons):
                name = " with ".join(request.name.rsplit("/", 1))
                yield f"{name} is left out: too few of {', '.join(request.builds)} are available"

    def shards(self, count: int) -> tuple[tuple[PlanRow, ...], ...]:
        """The cells, cut for `count` machines.

        Raises UsageError if there are fewer cells, or a JDK twice.
        """
        self._check_paths("--shard")
        return cut_shards([(row, row.expected_s) for row in self.plan()], count)

    def restrict_cells(self, rows: Sequence[PlanRow]) -> Selection:
        """The selection with these cells alone, without the builds that have none of them."""
        cells = {(row.spec, row.overlay, row.test.path) for row in rows}
        shares = tuple(
            {
                overlay: tuple(test for test in tests if (build, overlay, test.path) in cells)
                for overlay, tests in share.items()
            }
            for build, share in zip(self.specs, self.shares, strict=True)
        )
        paths = {row.test.path for row in rows}
        tests = tuple(test for test in self.tests if test.path in paths)
        mask = [any(share.values()) for share in shares]
        return replace(self, tests=tests, shares=shares)._apply_mask(mask)

    def comparison_shards(
        self, builds: Mapping[int, NamedBuild], blocks: int, count: int
    ) -> tuple[tuple[PlannedComparison, ...], ...]:
        """The comparisons, cut for `count` machines; `builds` as in `last_known`.

        Raises UsageError if there are fewer comparisons, or a JDK twice.
        """
        self._check_paths("--shard")
        from jdkmatrix.plan.planned_comparisons import seconds_of

        comparisons = self.comparisons(builds)
        seconds = (seconds_of(record, blocks) for record in comparisons)
        return cut_shards(
            list(zip(self._as_asked(comparisons, builds), seconds, strict=True)), count
        )

    def only_comparisons(self, comparisons: Sequence[PlannedComparison]) -> Selection:
        """The selection with these comparisons alone, without the builds that are in none."""
        specs = {build for comparison in comparisons for build in comparison.builds}
        mask = [build in specs for build in self.specs]
        assert self.speed
        baseline = self.speed.baseline
        if baseline is not None:
            baseline = sum(mask[:baseline])
        speed = replace(self.speed, baseline=baseline)
        return replace(self, shard_comparisons=tuple(comparisons), speed=speed)._apply_mask(mask)

    def _as_asked(
        self, comparisons: Sequence[ComparisonRecord], builds: Mapping[int, NamedBuild]
    ) -> list[PlannedComparison]:
        asked_for = {build.id: self.specs[place] for place, build in builds.items()}
        return [
            PlannedComparison(
                name=f"{record.scenario_name}/{record.client}",
                baseline=asked_for[record.baseline],
                builds=tuple(asked_for[build] for build in record.builds if build in asked_for),
            )
            for record in comparisons
        ]

    def _apply_mask(self, mask: Sequence[bool]) -> Selection:
        """The selection without the builds whose place is False in `mask`."""
        return replace(
            self,
            entries=tuple(compress(self.entries, mask)),
            local=tuple(compress(self.local, mask[len(self.entries) :])),
            shares=tuple(compress(self.shares, mask)),
        )

    def _check_paths(self, option: str) -> None:
        if len(set(self.local)) < len(self.local):
            raise UsageError(f"--jdk: the same path twice; accepted with {option}: each once")


def _last_versions(
    catalog: Catalog, entries: Sequence[BuildEntry], local: Sequence[Path]
) -> Iterator[tuple[str, JdkVersion | None]]:
    """Each build by its id, or its path, and its version, None if that is not known."""
    for entry in entries:
        build = catalog.last_build(entry)
        yield build.id, build.version if catalog.knows_build(entry) else None
    yield from ((str(path), None) for path in local)


def _quiet_tests(request: Request, suite: Path, tests: Sequence[PlannedTest]) -> frozenset[str]:
    """The tests to be run alone; of programs, those that would write to the same folder."""
    paths = tuple(test.path for test in tests)
    if request.program:
        return frozenset(paths if request.program.in_place else ())
    return quiet_tests(suite, paths)


def path_of(text: str, option: str) -> Path | None:
    """The folder of a JDK that `text` means; None if it may be an id. Raises UsageError."""
    try:
        path = expand_home(Path(text)).absolute()
    except SourceError as error:
        raise UsageError(f"{option} {text}: {error}") from None
    return path if path.is_dir() or "/" in text else None


def _baseline(
    catalog: Catalog, entries: Sequence[BuildEntry], local: Sequence[Path], spec: str
) -> int:
    if Path(spec) in local:
        return len(entries) + local.index(Path(spec))
    for entry in catalog.list_named(spec, entries):
        return entries.index(entry)
    ids = (catalog.last_build(entry).id for entry in entries)
    choices = ", ".join([*ids, *map(str, local)])
    raise UsageError(f"--baseline {spec}: not in the selection; accepted: {choices}")
