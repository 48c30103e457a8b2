# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a JSON file read into its model, and what is wrong with it said in one line?"""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from jdkmatrix.errors import UsageError, one_line, translate_os_errors
from jdkmatrix.machine.files import MOST_BYTES, content_of

M = TypeVar("M", bound=BaseModel)


class Frozen(BaseModel):
    """A frozen part of a document, which refuses unknown fields."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid")


def read_model(path: Path, model: type[M], subject: str, most_bytes: int = MOST_BYTES) -> M:
    """The document at `path`. Raises UsageError if it cannot be read, or is not such a `subject`:
    `a record of this kit`.
    """
    with translate_os_errors(UsageError, f"{path}: cannot be read"):
        return model_of(content_of(path, most_bytes), path, model, subject)


def model_of(content: bytes, path: Path, model: type[M], subject: str) -> M:
    """The document that was read from `path`. Raises UsageError if it is not such a `subject`."""
    try:
        return model.model_validate_json(content)
    except ValidationError as error:
        raise UsageError(f"{path}: not {subject}: {problem_in(error)}") from None


def problem_in(error: ValidationError) -> str:
    """The first problem, after its place in the document: `builds.0.id: field required`."""
    problem = error.errors()[0]
    place = one_line(".".join(map(str, problem["loc"])))
    return f"{place}: {problem['msg']}" if place else problem["msg"]
