# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does a minimal file tell the builds of the run apart? It is compiled, and run on two of them.

A file that was not seen to work is not attached.
"""

from dataclasses import replace
from pathlib import Path

from jdkmatrix.bundle.flatten import JavaFiles, oldest_train
from jdkmatrix.bundle.versions import JdksAtHand
from jdkmatrix.errors import MachineError
from jdkmatrix.machine.java_program import JavaProgram
from jdkmatrix.machine.processes import run_jvm
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.vocabulary import Outcome

# `java` ends with 1, too, if a class throws that is not the test's verdict: so what was thrown must
# agree with the exit code.
_EXIT_CODES = {Outcome.NOT_REPRODUCED: 0, Outcome.REPRODUCED: 1}
_THROWN = 'Exception in thread "main" java.lang.RuntimeException: '
# As jtreg's own.
_TIMEOUT_S = 120


def try_minimal(
    java: JavaFiles,
    name: str,
    builds: tuple[tuple[BuildRecord, Outcome], ...],
    at_hand: JdksAtHand,
    tool_jdk: Path,
    cache: Path,
    scratch: Path,
) -> JavaFiles:
    """The files, without the minimal one if it was not seen to tell `builds` apart.

    `builds` are given with the outcome wanted on each. `name` is the file's without `.java`.
    It is compiled once, into `cache`. Writes below `scratch`.
    """
    if java.minimal is None:
        return java
    if lacking := _EXIT_CODES.keys() - {expected_outcome for _, expected_outcome in builds}:
        side = "with" if Outcome.REPRODUCED in lacking else "without"
        reason = f"the run has no build {side} the bug to try it on"
        return replace(java, minimal=None, why_not=reason)
    try:
        classes = _compile(java.minimal, name, tool_jdk, cache, scratch)
        answers = {
            expected_outcome: _answer(at_hand, build, expected_outcome, classes, name)
            for build, expected_outcome in builds
        }
    except MachineError as error:
        return replace(java, minimal=None, why_not=str(error))
    return replace(java, answers=answers)


def _compile(minimal: str, name: str, tool_jdk: Path, cache: Path, scratch: Path) -> Path:
    """The folder of its classes, for the oldest train that it runs on. Raises MachineError."""
    sources = scratch / "trial"
    sources.mkdir()
    (sources / f"{name}.java").write_text(minimal, encoding="utf-8")
    options = ("-Xlint:none", "--release", str(oldest_train(minimal)))
    return JavaProgram(f"minimal {name}", sources, tool_jdk, cache, options=options).compile()


def _answer(
    at_hand: JdksAtHand, build: BuildRecord, expected_outcome: Outcome, classes: Path, name: str
) -> str:
    """What it prints on this build. Raises MachineError if it does not end as it should."""
    if build.overlay is not None:
        raise MachineError(f"{build.id} is not at hand to try it on: it has a planted fault")
    java = at_hand.java(build)
    if java is None:
        reason = at_hand.why_not(build)
        raise MachineError(f"{build.id} is not at hand to try it on: it {reason}")
    process = run_jvm([java, "-cp", classes, name], timeout_s=_TIMEOUT_S)
    if process.is_late:
        raise MachineError(f"on {build.id} it was still running after {_TIMEOUT_S} s")
    expected_code = _EXIT_CODES[expected_outcome]
    if process.code != expected_code:
        raise MachineError(
            f"on {build.id} its exit code was {process.code} (wanted {expected_code})"
        )
    shows_bug = any(line.startswith(_THROWN) for line in process.errors.splitlines())
    if shows_bug != (expected_outcome is Outcome.REPRODUCED):
        raise MachineError(
            f"on {build.id} its exit code was as wanted, but it did not say {expected_outcome}"
        )
    return "\n".join(filter(None, (process.output.strip(), process.errors.strip())))
