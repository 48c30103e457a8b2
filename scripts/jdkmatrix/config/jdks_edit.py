# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do new entries get into `jdks.yaml` without a change to anything else in it?"""

import io
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap

from jdkmatrix.config.jdks import BuildEntry, load_jdks
from jdkmatrix.errors import MachineError

_WIDTH = 100


def append_builds(path: Path, entries: Sequence[Mapping[str, Any]]) -> list[BuildEntry]:
    """Append entries to `builds`; comments and layout stay. Returns them as they are read back.

    The file changes in one step, and only if what was written is valid. Raises UsageError,
    MachineError.
    """
    yaml = YAML(typ="rt")
    yaml.width = _WIDTH
    yaml.preserve_quotes = True
    yaml.indent(mapping=2, sequence=4, offset=2)
    document = yaml.load(path.read_text(encoding="utf-8"))
    for entry in entries:
        item = CommentedMap(entry)
        item["sources"] = [_in_one_line(source) for source in entry["sources"]]
        document["builds"].append(item)
    text = io.StringIO()
    yaml.dump(document, text)
    renewed = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        renewed.write_text(text.getvalue(), encoding="utf-8")
        read_back = load_jdks(renewed)
        renewed.replace(path)
    except OSError as error:
        raise MachineError(f"{path}: cannot be written: {error.strerror}") from None
    finally:
        renewed.unlink(missing_ok=True)
    ids = [entry["id"] for entry in entries]
    return [read_back.entry(entry_id) for entry_id in ids]


def _in_one_line(source: Mapping[str, Any]) -> CommentedMap:
    made = CommentedMap(source)
    made.fa.set_flow_style()
    return made
