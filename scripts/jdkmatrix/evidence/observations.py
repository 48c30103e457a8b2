# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did the rows of `test/behave` show? Their `observations.jsonl`, checked.

`test/behave/lib/ObservationsFile.java` writes it.
"""

from pathlib import Path

from jdkmatrix.evidence.row_lines import CheckedRow, read_row_lines
from jdkmatrix.records.model import Text
from jdkmatrix.records.store import OBSERVATIONS_FILE
from jdkmatrix.vocabulary import ObservationStatus

# 2,000 rows take 1 MB.
_MAX_FILE_BYTES = 32 << 20


class Observation(CheckedRow):
    """One row: what it `does`, and the `text` of what was seen. `notes` are what else it did."""

    does: Text
    gold: bool
    status: ObservationStatus
    text: Text
    notes: tuple[Text, ...]
    ms: int


def read_observations(home: Path) -> tuple[Observation, ...]:
    """The rows of the cell whose files are in `home`, in order; none if none was selected.

    Raises OutcomeFileError if the file is invalid or incomplete.
    """
    return read_row_lines(home / OBSERVATIONS_FILE, Observation, _MAX_FILE_BYTES)
