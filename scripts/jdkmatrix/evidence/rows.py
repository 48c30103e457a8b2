# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did the rows of an interoperability test show? Its `rows.jsonl`, checked.

`test/interop/lib/RowsFile.java` writes it. If the file does not end with the count of its rows, the
JVM did not reach its end: what is missing is not guessed.
"""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from jdkmatrix.evidence.outcomes import OutcomeFileError
from jdkmatrix.machine.bounded import content_of
from jdkmatrix.machine.files import is_plain
from jdkmatrix.records.model import Text
from jdkmatrix.records.store import ROWS_FILE
from jdkmatrix.vocabulary import RowStatus

# 900 rows take 200 kB.
_MAX_FILE_BYTES = 16 << 20


class Row(BaseModel):
    """One row. `said` is what was negotiated, or what went wrong, on both sides."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    row: Text
    must_fail: bool
    status: RowStatus
    said: Text
    alert: Text
    ms: int


class _End(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    rows: int


_LINE: TypeAdapter[Row | _End] = TypeAdapter(Row | _End)


def read_rows(home: Path) -> tuple[Row, ...]:
    """The rows of the cell whose files are in `home`, in order.

    Raises OutcomeFileError if the file is invalid or incomplete.
    """
    file = home / ROWS_FILE
    try:
        if not is_plain(file):
            raise OutcomeFileError(f"{ROWS_FILE}: not a regular file")
        content = content_of(file, _MAX_FILE_BYTES)
        lines = [_LINE.validate_json(line) for line in content.splitlines()]
    except OSError as error:
        raise OutcomeFileError(f"{ROWS_FILE}: {error.strerror}") from None
    except ValidationError as error:
        raise OutcomeFileError(f"{ROWS_FILE}: {str(error).splitlines()[0]}") from None
    rows = tuple(line for line in lines if isinstance(line, Row))
    if not rows or lines[-1] != _End(rows=len(rows)):
        raise OutcomeFileError(f"{ROWS_FILE}: the JVM ended after {len(rows)} rows")
    if len({row.row for row in rows}) < len(rows):
        raise OutcomeFileError(f"{ROWS_FILE}: a row occurs twice")
    return rows
