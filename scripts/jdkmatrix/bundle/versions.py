# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which JDK of a run may be started again, and what does it say on `java -version`?"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.machine.processes import run_jvm
from jdkmatrix.records.record import BuildRecord

_TIMEOUT_S = 30


@dataclass(frozen=True)
class JdksAtHand:
    """The JDKs below these folders: the kit's cache, and those that the user names.

    A run may come from a stranger, and its record names folders: no program outside of `places`
    is started.
    """

    places: tuple[Path, ...]

    def java(self, build: BuildRecord) -> Path | None:
        """The build's `java` if it is still the build of the run; otherwise None."""
        return _java(build) if self._answer(build) else None

    def versions_text(self, builds: Iterable[BuildRecord]) -> str:
        """The answers of all builds, under their names."""
        return "\n".join(f"== {build.id} ==\n{self.version_text(build)}" for build in builds)

    def version_text(self, build: BuildRecord) -> str:
        """What `java -version` prints or, if unavailable, what the run recorded, marked as such.

        A JDK that was replaced since the run is no longer this build: its answer does not count.
        """
        if answer := self._answer(build):
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

    def _answer(self, build: BuildRecord) -> str | None:
        if not self._may_start(build):
            return None
        try:
            process = run_jvm([_java(build), "-version"], timeout_s=_TIMEOUT_S)
        except OSError:
            return None
        recorded_version = str(build.facts.get("version", build.version))
        return process.errors if process.code == 0 and recorded_version in process.errors else None


def _java(build: BuildRecord) -> Path:
    return Path(build.home) / "bin" / "java"
