# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do a reproducer and what it uses of `test/lib` become one Java file? By `jtreg/flatten`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.machine.java_program import JavaProgram, run_java

# Upstream's tests of such bugs have about as many.
MOST_LINES = 350
# Where a bundle with a short file has the long one.
CONTROLS = "with-controls"
_MAIN_CLASS = "tls13kit.flatten.Main"
# Some 2 s of CPU for each reproducer; this bounds a machine that is busy with other things.
_TIMEOUT_S = 300
_OPTIONS = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


@dataclass(frozen=True)
class JavaFiles:
    """A reproducer as one file: `whole` has its controls, `minimal` its subject alone.

    `minimal` is None where there is none to be offered; then `why_not` says why.
    """

    whole: str
    minimal: str | None
    why_not: str = ""

    @property
    def length(self) -> int:
        """Lines of the one that is to be read first."""
        return (self.minimal or self.whole).count("\n")


class Flattener:
    """Makes Java files that need no library, of Java 8 unless their `@requires` says otherwise.

    `java_home` is a JDK 17 or later with javac.

    `home` is the program's folder: its sources in `src`; in `alone` what stands in for classes of
    the library that only the kit's own runs need; in `minimal` what does in a minimal file.
    """

    def __init__(self, home: Path, java_home: Path, cache: Path) -> None:
        self._program = JavaProgram("flattener", home / "src", java_home, cache)
        self._alone = home / "alone"
        self._minimal = home / "minimal"
        self._java = java_home / "bin" / "java"

    def flatten(
        self, reproducers: Sequence[Path], library: Path, out: Path, *, minimal: bool = False
    ) -> dict[str, JavaFiles]:
        """Make one file of each reproducer in `out`, by their names; with `minimal` a second one.

        Raises MachineError if one does not compile, before or after.
        """
        command = [str(self._java), *_OPTIONS, "-cp", str(self._program.compiled())]
        command += [f"-Dminimal={self._minimal}"] if minimal else []
        command += [_MAIN_CLASS, str(library.resolve()), str(self._alone), str(out)]
        command += [str(one.resolve()) for one in reproducers]
        lines = run_java(command, "flattening", _TIMEOUT_S).splitlines()
        failed = dict(line.split("\t", 1) for line in lines)
        if not minimal:
            failed = {one.name: "not asked for" for one in reproducers}
        return {one.name: _java_files(out, one.name, failed) for one in reproducers}


def _java_files(out: Path, name: str, failed: Mapping[str, str]) -> JavaFiles:
    whole = (out / name).read_text(encoding="utf-8")
    if name in failed:
        return JavaFiles(whole, None, failed[name])
    minimal = (out / "minimal" / name).read_text(encoding="utf-8")
    if (lines := minimal.count("\n")) > MOST_LINES:
        return JavaFiles(whole, None, f"{lines} lines (bound {MOST_LINES})")
    return JavaFiles(whole, minimal)
