# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the kit do in Java, and how is it run? `jtreg/tool`, a program with subcommands.

Its sources are of two levels: what a JDK under test runs is for Java 8, the rest for the tool JDK.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from jdkmatrix.bootstrap import cache_root
from jdkmatrix.machine.java_program import SHORT_LIVED, JavaProgram, run_java
from jdkmatrix.paths import Checkout

MAIN_CLASS = "tls13kit.Tool"
# The folder of the kit's cache with its classes, and with what it made or was told once.
CACHE = "tool"
# 8 is the oldest JDK that is asked; newer tool JDKs warn that support for 8 will be removed.
_FOR_JAVA_8 = ("--release", "8", "-Xlint:-options")


class JavaTool:
    """The program in `home`, compiled by the JDK at `java_home` (17+) into `cache`, and run on it.

    Each level is compiled when it is first needed: any command asks a JDK, few need the rest.
    Safe for several threads and processes at once on the same `cache`.
    """

    def __init__(self, home: Path, java_home: Path, cache: Path) -> None:
        self.home = home
        self.java_home = java_home
        self.cache = cache
        options = _FOR_JAVA_8
        self.for_any_jdk = JavaProgram("facts", home / "java8", java_home, cache, options=options)
        self._java17 = JavaProgram("Java tool", home / "java17", java_home, cache)

    @classmethod
    def of_checkout(cls, checkout: Checkout, java_home: Path) -> "JavaTool":
        """The checkout's, in the kit's cache."""
        return cls(checkout.java_tool, java_home, cache_root() / CACHE)

    def compile_for_any_jdk(self) -> Path:
        """The folder with the classes that a JDK of 8 or later runs, compiled now if need be.

        Raises MachineError.
        """
        return self.for_any_jdk.compile()

    def compile(self) -> tuple[Path, Path]:
        """The class path of all subcommands, compiled now if need be. Raises MachineError."""
        return self.for_any_jdk.compile(), self._java17.compile()

    def run(
        self,
        subcommand: str,
        arguments: Sequence[str],
        subject: str,
        timeout_s: int,
        *,
        options: Sequence[str] = SHORT_LIVED,
        stdin: Path = Path(os.devnull),
    ) -> str:
        """Run a subcommand on the tool JDK with these `options` of the JVM; return what it prints.

        Errors begin with `subject`. Raises MachineError if it cannot be compiled, fails or is late.
        """
        class_path = os.pathsep.join(map(str, self.compile()))
        command = [str(self.java_home / "bin" / "java"), *options, "-cp", class_path, MAIN_CLASS]
        return run_java([*command, subcommand, *arguments], subject, timeout_s, stdin=stdin)
