# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which JDK of a run may be started again, what does it say on `java -version`, and does a minimal
file tell the builds of the run apart?
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from jdkmatrix.bundle.flatten import JavaFiles, oldest_train
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
_VERSION_TIMEOUT_S = 30


@dataclass(frozen=True)
class JdksAtHand:
    """The JDKs below these folders: the kit's cache, and those that the user names.

    A run may come from a stranger, and its record names folders: no program outside of `places`
    is started.
    """

    places: tuple[Path, ...]

    def java(self, build: BuildRecord) -> Path | None:
        """The build's `java` if it is still the build of the run; otherwise None."""
        return _java(build) if self._answer_of(build) else None

    def versions_text(self, builds: Iterable[BuildRecord]) -> str:
        """The answers of all builds, under their names."""
        return "\n".join(f"== {build.id} ==\n{self.version_text(build)}" for build in builds)

    def version_text(self, build: BuildRecord) -> str:
        """What `java -version` prints or, if unavailable, what the run recorded, marked as such.

        A JDK that was replaced since the run is no longer this build: its answer does not count.
        """
        if answer := self._answer_of(build):
            return answer
        answer = build.runtime.shown_version if build.runtime else None
        facts = answer or "\n".join(f"{name}: {fact}" for name, fact in build.facts.items())
        return f"(This JDK {self.why_not(build)}. The run recorded:)\n{facts}\n"

    def why_not(self, build: BuildRecord) -> str:
        """Why the JDK is not started, as the end of a sentence."""
        if not self._may_start(build):
            return "is outside the kit's cache, and --jdk does not name it"
        is_there = _java(build).exists()
        return "has another version now" if is_there else "no longer exists"

    def _may_start(self, build: BuildRecord) -> bool:
        try:
            home = Path(build.home).resolve()
        except (OSError, ValueError):  # the path is a record's: it may hold a NUL
            return False
        return any(home.is_relative_to(place.resolve()) for place in self.places)

    def _answer_of(self, build: BuildRecord) -> str | None:
        if not self._may_start(build):
            return None
        try:
            process = run_jvm([_java(build), "-version"], timeout_s=_VERSION_TIMEOUT_S)
        except OSError:
            return None
        recorded_version = str(build.facts.get("version", build.version))
        return process.errors if process.code == 0 and recorded_version in process.errors else None


def _java(build: BuildRecord) -> Path:
    return Path(build.home) / "bin" / "java"


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
