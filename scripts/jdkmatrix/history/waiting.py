# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What becomes of a run that the history could not take, as another program held it? It waits in a
folder beside the file, and the next command that opens the history adds it.
"""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from pydantic import Field

from jdkmatrix.errors import KitError, MachineError, UsageError, translate_os_errors
from jdkmatrix.history.database import WAIT_FOR_LOCK_S
from jdkmatrix.history.stored_runs import add
from jdkmatrix.machine.files import write_atomically
from jdkmatrix.records.model import Record, read_record
from jdkmatrix.results.document import Results


class WaitingRun(Record):
    """A run to be added, and the parts that it was merged from, each by its `run` and `started`."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    parts: tuple[tuple[str, str], ...]
    results: Results


def let_wait(history: Path, results: Results, parts: Sequence[tuple[str, str]]) -> None:
    """Store a run beside the history. Raises MachineError."""
    place = _place(history, results)
    waiting_run = WaitingRun(parts=tuple(parts), results=results)
    with translate_os_errors(MachineError, f"{place.parent}: cannot be made"):
        place.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(place, waiting_run.model_dump_json(by_alias=True))


def waits_no_more(history: Path, results: Results) -> None:
    """Forget what was stored of a run that the history has by now."""
    with suppress(OSError):
        _place(history, results).unlink(missing_ok=True)
        _folder(history).rmdir()  # if it is empty


def add_waiting(history: Path, wait_s: float = WAIT_FOR_LOCK_S) -> None:
    """Add each run that waits, waiting for `wait_s` at most for who holds the file.

    One that is damaged stays. Raises MachineError and UsageError, as `writing` does, or for the
    first one that is damaged, once all others are added.
    """
    damage: KitError | None = None
    for place in sorted(_folder(history).glob("*.json")):
        try:
            waiting_run = read_record(place, WaitingRun)
        except KitError as error:
            if place.exists():  # else another command has added it
                damage = damage or type(error)(f"{error}; remove it")
            continue
        try:
            add(history, waiting_run.results, waiting_run.parts, wait_s)
        except KeyError as error:  # a cell of a build that it does not have
            damage = damage or UsageError(f"{place}: no build {error}; remove it")
            continue
        waits_no_more(history, waiting_run.results)
    if damage:
        raise damage


def _place(history: Path, results: Results) -> Path:
    key = hashlib.sha256(f"{results.started_at}\0{results.run}".encode()).hexdigest()
    return _folder(history) / f"{key[:16]}.json"


def _folder(history: Path) -> Path:
    return history.with_suffix(".waiting")
