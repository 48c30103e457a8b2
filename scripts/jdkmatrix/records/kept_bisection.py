# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where is it kept what a bisection of a program concluded, for the bundle that reports it?"""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from jdkmatrix.machine.bounded import text_of
from jdkmatrix.machine.files import write_atomically

_FILE = "bisection.json"


def keep_bisection(folder: Path, program: Path, lines: Sequence[str]) -> None:
    """Keep the lines on that program in the bisection's folder. Raises MachineError."""
    document = {"schema": 1, "program": str(program), "lines": list(lines)}
    write_atomically(folder / _FILE, json.dumps(document, indent=1) + "\n")


def newest_bisection(reports: Path, program: Path) -> tuple[str, ...]:
    """What the newest bisection of that program in `reports` concluded; nothing without one."""
    for path in sorted(reports.glob(f"*/{_FILE}"), reverse=True):
        with suppress(OSError, ValueError):  # one that is damaged concludes nothing
            if lines := _lines_on(json.loads(text_of(path)), program):
                return lines
    return ()


def _lines_on(document: object, program: Path) -> tuple[str, ...]:
    if not isinstance(document, dict) or document.get("program") != str(program):
        return ()
    lines = document.get("lines")
    return tuple(map(str, lines)) if isinstance(lines, list) else ()
