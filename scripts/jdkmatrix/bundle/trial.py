# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a minimal file tell the builds of the run apart? It is compiled, and run on two of them.

One that was not seen to work is not attached.
"""

import re
from dataclasses import replace
from pathlib import Path

from jdkmatrix.bundle.flatten import JavaFiles
from jdkmatrix.bundle.versions import JdksAtHand
from jdkmatrix.errors import MachineError
from jdkmatrix.machine.java_program import TOOL_SHORT_LIVED, run_java
from jdkmatrix.machine.processes import NO_JAVA_OPTIONS, run
from jdkmatrix.records.record import BuildRecord

# A minimal file gives up after 60 s of its own.
_TIMEOUT_S = 120
_OLDEST = 8
_REQUIRES = re.compile(r"@requires +jdk\.version\.major *>= *(\d+)")


def tried(
    java: JavaFiles,
    name: str,
    builds: tuple[tuple[BuildRecord, int], ...],
    at_hand: JdksAtHand,
    tool_jdk: Path,
    scratch: Path,
) -> JavaFiles:
    """The files, without the minimal one if it did not end on each of `builds` as wanted.

    `builds` are given with the exit code wanted of each. `name` is the file's without `.java`.
    Writes below `scratch`.
    """
    if java.minimal is None:
        return java
    if not any(wanted for _, wanted in builds):
        return replace(java, minimal=None, why_not="the run has no build to try it on")
    try:
        classes = _compiled(java.minimal, name, tool_jdk, scratch)
        found = (_wrong(at_hand, build, code, classes, name) for build, code in builds)
        wrong = next(filter(None, found), None)
    except MachineError as error:
        wrong = str(error)
    return replace(java, minimal=None, why_not=wrong) if wrong else java


def _compiled(minimal: str, name: str, tool_jdk: Path, scratch: Path) -> Path:
    """Its classes, for the oldest build that it can run on. Raises MachineError."""
    source, classes = scratch / "trial" / f"{name}.java", scratch / "trial" / "classes"
    classes.mkdir(parents=True)
    source.write_text(minimal, encoding="utf-8")
    needs = _REQUIRES.search(minimal)
    release = needs[1] if needs else str(_OLDEST)
    javac = str(tool_jdk / "bin" / "javac")
    command = [javac, *TOOL_SHORT_LIVED, "-Xlint:none", "--release", release]
    command += ["-d", str(classes), str(source)]
    run_java(command, f"compiling the minimal {source.name}", _TIMEOUT_S)
    return classes


def _wrong(
    at_hand: JdksAtHand, build: BuildRecord, wanted: int, classes: Path, name: str
) -> str | None:
    """What is not as wanted on this build, None if all is."""
    if build.overlay is not None:
        return f"{build.id} is not at hand to try it on: it has a planted fault"
    java = at_hand.java(build)
    if java is None:
        return f"{build.id} is not at hand to try it on: it {at_hand.why_not(build)}"
    ended = run([java, "-cp", classes, name], env=NO_JAVA_OPTIONS, timeout_s=_TIMEOUT_S)
    if ended.is_late:
        return f"on {build.id} it was not over after {_TIMEOUT_S} s"
    if ended.code != wanted:
        return f"on {build.id} its exit code was {ended.code} (wanted {wanted})"
    return None
