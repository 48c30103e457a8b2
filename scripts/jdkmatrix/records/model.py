# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do all records of a run have in common, and what may their texts, names and paths be?

Records come from other machines and lie beside what tests leave. One that breaks the rules here is
damaged, and is reported in one line before anything is done with it.
"""

import re
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from jdkmatrix.machine.json_models import read_model
from jdkmatrix.texts import quote_again

R = TypeVar("R", bound=BaseModel)

# In characters. The longest reason of any shipped reproducer has some 600.
LONGEST_TEXT = 4_000
# No record is larger: a thousand cells and their shard's plan have 300 kB.
_MOST_BYTES = 64 << 20
_LONGEST_NAME = 1_000
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def cut_text(text: str) -> str:
    """A text that a test left, cut if it is too long for anybody to read."""
    short_text = text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}\u2026"
    return short_text.encode("utf-8", errors="replace").decode("utf-8")


def texts_bounded(document: Any) -> Any:
    """JSON that a test left, or that was derived from it, with `cut_text` applied to its texts."""
    if isinstance(document, str):
        return cut_text(document)
    if isinstance(document, list):
        return [texts_bounded(part) for part in document]
    if isinstance(document, dict):
        return {cut_text(name): texts_bounded(part) for name, part in document.items()}
    return document


def _check_inside(path: str) -> str:
    """Return the path. Raises ValueError if it may lead out of the folder it is relative to."""
    parts = path.split("/")
    if len(path) > _LONGEST_NAME or _CONTROL.search(path) or not {"", ".", ".."}.isdisjoint(parts):
        raise ValueError("not a path below the run's folder")
    return path


def _one_name(name: str) -> str:
    if "/" in name or name.startswith(("-", ".")):
        raise ValueError("not an id; accepted: vendor-version")
    return _check_inside(name)


Text = Annotated[str, AfterValidator(cut_text)]
# The path of a test, a comparison or a file, relative to the folder that it is in.
InsidePath = Annotated[str, AfterValidator(_check_inside)]
# The id of a build, which also names folders.
BuildId = Annotated[str, AfterValidator(_one_name)]
# A command, or a part of it, that somebody may paste.
CommandLine = Annotated[str, AfterValidator(quote_again)]
Seconds = Annotated[float, Field(ge=0, le=1e9)]


class Record(BaseModel):
    """A frozen record that refuses unknown fields."""

    model_config = ConfigDict(defer_build=True, frozen=True, extra="forbid", allow_inf_nan=False)


def read_record(path: Path, model: type[R], most_bytes: int = _MOST_BYTES) -> R:
    """The record stored at `path`. Raises UsageError if it is damaged, too large or of another
    schema.
    """
    return read_model(path, model, "a record of this kit", most_bytes)
