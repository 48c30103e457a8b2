# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did the rows of an interoperability test show? Its `rows.jsonl`, checked.

`test/interop/lib/RowsFile.java` writes it.
"""

from pathlib import Path

from jdkmatrix.evidence.outcomes import OutcomeFileError
from jdkmatrix.evidence.row_lines import CheckedRow, read_row_lines
from jdkmatrix.records.model import Text
from jdkmatrix.records.store import ROWS_FILE
from jdkmatrix.vocabulary import RowStatus

# 900 rows take 200 kB.
_MAX_FILE_BYTES = 16 << 20


class Row(CheckedRow):
    """One row. `said` is what was negotiated, or what went wrong, on both sides."""

    must_fail: bool
    status: RowStatus
    said: Text
    alert: Text
    ms: int


def read_rows(home: Path) -> tuple[Row, ...]:
    """The rows of the cell whose files are in `home`, in order.

    Raises OutcomeFileError if the file is invalid or incomplete, or has no row.
    """
    rows = read_row_lines(home / ROWS_FILE, Row, _MAX_FILE_BYTES)
    if not rows:
        raise OutcomeFileError(f"{ROWS_FILE}: the JVM ended after 0 rows")
    return rows
