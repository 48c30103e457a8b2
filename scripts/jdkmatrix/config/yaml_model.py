# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a YAML file become a checked model, and a mistake in it one line for the user?

The line names file, line number, key and what is accepted.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from jdkmatrix.errors import UsageError

Location = tuple[str | int, ...]
M = TypeVar("M", bound="StrictModel")


class StrictModel(BaseModel):
    """A frozen model that names an unknown key and the accepted ones. Keys use hyphens."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        alias_generator=lambda name: name.replace("_", "-"),
    )

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, data: Any) -> Any:
        if isinstance(data, dict):
            accepted = [field.alias or name for name, field in cls.model_fields.items()]
            for key in data:
                if key not in accepted:
                    raise wrong_at((key,), f"unknown key '{key}'; accepted: {', '.join(accepted)}")
        return data


def wrong_at(where: Location, text: str) -> PydanticCustomError:
    """An error at `where`, relative to the model whose validator raises it."""
    return PydanticCustomError("kit", "{text}", {"text": text, "where": list(where)})


def load(path: Path, model: type[M]) -> M:
    """Read `path` into `model`. Raises UsageError: `file:line: key: what is wrong; accepted`."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: cannot be read: {error}") from None
    return cast(M, _model_of(text, path, model))


# A run asks several times for the same few files, and each costs up to 0.2 s.
@lru_cache(maxsize=16)
def _model_of(text: str, path: Path, model: type[StrictModel]) -> StrictModel:
    """The model, which is frozen, of a file with that text."""
    try:
        data = YAML(typ="rt").load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise UsageError(f"{path}:{line}: {_first_line(error.problem)}") from None
    except YAMLError as error:
        raise UsageError(f"{path}: {_first_line(error)}") from None
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise UsageError(_sentence(path, data, error.errors()[0])) from None


def _sentence(path: Path, data: Any, error: ErrorDetails) -> str:
    relative = error.get("ctx", {}).get("where", [])
    where = (*_without_union_tags(data, error["loc"]), *relative)
    place = _dotted(where)
    if error["type"] == "missing":
        text = f"missing key '{error['loc'][-1]}'"
        place = _dotted(where[:-1])
    else:
        message = error["msg"].removeprefix("Value error, ")
        text = message[:1].lower() + message[1:]
        if not relative and not isinstance(error["input"], dict):
            text += f", not {error['input']!r}"
    return f"{path}:{_line(data, where)}: {place}: {text}" if place else f"{path}: {text}"


def _without_union_tags(data: Any, where: Sequence[str | int]) -> Location:
    """Drop the tags that pydantic adds to the location of a tagged union's member."""
    kept: list[str | int] = []
    for n, part in enumerate(where):
        inside = _child(data, part)
        is_tag = isinstance(data, dict) and part in data.values() and part not in data
        if is_tag and n + 1 <= len(where):
            continue
        kept.append(part)
        data = inside
    return tuple(kept)


def _line(data: Any, where: Location) -> int:
    """The 1-based line of the deepest part of `where` that the file has."""
    line = 0
    for part in where:
        marks = getattr(data, "lc", None)
        child = _child(data, part)
        if marks is None or child is None:
            break
        line = marks.key(part)[0] if isinstance(data, dict) else marks.item(part)[0]
        data = child
    return line + 1


def _child(data: Any, part: str | int) -> Any:
    try:
        return data[part]
    except (KeyError, IndexError, TypeError):
        return None


def _dotted(where: Location) -> str:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in where)
    return text.removeprefix(".")


def _first_line(problem: object) -> str:
    return str(problem).strip().splitlines()[0]
