# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where is it kept what a bisection of a program concluded, for the bundle that reports it?"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from pydantic import Field

from jdkmatrix.errors import UsageError
from jdkmatrix.machine.files import write_atomically
from jdkmatrix.records.model import Record, Text, read_record

_FILE = "bisection.json"


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
