# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which faults are planted to prove that the detectors work? The model of `test/planted/`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from jdkmatrix.config.ledger import BugId, Ledger
from jdkmatrix.config.yaml_model import StrictModel, check_unique, load, wrong_at
from jdkmatrix.errors import UsageError, one_line, suggest
from jdkmatrix.machine.files import is_plain


class PlantedDefect(StrictModel):
    """A deliberate fault in each of `builds`.

    It is either a `patch` (a diff) or `security` (lines for the `java.security` of a copy of the
    build): a file beside planted.yaml.
    """

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    title: str = Field(min_length=1)
    builds: tuple[str, ...] = Field(min_length=1)
    patch: str | None = None
    security: str | None = None

    @property
    def file(self) -> str:
        """The name of the file with the fault, beside planted.yaml."""
        return self.patch or self.security or ""

    @model_validator(mode="after")
    def _is_planted_one_way(self) -> "PlantedDefect":
        if (self.patch is None) == (self.security is None):
            raise ValueError("accepted: patch or security, one of them")
        return self


class PlantedFault(PlantedDefect):
    """A fault for reproducers, in builds that must not show `bug`; or one for tests of rows.

    Each of the bug's tests (or of `tests`) must be graded `verdict` and report it with the words
    `names`; or the build must be reported, with those words, to break the `promise` of that
    condition. `innocent` means slow, but not the bug.

    With `rows`, `tests` also run on the build without the fault, where nothing may be found. With
    the fault, each row that is a regression must match one of the patterns `rows` (`*`, `?`), and
    each pattern must match one.
    """

    bug: BugId | None = None
    tests: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    verdict: Literal["regression", "flaky", "innocent"] = "regression"
    promise: str | None = None
    names: str = ""

    @model_validator(mode="after")
    def _is_of_a_bug_or_of_rows(self) -> "PlantedFault":
        if (self.bug is None) != bool(self.rows) or (self.rows and not self.tests):
            raise wrong_at(("bug",), "accepted: bug, or rows with tests")
        return self

    def tests_in(self, ledger: Ledger) -> tuple[str, ...]:
        """The tests that must find the fault."""
        return self.tests or (ledger.bug(self.bug).tests if self.bug else ())


class PlantedSlowDown(PlantedDefect):
    """A fault that makes a build slower in `scenario` than without it."""

    scenario: str


class PlantedFile(StrictModel):
    """The whole of `test/planted/planted.yaml`."""

    schema_: Literal[1] = Field(alias="schema")
    planted: tuple[PlantedFault, ...] = Field(min_length=1)
    throughput: tuple[PlantedSlowDown, ...] = ()

    @model_validator(mode="after")
    def _ids_are_unique(self) -> "PlantedFile":
        rows = [(("planted", n), fault.id) for n, fault in enumerate(self.planted)]
        rows += [(("throughput", n), fault.id) for n, fault in enumerate(self.throughput)]
        check_unique(rows)
        return self

    def select(self, fault_ids: Sequence[str]) -> tuple[PlantedFault, ...]:
        """The faults of these ids, each once, or all without ids. Raises UsageError as `fault`."""
        return tuple(map(self.fault, dict.fromkeys(fault_ids))) or self.planted

    def fault(self, fault_id: str) -> PlantedFault:
        """The fault of that id.

        Raises UsageError naming the known ones, or how to see a slow-down.
        """
        for fault in self.planted:
            if fault.id == fault_id:
                return fault
        for slow in self.throughput:
            if slow.id == fault_id:
                raise UsageError(
                    f"planted {fault_id}: shows only in throughput figures; run scripts/matrix "
                    f"throughput --scenario {slow.scenario} --build {slow.builds[0]} "
                    f"--overlay-patch test/planted/{slow.file}"
                )
        hint = suggest(fault_id, (fault.id for fault in self.planted))
        raise UsageError(f"planted {fault_id}: no such fault; {hint}")


def load_planted(path: Path, ledger: Ledger) -> PlantedFile:
    """Read the file; check that the faults' files exist and that tests are those of their bugs.

    Raises UsageError.
    """
    file = load(path, PlantedFile)
    for planted_fault in (*file.planted, *file.throughput):
        if not is_plain(path.parent / planted_fault.file):
            raise UsageError(
                one_line(f"{path}: {planted_fault.id}: no file {planted_fault.file} beside it")
            )
    for fault in file.planted:
        _check_fault(fault, f"{path}: {fault.id}", ledger)
    return file


def _check_fault(fault: PlantedFault, label: str, ledger: Ledger) -> None:
    """Check its tests and its promise by the ledger. Raises UsageError, `label` first."""
    if fault.bug:
        tests = ledger.bug(fault.bug, f"{label}:").tests
        for test in fault.tests:
            if test not in tests:
                raise UsageError(one_line(f"{label}: {test} is not a test of {fault.bug}"))
    conditions = [condition.id for condition in ledger.conditions]
    if fault.promise and fault.promise not in conditions:
        promise, names = one_line(fault.promise), ", ".join(conditions)
        raise UsageError(f"{label}: no condition '{promise}'; accepted: {names}")
