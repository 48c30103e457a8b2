# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a YAML file become a checked model, and a mistake in it a message of one line?

The message names the file, the line number, the key and what is accepted.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from jdkmatrix.config import yaml_file
from jdkmatrix.errors import UsageError, one_line

Location = tuple[str | int, ...]
M = TypeVar("M", bound="StrictModel")
Row = TypeVar("Row", bound="_RuleWithId")
_MOST_OF_A_VALUE = 80


class _RuleWithId(Protocol):
    @property
    def id(self) -> str: ...


class StrictModel(BaseModel):
    """A frozen model; for an unknown key it reports the accepted ones. Keys use hyphens."""

    model_config = ConfigDict(
        defer_build=True,
        extra="forbid",
        frozen=True,
        alias_generator=lambda name: name.replace("_", "-"),
    )

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, content: Any) -> Any:
        if isinstance(content, dict):
            keys = [field.alias or name for name, field in cls.model_fields.items()]
            for key in content:
                if key not in keys:
                    key_text = one_line(str(key), _MOST_OF_A_VALUE)
                    raise wrong_at((key,), f"unknown key '{key_text}'; accepted: {', '.join(keys)}")
        return content


def wrong_at(location: Location, text: str) -> PydanticCustomError:
    """An error at `location`, relative to the model whose validator raises it."""
    return PydanticCustomError("kit", "{text}", {"text": text, "where": list(location)})


def check_unique(ids: Iterable[tuple[Location, str]]) -> None:
    """Raise an error at the `id` of the second place that has the same one as another."""
    unique_ids: set[str] = set()
    for location, identifier in ids:
        if identifier in unique_ids:
            raise wrong_at((*location, "id"), f"duplicate id '{identifier}'")
        unique_ids.add(identifier)


def _with_unique_ids(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    check_unique(((n,), row.id) for n, row in enumerate(rows))
    return rows


# Of a list whose members have an `id` each.
UniqueIds = AfterValidator(_with_unique_ids)


def load_folder(folder: Path, model: type[M]) -> Iterator[tuple[Path, M]]:
    """Each `*.yaml` of a folder, by name, at least one. Raises UsageError as `load` does."""
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise UsageError(f"{folder}: no rules; accepted: a folder with *.yaml")
    return ((file, load(file, model)) for file in files)


def load(path: Path, model: type[M]) -> M:
    """Read `path` into `model`. Raises UsageError: `file:line: key: what is wrong; accepted`."""
    return cast(M, _model_of(yaml_file.read(path), path, model))


# A run loads the same few files several times, and each costs up to 0.2 s.
@lru_cache(maxsize=16)
def _model_of(text: str, path: Path, model: type[StrictModel]) -> StrictModel:
    """The model of a file with that text; it can be shared, as it is frozen."""

    def check(document: Any) -> StrictModel:
        try:
            return model.model_validate(document)
        except ValidationError as error:
            raise UsageError(one_line(_sentence(path, document, error.errors()[0]))) from None

    return yaml_file.data_of(text, path, check)


def _sentence(path: Path, document: Any, error: ErrorDetails) -> str:
    relative = error.get("ctx", {}).get("where", [])
    location = (*_without_union_tags(document, error["loc"]), *relative)
    place = _path_text(location)
    if error["type"] == "missing":
        text = f"missing key '{error['loc'][-1]}'"
        place = _path_text(location[:-1])
    else:
        message = error["msg"].removeprefix("Value error, ")
        text = message[:1].lower() + message[1:]
        if not relative and not isinstance(error["input"], dict):
            text += f", not {one_line(repr(error['input']), _MOST_OF_A_VALUE)}"
    return f"{path}:{_line(document, location)}: {place}: {text}" if place else f"{path}: {text}"


def _without_union_tags(node: Any, location: Sequence[str | int]) -> Location:
    """Drop the tags that pydantic adds to the location of a tagged union's member."""
    parts: list[str | int] = []
    for part in location:
        child = _child(node, part)
        is_tag = isinstance(node, dict) and part in node.values() and part not in node
        if is_tag:
            continue
        parts.append(part)
        node = child
    return tuple(parts)


def _line(node: Any, location: Location) -> int:
    """The 1-based line of the deepest part of `location` that the file has."""
    line = 0
    for part in location:
        place = _child(getattr(getattr(node, "lc", None), "data", None), part)
        if place is None:  # for example of a key that is merged from elsewhere
            break
        line = place[0]
        node = _child(node, part)
    return line + 1


def _child(node: Any, part: str | int) -> Any:
    try:
        return node[part]
    except (KeyError, IndexError, TypeError):
        return None


def _path_text(location: Location) -> str:
    text = "".join(
        f"[{part}]" if isinstance(part, int) else f".{one_line(str(part), _MOST_OF_A_VALUE)}"
        for part in location
    )
    return text.removeprefix(".")
