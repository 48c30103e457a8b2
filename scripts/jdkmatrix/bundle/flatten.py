# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do a reproducer and what it uses of `test/lib` become one Java file? By `jtreg/flatten`."""

from collections.abc import Sequence
from pathlib import Path

from jdkmatrix.machine.java_program import JavaProgram, run_java

_MAIN_CLASS = "tls13kit.flatten.Main"
# Some 5 s of CPU for all reproducers; this bounds a machine that is busy with other things.
_TIMEOUT_S = 300
_OPTIONS = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


class Flattener:
    """Makes Java files that need no library, of Java 8 unless their `@requires` says otherwise.

    `java_home` is a JDK 17 or later with javac.

    `home` is the program's folder: its sources in `src`, in `alone` what stands in for classes of
    the library that only the kit's own runs need.
    """

    def __init__(self, home: Path, java_home: Path, cache: Path) -> None:
        self._program = JavaProgram("flattener", home / "src", java_home, cache)
        self._alone = home / "alone"
        self._java = java_home / "bin" / "java"

    def flatten(self, reproducers: Sequence[Path], library: Path, out: Path) -> None:
        """Write one file for each reproducer into `out`, under its own name.

        Raises MachineError if one does not compile, before or after.
        """
        command = [str(self._java), *_OPTIONS, "-cp", str(self._program.compiled()), _MAIN_CLASS]
        command += [str(library.resolve()), str(self._alone), str(out)]
        command += [str(one.resolve()) for one in reproducers]
        run_java(command, "flattening", _TIMEOUT_S)
