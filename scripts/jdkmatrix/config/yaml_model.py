# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a YAML file become a checked model, and a mistake in it a message of one line?

The message names the file, the line number, the key and what is accepted.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from jdkmatrix.config import yaml_text
from jdkmatrix.errors import UsageError, one_line

Location = tuple[str | int, ...]
M = TypeVar("M", bound="StrictModel")
_MOST_OF_A_VALUE = 80


class StrictModel(BaseModel):
    """A frozen model; for an unknown key it reports the accepted ones. Keys use hyphens."""

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
                    told = one_line(str(key), _MOST_OF_A_VALUE)
                    raise wrong_at((key,), f"unknown key '{told}'; accepted: {', '.join(accepted)}")
        return data


def wrong_at(where: Location, text: str) -> PydanticCustomError:
    """An error at `where`, relative to the model whose validator raises it."""
    return PydanticCustomError("kit", "{text}", {"text": text, "where": list(where)})


def check_unique(ids: Iterable[tuple[Location, str]]) -> None:
    """Raise an error at the `id` of the second place that has the same one as another."""
    seen: set[str] = set()
    for where, one in ids:
        if one in seen:
            raise wrong_at((*where, "id"), f"duplicate id '{one}'")
        seen.add(one)


def load(path: Path, model: type[M]) -> M:
    """Read `path` into `model`. Raises UsageError: `file:line: key: what is wrong; accepted`."""
    return cast(M, _model_of(yaml_text.read(path), path, model))


# A run loads the same few files several times, and each costs up to 0.2 s.
@lru_cache(maxsize=16)
def _model_of(text: str, path: Path, model: type[StrictModel]) -> StrictModel:
    """The model of a file with that text; it can be shared, as it is frozen."""
    data = yaml_text.parse(text, path)
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise UsageError(one_line(_sentence(path, data, error.errors()[0]))) from None


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
            text += f", not {one_line(repr(error['input']), _MOST_OF_A_VALUE)}"
    return f"{path}:{_line(data, where)}: {place}: {text}" if place else f"{path}: {text}"


def _without_union_tags(data: Any, where: Sequence[str | int]) -> Location:
    """Drop the tags that pydantic adds to the location of a tagged union's member."""
    kept: list[str | int] = []
    for part in where:
        inside = _child(data, part)
        is_tag = isinstance(data, dict) and part in data.values() and part not in data
        if is_tag:
            continue
        kept.append(part)
        data = inside
    return tuple(kept)


def _line(data: Any, where: Location) -> int:
    """The 1-based line of the deepest part of `where` that the file has."""
    line = 0
    for part in where:
        place = _child(getattr(getattr(data, "lc", None), "data", None), part)
        if place is None:  # for example of a key that is merged from elsewhere
            break
        line = place[0]
        data = _child(data, part)
    return line + 1


def _child(data: Any, part: str | int) -> Any:
    try:
        return data[part]
    except (KeyError, IndexError, TypeError):
        return None


def _dotted(where: Location) -> str:
    text = "".join(
        f"[{part}]" if isinstance(part, int) else f".{one_line(str(part), _MOST_OF_A_VALUE)}"
        for part in where
    )
    return text.removeprefix(".")
