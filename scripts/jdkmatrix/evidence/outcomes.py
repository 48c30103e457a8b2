# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did a reproducer itself report? Its `outcome.json` and `control-<case>.json`, checked.

`test/lib` writes these files. Nothing is guessed: a missing file is None, a malformed one an
OutcomeFileError.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from jdkmatrix.config.ledger import BugId
from jdkmatrix.errors import KitError, one_line
from jdkmatrix.machine.files import is_plain, text_of
from jdkmatrix.records.model import texts_bounded
from jdkmatrix.records.store import CONTROL_FILES, CONTROL_PREFIX, OUTCOME_FILE
from jdkmatrix.vocabulary import SUBJECT, Outcome

# An outcome file has some lines of text; megabytes mean that it is something else.
_MAX_FILE_BYTES = 1 << 20
_VERDICTS = (Outcome.REPRODUCED, Outcome.NOT_REPRODUCED)


class OutcomeFileError(KitError):
    """An outcome file is invalid; the text names the file, the place and what is wrong."""


class _Part(BaseModel):
    model_config = ConfigDict(
        defer_build=True, frozen=True, extra="forbid", strict=True, allow_inf_nan=False
    )


# Nanoseconds in 30 years: no figure is larger, and a double holds each.
_LARGEST_AMOUNT = 10**18
_BOUNDS = Field(ge=-_LARGEST_AMOUNT, le=_LARGEST_AMOUNT)
# For each kind by itself: a union's bounds are no part of its JSON Schema.
Amount = Annotated[int, _BOUNDS] | Annotated[float, _BOUNDS]


class Figure(_Part):
    """A measured figure and the bound it was judged by, both in `unit`."""

    name: str = Field(min_length=1)
    value: Amount
    bound: Amount
    unit: str


class JavaFacts(_Part):
    """The JVM that ran the case; `version` is java.runtime.version."""

    version: str
    vendor: str
    home: str
    pid: int = Field(gt=0)


Scalar = str | bool | int | float


class CaseOutcome(_Part):
    """One case of a reproducer, in its own JVM. The verdict rests on the first of `figures`.

    For a control, `not-reproduced` means that it holds.
    """

    schema_: Literal[1] = Field(alias="schema")
    test: str = Field(min_length=1)
    bug: BugId
    case: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    outcome: Outcome = Field(strict=False)
    reason: str = Field(min_length=1)
    figures: tuple[Figure, ...] = Field(strict=False)
    facts: dict[str, Scalar | list[Scalar] | None]
    java: JavaFacts

    @model_validator(mode="after")
    def _a_verdict_has_a_figure(self) -> Self:
        if self.outcome in _VERDICTS and not self.figures:
            raise ValueError(f"outcome '{self.outcome}' without a figure")
        return self


class CellOutcomes(BaseModel):
    """All that a cell's JVMs wrote.

    `verdict` is outcome.json: the subject's, or that of a control that did not hold; None if no
    JVM got that far. `controls` are in the order of their case names.
    """

    model_config = ConfigDict(defer_build=True, frozen=True)

    verdict: CaseOutcome | None
    controls: tuple[CaseOutcome, ...]

    @property
    def cases(self) -> tuple[CaseOutcome, ...]:
        """The verdict, if there is one, and the controls."""
        return (*((self.verdict,) if self.verdict else ()), *self.controls)


def read_outcomes(folder: Path) -> CellOutcomes:
    """Read the files in a cell's folder. Raises OutcomeFileError if one is invalid."""
    verdict_file = folder / OUTCOME_FILE
    verdict = _read(verdict_file) if verdict_file.exists() else None
    if verdict and verdict.case != SUBJECT and verdict.outcome in _VERDICTS:
        raise OutcomeFileError(
            f"{verdict_file}: case: '{verdict.case}' is a control, and only the subject may say"
            f" '{verdict.outcome}'"
        )
    return CellOutcomes(
        verdict=verdict, controls=tuple(_controls(sorted(folder.glob(CONTROL_FILES))))
    )


def _controls(files: Iterable[Path]) -> Iterable[CaseOutcome]:
    for file in files:
        control = _read(file)
        case_name = file.stem.removeprefix(CONTROL_PREFIX)
        if control.case != case_name:
            raise OutcomeFileError(
                f"{file}: case: is '{control.case}', the file's name '{case_name}'"
            )
        yield control


def _read(file: Path) -> CaseOutcome:
    try:
        if not is_plain(file):
            raise OutcomeFileError(f"{file}: not a regular file")
        document = json.loads(text_of(file, _MAX_FILE_BYTES))
        # Python's JSON parser accepts NaN; the pydantic model refuses it.
        return CaseOutcome.model_validate(texts_bounded(document))
    except OSError as error:
        raise OutcomeFileError(f"{file}: cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise OutcomeFileError(f"{file}: {_first(error)}") from error
    except (ValueError, RecursionError) as error:  # ValueError: also a number of 5,000 digits
        raise OutcomeFileError(f"{file}: not JSON: {error}") from error


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    place = one_line(".".join(map(str, first["loc"])))
    text = first["msg"].removeprefix("Value error, ")
    return f"{place}: {text[:1].lower()}{text[1:]}" if place else text
