# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do a reproducer and what it uses of `test/lib` become one Java file? By `jtreg/flatten`."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from jdkmatrix.errors import MachineError
from jdkmatrix.machine.java_program import SHORT_LIVED, JavaProgram, key_of, run_java
from jdkmatrix.machine.sealed_folder import made_once

# Upstream's tests for such bugs have about as many.
MOST_LINES = 350
# The folder of the whole file in a bundle that has a minimal one.
CONTROLS = "with-controls"
_MAIN_CLASS = "tls13kit.flatten.Main"
# It takes some 2 s of CPU for each reproducer; this bound allows for a busy machine.
_TIMEOUT_S = 300
# Beside the files: a line for each without a minimal one, as the program prints it.
_FAILED = "failed.txt"


@dataclass(frozen=True)
class JavaFiles:
    """A reproducer as one file: `whole` has its controls, `minimal` its subject alone.

    `minimal` is None if there is none to offer; `why_not` then says why.
    """

    whole: str
    minimal: str | None
    why_not: str = ""

    @property
    def length(self) -> int:
        """The number of lines of the file to read first."""
        return (self.minimal or self.whole).count("\n")


class Flattener:
    """Makes Java files that need no library, in Java 8 unless their `@requires` says otherwise.

    `java_home` is a JDK 17 or later with javac.

    `home` is the program's folder: its sources in `src`; in `alone` stand-ins for classes of the
    library that only the kit's own runs need; in `minimal` those for a minimal file.
    """

    def __init__(self, home: Path, java_home: Path, cache: Path) -> None:
        self._program = JavaProgram("flattener", home / "src", java_home, cache)
        self._alone = home / "alone"
        self._minimal = home / "minimal"
        self._cache = cache
        self._java = java_home / "bin" / "java"

    def flatten(
        self, reproducers: Sequence[Path], library: Path, *, minimal: bool = False
    ) -> dict[str, JavaFiles]:
        """One file for each reproducer, by its name; with `minimal` a second one.

        As making them takes seconds, they are cached, keyed by all that goes into them. Raises
        MachineError if one does not compile, before or after.
        """
        classes = self._program.compile()
        folders = (library, self._alone, self._minimal)
        library_files = [file for folder in folders for file in sorted(folder.rglob("*.java"))]
        key = key_of(
            hashlib.sha256(f"{classes.name}\0{minimal}".encode()), [*reproducers, *library_files]
        )
        make = partial(self._make, classes, reproducers, library, minimal)
        try:
            output = made_once(self._cache / f"files-{key}", make)
        except OSError as error:
            raise MachineError(f"flattening: {error}") from error
        return {
            reproducer.name: _java_files(output, reproducer.name, minimal=minimal)
            for reproducer in reproducers
        }

    def _make(
        self, classes: Path, reproducers: Sequence[Path], library: Path, minimal: bool, out: Path
    ) -> None:
        command = [str(self._java), *SHORT_LIVED, "-cp", str(classes)]
        command += [f"-Dminimal={self._minimal}"] if minimal else []
        command += [_MAIN_CLASS, str(library.resolve()), str(self._alone), str(out)]
        command += [str(reproducer.resolve()) for reproducer in reproducers]
        failures = run_java(command, "flattening", _TIMEOUT_S)
        (out / _FAILED).write_text(failures, encoding="utf-8")


def _java_files(output: Path, name: str, *, minimal: bool) -> JavaFiles:
    whole = (output / name).read_text(encoding="utf-8")
    if not minimal:
        return JavaFiles(whole, None, "not asked for")
    lines = (output / _FAILED).read_text(encoding="utf-8").splitlines()
    failures = dict(line.split("\t", 1) for line in lines)
    if name in failures:
        return JavaFiles(whole, None, failures[name])
    text = (output / "minimal" / name).read_text(encoding="utf-8")
    if (length := text.count("\n")) > MOST_LINES:
        return JavaFiles(whole, None, f"{length} lines (bound {MOST_LINES})")
    return JavaFiles(whole, text)
