# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which faults are planted to prove that the detectors see? The model of `test/planted/`."""

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from jdkmatrix.config.ledger import BugId, Ledger
from jdkmatrix.config.yaml_model import Location, StrictModel, load, wrong_at
from jdkmatrix.errors import UsageError


class Planted(StrictModel):
    """A deliberate fault: `patch`, a diff beside the file, over each of `builds`."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    title: str = Field(min_length=1)
    patch: str
    builds: tuple[str, ...] = Field(min_length=1)


class PlantedFault(Planted):
    """A fault for reproducers, over builds that must not show `bug`.

    Each of the bug's tests (or of `tests`) must have `grade`, and say the words of `names` on it.
    """

    bug: BugId
    tests: tuple[str, ...] = ()
    grade: Literal["regression", "flaky", "inconclusive"] = "regression"
    names: str = ""

    def tests_in(self, ledger: Ledger) -> tuple[str, ...]:
        """The tests that must find it."""
        return self.tests or ledger.bug(self.bug).tests


class PlantedSlowDown(Planted):
    """A fault for the figures of `scenario`: slower than the build without it."""

    scenario: str


class PlantedFile(StrictModel):
    """The whole of `test/planted/planted.yaml`."""

    schema_: Literal[1] = Field(alias="schema")
    planted: tuple[PlantedFault, ...] = Field(min_length=1)
    throughput: tuple[PlantedSlowDown, ...] = ()

    @model_validator(mode="after")
    def _ids_are_unique(self) -> "PlantedFile":
        seen: set[str] = set()
        rows: list[tuple[Location, Planted]] = []
        rows += [(("planted", n, "id"), fault) for n, fault in enumerate(self.planted)]
        rows += [(("throughput", n, "id"), fault) for n, fault in enumerate(self.throughput)]
        for where, fault in rows:
            if fault.id in seen:
                raise wrong_at(where, f"duplicate id '{fault.id}'")
            seen.add(fault.id)
        return self

    def fault(self, fault_id: str) -> PlantedFault:
        """The fault of that id. Raises UsageError naming the known ones."""
        for fault in self.planted:
            if fault.id == fault_id:
                return fault
        known = ", ".join(fault.id for fault in self.planted)
        raise UsageError(f"planted {fault_id}: no such fault; accepted: {known}")


def load_planted(path: Path, ledger: Ledger) -> PlantedFile:
    """Read and check the file: its patches are there, its tests are its bugs'.

    Raises UsageError.
    """
    file = load(path, PlantedFile)
    every: tuple[Planted, ...] = (*file.planted, *file.throughput)
    for one in every:
        if not (path.parent / one.patch).is_file():
            raise UsageError(f"{path}: {one.id}: no patch {one.patch} beside it")
    for fault in file.planted:
        tests = ledger.bug(fault.bug, f"{path}: {fault.id}:").tests
        for test in fault.tests:
            if test not in tests:
                raise UsageError(f"{path}: {fault.id}: {test} is no test of {fault.bug}")
    return file
