# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How are new entries added to `jdks.yaml` without changing anything else in it?

A file rewritten from its parsed form keeps comments, but not every line break. So only the new
lines are written, where `builds` ends according to the parser.
"""

import io
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap

from jdkmatrix.config import yaml_text
from jdkmatrix.config.jdks import BuildEntry, load_jdks
from jdkmatrix.errors import MachineError

_WIDTH = 100


def append_builds(path: Path, entries: Sequence[Mapping[str, Any]]) -> list[BuildEntry]:
    """Append entries to `builds`; all other lines stay. Returns the entries as read back.

    The file changes in one step, and only if the result is valid. Raises UsageError, MachineError.
    """
    text = yaml_text.read(path)
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    offset = _end_of_builds(text, path, lines)
    new_file = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        new_file.write_text(
            "".join([*lines[:offset], _format(entries), *lines[offset:]]), encoding="utf-8"
        )
        read_back = load_jdks(new_file)
        new_file.replace(path)
    except OSError as error:
        raise MachineError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        new_file.unlink(missing_ok=True)
    return [read_back.entry(entry["id"]) for entry in entries]


def _end_of_builds(text: str, path: Path, lines: Sequence[str]) -> int:
    """The number of lines up to and including the last one of `builds`."""
    document = yaml_text.parse(text, path)
    begins = document.lc.key("builds")[0]
    keys = [document.lc.key(key)[0] for key in document]
    end = min((line for line in keys if line > begins), default=len(lines))
    while lines[end - 1].strip() == "" or lines[end - 1].startswith("#"):
        end -= 1  # these belong to what follows
    return end


def _format(entries: Sequence[Mapping[str, Any]]) -> str:
    yaml = YAML(typ="rt")
    yaml.width = _WIDTH
    yaml.indent(mapping=2, sequence=4, offset=2)
    text = io.StringIO()
    builds = [{**entry, "sources": list(map(_in_one_line, entry["sources"]))} for entry in entries]
    yaml.dump({"builds": builds}, text)
    return text.getvalue().partition("\n")[2]


def _in_one_line(source: Mapping[str, Any]) -> CommentedMap:
    mapping = CommentedMap(source)
    mapping.fa.set_flow_style()
    return mapping
