# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What data is in a YAML file? It is parsed once; later starts of the kit read it as JSON.

The kit's own files take 0.2 s of CPU time to parse and 0.01 s to read so. What is kept in the
cache is named by the hash of the text and of the parser, and holds its own hash; models are
checked against it as against the text itself.
"""

import hashlib
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from jdkmatrix.bootstrap import BootstrapError, cache_root
from jdkmatrix.errors import MachineError, UsageError, translate_os_errors
from jdkmatrix.machine.files import content_of, text_of, write_atomically

# The kit's largest file has 90 KB.
MOST_BYTES = 1 << 20
# A shorter text of somebody's is parsed in less than 0.01 s; each of the kit's own is longer.
_LEAST_KEPT_CHARACTERS = 1_000
_MOST_KEPT_FILES = 40
_MOST_KEPT_BYTES = 8 << 20
_PARSER = "yaml_text.py"
# The key of a mapping in JSON whose own keys are not all texts: a list of keys and values.
_PAIRS = ""
Meaning = TypeVar("Meaning")


def read(path: Path) -> str:
    """The text of a file. Raises UsageError: `file: what is wrong`."""
    with translate_os_errors(UsageError, f"{path}: cannot be read"):
        try:
            return text_of(path, MOST_BYTES)
        except FileNotFoundError:
            raise UsageError(f"{path}: no such file") from None


def data_of(text: str, path: Path, check: Callable[[Any], Meaning]) -> Meaning:
    """What `check` makes of the data of a text. Raises UsageError, as `check` may do.

    It is asked with the kept data, and if it refuses that, or none is kept, with what
    `yaml_text.parse` gives, which has line numbers. What it refuses is not kept.
    """
    place = _place(text) if len(text) >= _LEAST_KEPT_CHARACTERS else None
    if place:
        with suppress(OSError, ValueError, UsageError):
            return check(_read_kept(place))
    from jdkmatrix.config.yaml_text import parse  # with its library a tenth of a start

    content = parse(text, path)
    meaning = check(content)
    if place:
        with suppress(OSError, MachineError, _UnusualError):
            _keep(place, content)
    return meaning


class _UnusualError(Exception):
    """A value that JSON does not have."""


def _place(text: str) -> Path | None:
    """Where its data is kept; None for a user without a home."""
    try:
        return cache_root() / "yaml" / f"{hashlib.sha256(_mark() + text.encode()).hexdigest()}.json"
    except (BootstrapError, OSError):
        return None


@cache
def _mark() -> bytes:
    """Another one once texts are parsed in another way, by another Python or library."""
    parser = content_of(Path(__file__).with_name(_PARSER))
    return hashlib.sha256(f"{sys.version}\0{sys.prefix}\0".encode() + parser).digest()


def _read_kept(place: Path) -> Any:
    """Raises OSError or ValueError if nothing is kept there, or if it was changed."""
    mark, _, document = content_of(place, _MOST_KEPT_BYTES).partition(b"\n")
    if hashlib.sha256(document).hexdigest().encode() != mark:
        raise ValueError(f"{place}: damaged")
    return json.loads(document, object_hook=_mapping_of)


def _keep(place: Path, content: Any) -> None:
    document = json.dumps(_plain(content), ensure_ascii=True, separators=(",", ":"))
    place.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(place, f"{hashlib.sha256(document.encode()).hexdigest()}\n{document}")
    files = sorted(place.parent.glob("*.json"), key=lambda file: file.stat().st_mtime)
    for file in files[:-_MOST_KEPT_FILES]:
        file.unlink(missing_ok=True)


def _plain(node: Any) -> Any:
    """The data in JSON's types. Raises _UnusualError for a date, a set, a tag."""
    from ruamel.yaml.scalarfloat import ScalarFloat
    from ruamel.yaml.scalarint import ScalarInt

    if node is None or isinstance(node, str) or type(node) in (bool, int, float):
        return node
    if isinstance(node, ScalarInt):  # written with a sign, as hexadecimal ...
        return int(node)
    if isinstance(node, ScalarFloat):
        return float(node)
    if isinstance(node, list):
        return [_plain(child) for child in node]
    if isinstance(node, dict):
        pairs = [(_key(key), _plain(child)) for key, child in node.items()]
        if all(isinstance(key, str) and key != _PAIRS for key, _ in pairs):
            return dict(pairs)
        return {_PAIRS: pairs}
    raise _UnusualError


def _key(key: Any) -> str | int:
    if isinstance(key, str) or type(key) is int:
        return key
    raise _UnusualError


def _mapping_of(node: dict[str, Any]) -> dict[Any, Any]:
    return dict(node[_PAIRS]) if _PAIRS in node else node
