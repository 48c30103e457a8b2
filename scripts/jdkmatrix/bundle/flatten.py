# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do a reproducer and what it uses of `test/lib` become one Java file? By the kit's Java."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from jdkmatrix.errors import MachineError
from jdkmatrix.machine.files import text_of
from jdkmatrix.machine.java_program import JavaTool, key_of
from jdkmatrix.machine.sealed_folder import made_once
from jdkmatrix.vocabulary import Outcome

# Upstream's tests for such bugs have about as many.
MOST_LINES = 400
# The folder of the whole file in a bundle that has a minimal one.
CONTROLS = "with-controls"
# It takes some 2 s of CPU for each reproducer; this bound allows for a busy machine.
_TIMEOUT_S = 300
# Beside the files: a line for each without a minimal one, as the program prints it.
_FAILED = "failed.txt"
_OLDEST = 8
_REQUIRES = re.compile(r"@requires +jdk\.version\.major *>= *(\d+)")


@dataclass(frozen=True)
class JavaFiles:
    """A reproducer as one file: `whole` has its controls, `minimal` its subject alone.

    `minimal` is None if there is none to offer; `why_not` then says why. `answers` is what it
    printed where the bug shows and where it does not.
    """

    whole: str
    minimal: str | None
    why_not: str = ""
    answers: Mapping[Outcome, str] = field(default_factory=dict)

    @property
    def length(self) -> int:
        """The number of lines of the file to read first."""
        return (self.minimal or self.whole).count("\n")


class Flattener:
    """Makes Java files that need no library, in Java 8 unless their `@requires` says otherwise.

    Beside the sources of `tool` are, in `alone`, stand-ins for classes of the library that only
    the kit's own runs need; in `minimal` those for a minimal file.
    """

    def __init__(self, tool: JavaTool) -> None:
        self._tool = tool
        self._alone = tool.home / "alone"
        self._minimal = tool.home / "minimal"

    def flatten(
        self, reproducers: Sequence[Path], library: Path, *, minimal: bool = False
    ) -> dict[str, JavaFiles]:
        """One file for each reproducer, by its name; with `minimal` a second one.

        As making them takes seconds, they are cached, keyed by all that goes into them. Raises
        MachineError if one does not compile, before or after.
        """
        program = "\0".join(path.name for path in self._tool.compile())
        folders = (library, self._alone, self._minimal)
        library_files = [file for folder in folders for file in sorted(folder.rglob("*.java"))]
        key = key_of(
            hashlib.sha256(f"{program}\0{minimal}".encode()), [*reproducers, *library_files]
        )
        make = partial(self._make, reproducers, library, minimal)
        try:
            output = made_once(self._tool.cache / f"files-{key}", make)
        except OSError as error:
            raise MachineError(f"flattening: {error}") from error
        return {
            reproducer.name: _java_files(output, reproducer.name, minimal=minimal)
            for reproducer in reproducers
        }

    def _make(self, reproducers: Sequence[Path], library: Path, minimal: bool, out: Path) -> None:
        arguments = ["--minimal", str(self._minimal)] if minimal else []
        arguments += [str(library.resolve()), str(self._alone), str(out)]
        arguments += [str(reproducer.resolve()) for reproducer in reproducers]
        failures = self._tool.run("flatten", arguments, "flattening", _TIMEOUT_S)
        (out / _FAILED).write_text(failures, encoding="utf-8")


def oldest_train(source: str) -> int:
    """The oldest release line for which a file is meant, by its header."""
    requirement = _REQUIRES.search(source)
    return int(requirement[1]) if requirement else _OLDEST


def _java_files(output: Path, name: str, *, minimal: bool) -> JavaFiles:
    whole = text_of(output / name)
    if not minimal:
        return JavaFiles(whole, None, "not asked for")
    lines = text_of(output / _FAILED).splitlines()
    failures = dict(line.split("\t", 1) for line in lines)
    if name in failures:
        return JavaFiles(whole, None, failures[name])
    text = text_of(output / "minimal" / name)
    if (length := text.count("\n")) > MOST_LINES:
        return JavaFiles(whole, None, f"{length} lines (bound {MOST_LINES})")
    return JavaFiles(whole, text)
