# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where do a run's files lie, and how are its records written so that none is ever incomplete?"""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import Field

from jdkmatrix.bootstrap import cutting_character
from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.machine.files import write_atomically
from jdkmatrix.machine.trees import remove, tidy
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.records.model import Record, Text, read_record
from jdkmatrix.records.record import CellRecord, PlannedCell, RunRecord
from jdkmatrix.records.request import SpeedRequest
from jdkmatrix.records.sample_record import BlockRecord

OUTCOME_FILE = "outcome.json"
ROWS_FILE = "rows.jsonl"
# What a plain program printed.
OUTPUT_FILE = "output.txt"
OBSERVATIONS_FILE = "observations.jsonl"
CONTROL_PREFIX = "control-"
CONTROL_FILES = f"{CONTROL_PREFIX}*.json"
DIGEST_FILE = "digest.json"
_CELL_FILE = "cell.json"
_OWN_RECORDS = (_CELL_FILE, DIGEST_FILE)
_ATTEMPT = "attempt-"
_ROW_DIGITS = 12
# Of what a cell leaves: those of the kit's own suite have some ten files, 3 MB with a recording.
_MOST_FILES = 1_000
_MOST_BYTES = 512 << 20
_SPEED_OF_SCHEMA_1 = "throughput.json"
_FILE = "bisection.json"


def latest_link(reports: Path, command: str | None = None) -> Path:
    """The link to the latest run that ran anything and has its reports; with a command, to the
    latest that it began.
    """
    return reports / (f".latest-{command}" if command else "latest")


class RunFolder:
    """One folder under `reports/`, or the one that `--out` names."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def create(cls, reports: Path, out: Path | None) -> "RunFolder":
        """A new folder, named for this moment unless `out` names it.

        Raises UsageError if `out` is not empty, or is a path that Flight Recorder's options or
        jtreg can't take; MachineError if the folder can't be made.
        """
        place = (out or reports).absolute()
        if name := cutting_character(place):
            option = f"--out {out}" if out else str(reports)
            raise UsageError(f"{option}: contains a {name}; accepted: a path without one")
        try:
            if out is not None:
                out.mkdir(parents=True, exist_ok=True)
                if any(out.iterdir()):
                    raise UsageError(f"--out {out}: not empty; accepted: a new or empty folder")
                return cls(out.resolve())
            reports.mkdir(parents=True, exist_ok=True)
            stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%SZ")
            path, number = reports.resolve() / stamp, 1
            while True:
                try:
                    path.mkdir()
                    return cls(path)
                except FileExistsError:  # another run began in the same second
                    number += 1
                    path = path.with_name(f"{stamp}.{number}")
        except OSError as error:
            raise MachineError(
                f"{out or reports}: cannot be made: {error.strerror}; accepted: --out FOLDER"
            ) from None

    @classmethod
    def open(cls, path: Path) -> "RunFolder":
        """The folder of a run that exists. Raises UsageError."""
        if not (path / "run.json").is_file():
            advice = "accepted: a folder that holds run.json (see scripts/matrix reports list)"
            raise UsageError(f"{path}: not a run; {advice}")
        return cls(path.resolve())

    @classmethod
    def find(cls, reports: Path, run: Path) -> "RunFolder":
        """The folder of a run that exists, by its path or its name under `reports`.

        Raises UsageError.
        """
        path = reports / run
        return cls.open(path if not run.is_dir() and path.is_dir() else run)

    @property
    def name(self) -> str:
        """The run's name."""
        return self.path.name

    def link_as_latest(self, reports: Path, command: str | None = None) -> None:
        """Point `reports/latest` to this run if it lies under `reports`; with a command, the link
        that its `--resume` follows.

        Raises MachineError.
        """
        if self.path.parent != reports.resolve():
            return
        link, partial = latest_link(reports, command), reports / f".latest.{os.getpid()}"
        try:
            partial.symlink_to(self.path.name)
            partial.replace(link)
        except OSError as error:
            partial.unlink(missing_ok=True)
            raise MachineError(f"{link}: cannot be made: {error.strerror}") from None

    def cell_folder(self, cell: PlannedCell, attempt: int = 1) -> Path:
        """The folder of one cell: `cells/<build>/<test path without .java>`.

        A later attempt has a subfolder of that: `attempt-2`.
        """
        home = self.path / "cells" / cell.build / cell.test.removesuffix(".java")
        return home if attempt == 1 else home / f"{_ATTEMPT}{attempt}"

    def row_folder(self, cell: PlannedCell, row: str) -> Path:
        """The folder of a row that was run by itself: `row-0a1b2c3d4e5f` in that of its cell."""
        name = hashlib.sha256(row.encode()).hexdigest()[:_ROW_DIGITS]
        return self.cell_folder(cell) / f"row-{name}"

    def home_of(self, record: CellRecord) -> Path:
        """The folder of the attempt that `record` is of."""
        return self.cell_folder(record.cell, record.attempt)

    def attempts_there(self, cell: PlannedCell) -> range:
        """The attempts that a cell has folders for, finished or not; the first in any case."""
        folders = self.cell_folder(cell).glob(f"{_ATTEMPT}[0-9]*")
        numbers = (int(name.rpartition("-")[2]) for name in map(str, folders))
        return range(1, max(numbers, default=1) + 1)

    def write_run(self, record: RunRecord) -> None:
        """Store the run's own record."""
        write_atomically(self.path / "run.json", record.model_dump_json(indent=1))

    def read_run(self) -> RunRecord:
        """The run's own record. Raises UsageError if it is damaged or of another schema."""
        record = read_record(self.path / "run.json", RunRecord)
        speed = self.path / _SPEED_OF_SCHEMA_1
        return record if record.schema_ > 1 or not speed.is_file() else _join(record, speed)

    def write_cell(self, record: CellRecord) -> None:
        """Store a finished attempt at a cell; from then on `--resume` skips it."""
        write_atomically(self.home_of(record) / _CELL_FILE, record.model_dump_json(indent=1))

    def read_cell(self, cell: PlannedCell, attempt: int = 1) -> CellRecord | None:
        """The record of an attempt; None if it was not finished or its record is damaged."""
        try:
            record = read_record(self.cell_folder(cell, attempt) / _CELL_FILE, CellRecord)
        except UsageError:
            return None
        is_own = (record.build, record.test, record.attempt) == (cell.build, cell.test, attempt)
        return record if is_own else None

    def close_cell(self, cell: PlannedCell, attempt: int) -> str:
        """Remove from an attempt's folder what leads out of it, what its test may have left that
        could pass for a record of the kit, and what is beyond all bounds, which is returned in a
        sentence; "" if nothing was. Raises OSError.
        """
        home = self.cell_folder(cell, attempt)
        excess = tidy(home, _MOST_FILES, _MOST_BYTES)
        for record in (*_OWN_RECORDS, *(name.name for name in home.glob(f"{_ATTEMPT}*"))):
            remove(home / record)
        return excess

    def unread(self, run: RunRecord) -> Iterator[str]:
        """The records of a finished run that are damaged or gone, relative to its folder."""
        for cell in run.cells:
            for attempt in self.attempts_there(cell):
                if self.read_cell(cell, attempt) is None:
                    yield str((self.cell_folder(cell, attempt) / _CELL_FILE).relative_to(self.path))
        for comparison in run.speed.comparisons if run.speed else ():
            for path in unread_blocks(self.path, comparison):
                yield str(path.relative_to(self.path))

    def read_attempts(self, cell: PlannedCell) -> tuple[CellRecord, ...]:
        """The records of a cell's attempts, up to the first that was not finished."""
        records: list[CellRecord] = []
        while record := self.read_cell(cell, len(records) + 1):
            records.append(record)
        return tuple(records)


