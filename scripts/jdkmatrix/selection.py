# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does a request mean in this checkout: which entries, which JDKs, which tests?"""

from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.config.jdks import BuildEntry, JdksFile, load_jdks
from jdkmatrix.config.ledger import Ledger, load_ledger
from jdkmatrix.config.rules import GenericRule, load_rules
from jdkmatrix.config.suite import find_tests
from jdkmatrix.paths import Checkout
from jdkmatrix.plan.cells import PlannedTest, plan_cells, plan_entries, plan_tests
from jdkmatrix.run.record import Request


@dataclass(frozen=True)
class Selection:
    """A request, looked up in `jdks.yaml`, the ledger and the suite."""

    jdks: JdksFile
    ledger: Ledger
    rules: tuple[GenericRule, ...]
    tests: tuple[PlannedTest, ...]
    entries: tuple[BuildEntry, ...]
    local: tuple[Path, ...]

    @classmethod
    def of(cls, checkout: Checkout, request: Request) -> "Selection":
        """Look a request up. Raises UsageError for what means nothing, or is no file of ours.

        With `--jdk` alone, the default selection is not meant.
        """
        jdks = load_jdks(checkout.jdks)
        ledger = load_ledger(checkout.ledger)
        only_local = request.jdks and not request.builds
        return cls(
            jdks=jdks,
            ledger=ledger,
            rules=load_rules(checkout.rules),
            tests=plan_tests(ledger, find_tests(checkout.suite), request.bugs, request.tests),
            entries=() if only_local else plan_entries(jdks, request.builds),
            local=tuple(Path(path) for path in request.jdks),
        )

    @property
    def cell_count(self) -> int:
        """How many cells there are if every build can be had."""
        return (len(self.entries) + len(self.local)) * len(self.tests)

    def plan(self) -> list[dict[str, str | None]]:
        """The cells, from the configuration alone: nothing is fetched or run.

        The version of a moving entry or a local JDK is known only once it was run.
        """
        planned: list[dict[str, str | None]] = []
        for entry in self.entries:
            for cell in plan_cells(entry.id, entry.version, self.tests, self.ledger):
                expectation = "unknown" if entry.moves else cell.expectation.value
                planned.append(_row(entry.id, cell.test, expectation))
        for path in self.local:
            planned += [_row(str(path), test, "unknown") for test in self.tests]
        return planned


def _row(build: str, test: PlannedTest, expectation: str) -> dict[str, str | None]:
    bug = test.bug.id if test.bug else None
    return {"build": build, "test": test.path, "bug": bug, "expectation": expectation}
