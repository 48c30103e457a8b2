# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did the rows of `test/behave` show? Their `observations.jsonl`, checked.

`test/behave/lib/ObservationsFile.java` writes it. If the file does not end with the count of its
rows, the JVM did not reach its end: what is missing is not guessed.
"""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from jdkmatrix.evidence.outcomes import OutcomeFileError
from jdkmatrix.machine.bounded import content_of
from jdkmatrix.machine.files import is_plain
from jdkmatrix.records.model import Text
from jdkmatrix.records.store import OBSERVATIONS_FILE
from jdkmatrix.vocabulary import ObservationStatus

# 2,000 rows take 1 MB.
_MAX_FILE_BYTES = 32 << 20


class Observation(BaseModel):
    """One row: what it `does`, and the `text` of what was seen. `notes` are what else it did."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    row: Text
    does: Text
    gold: bool
    status: ObservationStatus
    text: Text
    notes: tuple[Text, ...]
    ms: int


class _ObservationsEnd(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    rows: int


_LINE: TypeAdapter[Observation | _ObservationsEnd] = TypeAdapter(Observation | _ObservationsEnd)


def read_observations(home: Path) -> tuple[Observation, ...]:
    """The rows of the cell whose files are in `home`, in order; none if none was selected.

    Raises OutcomeFileError if the file is invalid or incomplete.
    """
    file = home / OBSERVATIONS_FILE
    try:
        if not is_plain(file):
            raise OutcomeFileError(f"{OBSERVATIONS_FILE}: not a regular file")
        lines = [
            _LINE.validate_json(line) for line in content_of(file, _MAX_FILE_BYTES).splitlines()
        ]
    except OSError as error:
        raise OutcomeFileError(f"{OBSERVATIONS_FILE}: {error.strerror}") from None
    except ValidationError as error:
        raise OutcomeFileError(f"{OBSERVATIONS_FILE}: {str(error).splitlines()[0]}") from None
    rows = tuple(line for line in lines if isinstance(line, Observation))
    if not lines or lines[-1] != _ObservationsEnd(rows=len(rows)):
        raise OutcomeFileError(f"{OBSERVATIONS_FILE}: the JVM ended after {len(rows)} rows")
    if len({row.row for row in rows}) < len(rows):
        raise OutcomeFileError(f"{OBSERVATIONS_FILE}: a row occurs twice")
    return rows