def _join(record: RunRecord, file: Path) -> RunRecord:
    """A run of schema 1, joined with what its second file says of its comparisons."""
    speed = read_record(file, _SpeedOfSchema1)
    plan = ThroughputRecord(
        **{name: getattr(speed, name) for name in ThroughputRecord.model_fields}
    )
    speed_request = SpeedRequest(
        blocks=plan.blocks, minimum_effect=plan.minimum_effect, seed=plan.seed
    )
    request = record.request.model_copy(
        update={"speed": speed_request, "cells": plan.validates is not None}
    )
    return record.model_copy(update={"schema_": 2, "request": request, "speed": plan})


class _SpeedOfSchema1(ThroughputRecord):
    schema_: Literal[1] = Field(alias="schema")


def comparison_folder(run: Path, comparison: ComparisonRecord) -> Path:
    """Where the samples of a comparison lie."""
    return run / "throughput" / comparison.name


def block_file(number: int) -> str:
    """The name of a block's record."""
    return f"block-{number:02}.json"


def read_blocks(folder: Path) -> Iterator[BlockRecord]:
    """The finished blocks in order; a damaged one counts as not run."""
    for path in sorted(folder.glob("block-*.json")):
        with suppress(UsageError):
            yield read_record(path, BlockRecord)


def unread_blocks(run: Path, comparison: ComparisonRecord) -> list[Path]:
    """The blocks of a finished comparison that are damaged or missing.

    Numbers have no gap, and there must be as many blocks as when the run ended. Without that number
    (an older kit's run) there must be at least one, unless the comparison says what it lacks.
    """
    folder = comparison_folder(run, comparison)
    file_names = {path.name for path in folder.glob("block-*.json")}
    block_count = max(comparison.blocks, len(file_names), 0 if comparison.lacks else 1)
    expected_names = {block_file(number) for number in range(1, block_count + 1)}
    whole = {block_file(block.block) for block in read_blocks(folder)}
    return [folder / name for name in sorted((file_names | expected_names) - whole)]


class _KeptBisection(Record):
    """The lines that it printed on a program, which is named by its path."""

    schema_: Literal[1] = Field(alias="schema")
    program: str
    lines: tuple[Text, ...]


def keep_bisection(folder: Path, program: Path, lines: Sequence[str]) -> None:
    """Keep the lines on that program in the bisection's folder. Raises MachineError."""
    record = _KeptBisection(schema=1, program=str(program), lines=tuple(lines))
    text = record.model_dump_json(by_alias=True, indent=1)
    write_atomically(folder / _FILE, f"{text}\n")


def newest_bisection(reports: Path, program: Path) -> tuple[str, ...]:
    """What the newest bisection of that program in `reports` concluded; nothing without one."""
    for path in sorted(reports.glob(f"*/{_FILE}"), reverse=True):
        with suppress(UsageError):  # one that is damaged concludes nothing
            record = read_record(path, _KeptBisection)
            if record.program == str(program) and record.lines:
                return record.lines
    return ()
