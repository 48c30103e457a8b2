# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a request mean in this checkout: which entries, which JDKs, which tests?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from jdkmatrix.config import version
from jdkmatrix.config.groups import read_groups, read_problems
from jdkmatrix.config.jdks import BuildEntry, JdksFile, load_jdks
from jdkmatrix.config.ledger import Ledger, load_ledger
from jdkmatrix.config.rules import GenericRule, load_rules
from jdkmatrix.config.suite import find_tests, quiet_tests
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.overlay.overlay import overlaid_id
from jdkmatrix.overlay.wish import Wish
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.cells import PlannedTest, plan_cells, plan_entries, plan_tests
from jdkmatrix.plan.expectation import Expectation
from jdkmatrix.run.record import Request
from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.lock import LockFile, this_platform


@dataclass(frozen=True)
class Selection:
    """A request, looked up in `jdks.yaml`, the ledger and the suite.

    `quiet` are the tests to be run alone; `left_out` those of `ProblemList.txt` with the reasons,
    which run only if somebody names them.
    """

    jdks: JdksFile
    ledger: Ledger
    rules: tuple[GenericRule, ...]
    tests: tuple[PlannedTest, ...]
    entries: tuple[BuildEntry, ...]
    local: tuple[Path, ...]
    build_ids: Mapping[str, str]
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
        suite, groups = find_tests(checkout.suite), read_groups(checkout.suite)
        tests = plan_tests(ledger, suite, request.bugs, request.tests, groups)
        problems = read_problems(checkout.suite)
        named = request.bugs or [test for test in request.tests if ":" not in test]
        left_out = {
            test.path: problems[test.path] for test in tests if test.path in problems and not named
        }
        only_local = request.jdks and not request.builds
        return cls(
            jdks=jdks,
            ledger=ledger,
            rules=load_rules(checkout.rules),
            tests=tuple(test for test in tests if test.path not in left_out),
            quiet=quiet_tests(checkout.suite, tuple(test.path for test in tests)),
            left_out=left_out,
            entries=() if only_local else plan_entries(jdks, request.builds, build_ids),
            local=tuple(Path(path) for path in request.jdks),
            build_ids=build_ids,
            overlay=Wish.of(request.overlay, request.overlay_patch),
        )

    def once_supplied(self, builds: Sequence[Build | Unavailable]) -> "Selection":
        """The same, with every build looked up already."""
        paths = (build.home if isinstance(build, Build) else Path() for build in builds)
        return replace(self, entries=(), local=tuple(paths))

    @property
    def cell_count(self) -> int:
        """How many cells there are if every build can be had."""
        return (len(self.entries) + len(self.local)) * len(self.tests)

    def plan(self) -> list[dict[str, str | None]]:
        """The cells, from the configuration and `jdks.lock` alone: nothing is fetched or run.

        A moving entry is planned as the build it was when last fetched; before that, as for a
        local JDK, the version and so the expectation are not known.
        """
        planned: list[dict[str, str | None]] = []
        for entry in self.entries:
            build = self.build_ids.get(entry.id, entry.id)
            for cell in plan_cells(build, _version(build), self.tests, self.ledger):
                known = entry.id in self.build_ids or not entry.moves
                expectation = cell.expectation if known else Expectation.UNKNOWN
                planned.append(_row(self._shown(build), cell.test, expectation))
        for path in self.local:
            shown = self._shown(str(path))
            planned += [_row(shown, test, Expectation.UNKNOWN) for test in self.tests]
        return planned

    def _shown(self, build: str) -> str:
        return overlaid_id(build, self.overlay.name) if self.overlay else build


def _version(build: str) -> JdkVersion:
    return version.parse(build.partition("-")[2])


def _row(build: str, test: PlannedTest, expectation: Expectation) -> dict[str, str | None]:
    bug = test.bug.id if test.bug else None
    return {"build": build, "test": test.path, "bug": bug, "expectation": expectation}
