# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a file read that has a line of JSON for each row of a test, and ends with their count?

If it does not end so, the JVM did not reach its end: what is missing is not guessed.
"""

from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from jdkmatrix.evidence.outcomes import OutcomeFileError
from jdkmatrix.machine.bounded import content_of
from jdkmatrix.machine.files import is_plain
from jdkmatrix.records.model import Text


class CheckedRow(BaseModel):
    """What each row has: its id."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", strict=True)

    row: Text


class _RowsEnd(BaseModel):
    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", strict=True)

    rows: int


R = TypeVar("R", bound=CheckedRow)


def read_row_lines(file: Path, model: type[R], most_bytes: int) -> tuple[R, ...]:
    """The rows in order. Raises OutcomeFileError if the file is invalid or incomplete."""
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
