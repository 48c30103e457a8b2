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

from jdkmatrix.config import yaml_file, yaml_text
from jdkmatrix.config.jdks import BuildEntry, JdksFile, load_jdks
from jdkmatrix.errors import MachineError, UsageError, translate_os_errors

_WIDTH = 1000  # a source is one line


def append_builds(path: Path, entries: Sequence[Mapping[str, Any]]) -> list[BuildEntry]:
    """Append entries to `builds`; all other lines stay. Returns the entries as read back.

    The file changes in one step, and only if the result is valid. Raises UsageError, MachineError.
    """
    text, lines = _read_lines(path)
    offset = _end_of_builds(text, path, lines)
    read_back = _write(path, [*lines[:offset], _format(entries), *lines[offset:]])
    return [read_back.entry(entry["id"]) for entry in entries]


def prepend_source(path: Path, entry_id: str, source: Mapping[str, Any]) -> BuildEntry:
    """Write a source before the others of an entry; all other lines stay. Returns the entry.

    Raises UsageError, MachineError.
    """
    text, lines = _read_lines(path)
    builds = yaml_text.parse(text, path)["builds"]
    entry = next(build for build in builds if build["id"] == entry_id)
    line = entry["sources"].lc.item(0)[0]
    indentation, dash, _ = lines[line].partition("- ")
    if indentation.strip() or not dash:
        hint = "accepted: each source on a line of its own, after a dash"
        raise UsageError(f"{path.name}: {entry_id}: its sources can't be added to; {hint}")
    (source_line,) = _format([{"id": entry_id, "sources": [source]}]).splitlines()[2:]
    read_back = _write(
        path, [*lines[:line], f"{indentation}{source_line.lstrip()}\n", *lines[line:]]
    )
    return read_back.entry(entry_id)


def _read_lines(path: Path) -> tuple[str, list[str]]:
    text = yaml_file.read(path)
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    return text, lines


def _write(path: Path, lines: Sequence[str]) -> JdksFile:
    """Replace the file in one step, if the lines are valid, and return it as read back."""
    new_file = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with translate_os_errors(MachineError, f"{path}: cannot be written"):
            new_file.write_text("".join(lines), encoding="utf-8")
            read_back = load_jdks(new_file)
            new_file.replace(path)
    finally:
        new_file.unlink(missing_ok=True)
    return read_back


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
