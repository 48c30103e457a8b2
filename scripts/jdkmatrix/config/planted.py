# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which faults are planted to prove that the detectors see? The model of `test/planted/`."""

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from jdkmatrix.config.ledger import BugId, Ledger
from jdkmatrix.config.yaml_model import StrictModel, load, wrong_at
from jdkmatrix.errors import UsageError


class PlantedFault(StrictModel):
    """A deliberate fault: `patch`, a diff beside the file, over each of `builds`.

    Those are builds on which `bug` is fixed; with the fault, each of the bug's tests (or of
    `tests`) must be graded `regression`.
    """

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    title: str = Field(min_length=1)
    patch: str
    builds: tuple[str, ...] = Field(min_length=1)
    bug: BugId
    tests: tuple[str, ...] = ()

    def tests_in(self, ledger: Ledger) -> tuple[str, ...]:
        """The tests that must find it."""
        return self.tests or ledger.bug(self.bug).tests


class PlantedFile(StrictModel):
    """The whole of `test/planted/planted.yaml`."""

    schema_: Literal[1] = Field(alias="schema")
    planted: tuple[PlantedFault, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _ids_are_unique(self) -> "PlantedFile":
        seen: set[str] = set()
        for n, fault in enumerate(self.planted):
            if fault.id in seen:
                raise wrong_at(("planted", n, "id"), f"duplicate id '{fault.id}'")
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
    for fault in file.planted:
        if not (path.parent / fault.patch).is_file():
            raise UsageError(f"{path}: {fault.id}: no patch {fault.patch} beside it")
        tests = ledger.bug(fault.bug, f"{path}: {fault.id}:").tests
        for test in fault.tests:
            if test not in tests:
                raise UsageError(f"{path}: {fault.id}: {test} is no test of {fault.bug}")
    return file
