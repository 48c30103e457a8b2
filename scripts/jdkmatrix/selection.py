# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a request mean in this checkout: which entries, which JDKs, which tests?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from pathlib import Path

from jdkmatrix.config import version
from jdkmatrix.config.groups import platform_words, read_groups, read_problems
from jdkmatrix.config.jdks import BuildEntry, JdksFile, load_jdks
from jdkmatrix.config.ledger import Ledger, load_ledger
from jdkmatrix.config.rules import GenericRule, load_rules
from jdkmatrix.config.suite import find_tests, names_one_test, quiet_tests
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import UsageError
from jdkmatrix.overlay.overlay import overlaid_id
from jdkmatrix.overlay.wish import Wish
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.cells import (
    PlannedTest,
    named_tests,
    plan_cells,
    plan_entries,
    plan_tests,
)
from jdkmatrix.plan.expectation import Expectation
from jdkmatrix.plan.seconds import expected_seconds
from jdkmatrix.plan.shards import cut
from jdkmatrix.run.record import Request
from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.lock import LockFile, this_platform
from jdkmatrix.supply.platform import machine_platform


@dataclass(frozen=True)
class PlanRow:
    """A cell as it is planned. `asked` is the build's id in `jdks.yaml`, or a local JDK's path.

    `build` is what that was when it was last fetched.
    """

    asked: str
    build: str
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


@dataclass(frozen=True)
class Selection:
    """A request, looked up in `jdks.yaml`, the ledger and the suite.

    `suite` is the folder of its `TEST.ROOT`. `shares` are the tests of each build, the entries'
    first, then the local ones': all of `tests`, or those of one shard. `quiet` are the tests to be
    run alone; `left_out` those of `ProblemList.txt` with the reasons, which run only if somebody
    names their very files.
    """

    jdks: JdksFile
    ledger: Ledger
    rules: tuple[GenericRule, ...]
    tests: tuple[PlannedTest, ...]
    entries: tuple[BuildEntry, ...]
    local: tuple[Path, ...]
    build_ids: Mapping[str, str]
    shares: tuple[tuple[PlannedTest, ...], ...]
    suite: Path
    overlay: Wish | None = None
    quiet: frozenset[str] = frozenset()
    left_out: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, checkout: Checkout, request: Request) -> "Selection":
        """Look a request up. Raises UsageError for what means nothing, or is no file of ours.

        With `--jdk` alone, the default selection is not meant.
        """
        jdks = load_jdks(checkout.jdks)
        ledger = load_ledger(checkout.ledger)
        build_ids = LockFile(checkout.lock).build_ids(this_platform())
        suite, left_out = checkout.suite, {}
        if request.suite:
            suite, tests = _of_suite(request)
        else:
            groups = read_groups(suite)
            tests = plan_tests(ledger, find_tests(suite), request.bugs, request.tests, groups)
            left_out = _problems(suite, tests, request)
        tests = tuple(test for test in tests if test.path not in left_out)
        only_local = request.jdks and not request.builds
        entries = () if only_local else plan_entries(jdks, request.builds, build_ids)
        return cls(
            jdks=jdks,
            ledger=ledger,
            rules=load_rules(checkout.rules),
            tests=tests,
            suite=suite,
            shares=(tests,) * (len(entries) + len(request.jdks)),
            quiet=quiet_tests(suite, tuple(test.path for test in tests)),
            left_out=left_out,
            entries=entries,
            local=tuple(Path(path) for path in request.jdks),
            build_ids=build_ids,
            overlay=Wish.of(request.overlay, request.overlay_patch),
        )

    def once_supplied(self, builds: Sequence[Build | Unavailable]) -> "Selection":
        """The same, with every build looked up already."""
        paths = (build.home if isinstance(build, Build) else Path() for build in builds)
        return replace(self, entries=(), local=tuple(paths))

    def plan(self) -> list[PlanRow]:
        """The cells, from the configuration and `jdks.lock` alone: nothing is fetched or run.

        A moving entry is planned as the build it was when last fetched; before that, as for a
        local JDK, the version and so the expectation are not known.
        """
        planned: list[PlanRow] = []
        seconds = expected_seconds(test.path for test in self.tests)
        for wanted, share in zip((*self.entries, *self.local), self.shares, strict=True):
            build = str(wanted)
            expectations = [Expectation.UNKNOWN] * len(share)
            if isinstance(wanted, BuildEntry):
                build = self.build_ids.get(wanted.id, wanted.id)
                if wanted.id in self.build_ids or not wanted.moves:
                    cells = plan_cells(build, _version(build), share, self.ledger)
                    expectations = [cell.expectation for cell in cells]
            planned += [
                PlanRow(
                    asked=wanted.id if isinstance(wanted, BuildEntry) else str(wanted),
                    build=overlaid_id(build, self.overlay.name) if self.overlay else build,
                    test=test,
                    expectation=expectation,
                    expected_s=seconds[test.path],
                )
                for test, expectation in zip(share, expectations, strict=True)
            ]
        return planned

    def shards(self, count: int) -> tuple[tuple[PlanRow, ...], ...]:
        """The plan cut for so many machines.

        Raises UsageError if it has fewer cells, or a JDK twice.
        """
        if len(set(self.local)) < len(self.local):
            raise UsageError("--jdk: the same path twice; accepted with --shard: each once")
        return cut([(row, row.expected_s) for row in self.plan()], count)

    def only(self, rows: Sequence[PlanRow]) -> "Selection":
        """The same, with these cells alone, and without the builds that have none of them."""
        mine = {(row.asked, row.test.path) for row in rows}
        asked = [entry.id for entry in self.entries] + [str(path) for path in self.local]
        shares = [
            tuple(test for test in share if (build, test.path) in mine)
            for build, share in zip(asked, self.shares, strict=True)
        ]
        some = [bool(share) for share in shares]
        tests = tuple(test for test in self.tests if any(test in share for share in shares))
        return replace(
            self,
            tests=tests,
            entries=tuple(compress(self.entries, some)),
            local=tuple(compress(self.local, some[len(self.entries) :])),
            shares=tuple(compress(shares, some)),
        )


def _of_suite(request: Request) -> tuple[Path, tuple[PlannedTest, ...]]:
    """The user's own suite, and those of its tests that are wanted. Raises UsageError."""
    if request.bugs:
        raise UsageError("--bug and --suite: accepted: one of them (the ledger is of test/)")
    suite = Path(str(request.suite)).resolve()
    if not (suite / "TEST.ROOT").is_file():
        raise UsageError(f"--suite {request.suite}: no TEST.ROOT; accepted: a jtreg suite's root")
    found = find_tests(suite)
    if not found:
        raise UsageError(f"--suite {request.suite}: no tests; accepted: files with an @test tag")
    return suite, named_tests(found, request.tests, read_groups(suite))


def _problems(suite: Path, tests: Sequence[PlannedTest], request: Request) -> dict[str, str]:
    """The tests that ProblemList.txt leaves out here, with its reasons; none that is named."""
    machine = machine_platform()
    problems = read_problems(suite, platform_words(machine.os, machine.arch))
    return {
        test.path: problems[test.path]
        for test in tests
        if test.path in problems
        and not any(names_one_test(pattern, test.path) for pattern in request.tests)
    }


def _version(build: str) -> JdkVersion:
    return version.parse(build.partition("-")[2])
