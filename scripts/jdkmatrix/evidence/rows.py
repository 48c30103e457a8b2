# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did the rows of `test/interop` and `test/behave` show? Files with a line of JSON for each.

`test/interop/lib/RowsFile.java` and `test/behave/lib/ObservationsFile.java` write and end them
with the count of the rows. If one does not end so, the JVM did not reach its end: what is missing
is not guessed.
"""

from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from jdkmatrix.evidence.outcomes import OutcomeFileError
from jdkmatrix.machine.files import content_of, is_plain
from jdkmatrix.records.model import Text
from jdkmatrix.records.store import OBSERVATIONS_FILE, ROWS_FILE
from jdkmatrix.vocabulary import ObservationStatus, RowStatus

# 900 rows of interoperability take 200 kB, 2,000 of behaviour 1 MB.
_MOST_BYTES = 16 << 20


class CheckedRow(BaseModel):
    """What each row has: its id."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", strict=True)

    row: Text


class Row(CheckedRow):
    """One row of interoperability. `said` is what was negotiated, or what went wrong, on both
    sides.
    """

    must_fail: bool
    status: RowStatus
    said: Text
    alert: Text
    ms: int


class Observation(CheckedRow):
    """One row: what it `does`, and the `text` of what was seen. `notes` are what else it did."""

    does: Text
    gold: bool
    status: ObservationStatus
    text: Text
    notes: tuple[Text, ...]
    ms: int


class _RowsEnd(BaseModel):
    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", strict=True)

    rows: int


R = TypeVar("R", bound=CheckedRow)


def read_rows(home: Path) -> tuple[Row, ...]:
    """The rows of the cell whose files are in `home`, in order.

    Raises OutcomeFileError if the file is invalid or incomplete, or has no row.
    """
    rows = _read(home / ROWS_FILE, Row, _MOST_BYTES)
    if not rows:
        raise OutcomeFileError(f"{ROWS_FILE}: the JVM ended after 0 rows")
    return rows


def read_observations(home: Path) -> tuple[Observation, ...]:
    """The rows of the cell whose files are in `home`, in order; none if none was selected.

    Raises OutcomeFileError if the file is invalid or incomplete.
    """
    return _read(home / OBSERVATIONS_FILE, Observation, 2 * _MOST_BYTES)


def _read(file: Path, model: type[R], most_bytes: int) -> tuple[R, ...]:
    line_type = TypeAdapter[Any](cast(Any, model | _RowsEnd))
    try:
        if not is_plain(file):
            raise OutcomeFileError(f"{file.name}: not a regular file")
        content = content_of(file, most_bytes)
        lines = [line_type.validate_json(line) for line in content.splitlines()]
    except OSError as error:
        raise OutcomeFileError(f"{file.name}: {error.strerror}") from None
    except ValidationError as error:
        raise OutcomeFileError(f"{file.name}: {str(error).splitlines()[0]}") from None
    rows = tuple(line for line in lines if isinstance(line, model))
    if not lines or lines[-1] != _RowsEnd(rows=len(rows)):
        raise OutcomeFileError(f"{file.name}: the JVM ended after {len(rows)} rows")
    if len({row.row for row in rows}) < len(rows):
        raise OutcomeFileError(f"{file.name}: a row occurs twice")
    return rows
