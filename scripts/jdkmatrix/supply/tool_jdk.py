# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which JDK that is already on this machine can be the tool JDK?

It compiles the tests, runs jtreg, plays the peers and reads the recordings. None is fetched here.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ValidationError

from jdkmatrix.errors import MachineError
from jdkmatrix.machine.files import content_of, write_atomically
from jdkmatrix.machine.java_program import CACHE, TOOL_SHORT_LIVED, JavaTool, run_java
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import Build, BuildFacts, SourceError
from jdkmatrix.supply.discovery import OLDEST_TOOL_TRAIN, TOOL_JDK, discover_jdks, why_no_tool_jdk
from jdkmatrix.supply.identity import build_of, check_runs_here, version_of
from jdkmatrix.supply.jdk_facts import measure
from jdkmatrix.supply.platform import Platform
from jdkmatrix.supply.sources.local import home_at

UNDER_TEST = "--jdk"
_JAVA_HOME = "JAVA_HOME"
_START_TIMEOUT_S = 60
# What differs once another JDK, or an update of it, takes the place of a tried one.
_MARKS = ("release", "bin/java", "bin/javac", "lib/modules", "lib/server/libjvm.so")


class Candidate(NamedTuple):
    """A JDK's home, and who names it: `--jdk`, `JAVA_HOME`, `SDKMAN`. `facts` are None until it is
    started.
    """

    home: Path
    named_by: str
    facts: BuildFacts | None = None


@dataclass(frozen=True)
class ToolJdkUse:
    """What a run needs the tool JDK for. `fetched_entries` are those that it fetches anyhow. If it
    `judges` a JDK of the user's, that is its own peer only if there is no other. `resumed_build` is
    the build that it was before, if the run is resumed.
    """

    fetched_entries: frozenset[str] = frozenset()
    judges: bool = False
    resumed_build: str | None = None


class _ToolJdkFacts(BaseModel):
    """What a JDK said of itself when its `java` and `javac` were tried."""

    facts: BuildFacts


@dataclass(frozen=True)
class Trials:
    """Tries JDKs, each once: a JDK that has not changed since is not started again.

    `notice` is called for a JDK that does not work, and for what can't be read; `platform` is the
    machine's.
    """

    cache_root: Path
    platform: Platform
    notice: Callable[[str], None]
    reasons: list[str] = field(default_factory=list)

    def usable(self, candidates: Iterable[Candidate]) -> Iterator[Build]:
        """Those that can be the tool JDK; `reasons` then has why the others cannot."""
        homes: set[Path] = set()
        for candidate in candidates:
            if candidate.home in homes:
                continue
            homes.add(candidate.home)
            try:
                yield self._usable(candidate)
            except (SourceError, MachineError, OSError) as error:
                reason = f"{candidate.named_by} {candidate.home}: {error}"
                self.reasons.append(reason)
                named_by_user = candidate.named_by in (_JAVA_HOME, UNDER_TEST)
                if named_by_user or not isinstance(error, _UnsuitedJdk):
                    self._pass_over(reason)

    def of_machine(self) -> Iterator[Candidate]:
        """JAVA_HOME, then what `jdks discover` lists."""
        if java_home := os.environ.get(_JAVA_HOME):
            try:
                yield Candidate(home_at(Path(java_home)), _JAVA_HOME)
            except SourceError as error:
                self._pass_over(f"{_JAVA_HOME} {java_home}: {error}")
        user_home = Path("/")
        with suppress(RuntimeError):  # a user without a home
            user_home = Path.home()
        for jdk in discover_jdks(user_home, os.environ, self.notice):
            yield Candidate(jdk.home, jdk.named_by[0])

    def _pass_over(self, reason: str) -> None:
        self.notice(f"not used as the tool JDK: {reason}; accepted: {TOOL_JDK}")

    def _usable(self, candidate: Candidate) -> Build:
        home = candidate.home
        if reason := why_no_tool_jdk(home):  # most are too old, or a JRE: they are not started
            raise _UnsuitedJdk(reason)
        place = self.cache_root / CACHE / f"tool-jdk-{_mark_of(home)}.json"
        facts = None
        with suppress(OSError, ValidationError):
            facts = _ToolJdkFacts.model_validate_json(content_of(place)).facts
        if facts is None:
            facts = candidate.facts or measure(home)
            _check_facts(facts, self.platform)
            self._compile_with(home)
            with suppress(MachineError, OSError):  # then it is tried again next time
                place.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(place, _ToolJdkFacts(facts=facts).model_dump_json())
        # Nothing is run for a verdict on it, so nothing of it is hashed.
        return build_of(facts, home, candidate.named_by, sha256="")

    def _compile_with(self, home: Path) -> None:
        """Try its javac, on a program that most commands need. Raises MachineError."""
        tool = JavaTool(Checkout.current().java_tool, home, self.cache_root / CACHE)
        if tool.for_any_jdk.is_compiled():  # perhaps by another JDK with the same `release` file
            javac = [str(home / "bin" / "javac"), *TOOL_SHORT_LIVED, "-version"]
            run_java(javac, "javac", _START_TIMEOUT_S)
        tool.compile_for_any_jdk()


class _UnsuitedJdk(SourceError):
    """A JDK that works, but not as the tool JDK."""


def is_suited(facts: BuildFacts, platform: Platform) -> bool:
    """Whether a JDK can be the tool JDK, going by what it says of itself."""
    try:
        _check_facts(facts, platform)
    except SourceError:
        return False
    return True


def _check_facts(facts: BuildFacts, platform: Platform) -> None:
    """Raises SourceError for a JDK that can't be the tool JDK."""
    try:
        check_runs_here(platform, facts)
    except SourceError as error:
        raise _UnsuitedJdk(str(error).removeprefix("refused: ")) from None
    train = version_of(facts).train
    if train < OLDEST_TOOL_TRAIN:
        raise _UnsuitedJdk(f"it is of train {train}")
    for name, has in (("javac", facts.has_javac), ("Flight Recorder", facts.has_jfr)):
        if not has:
            raise _UnsuitedJdk(f"it has no {name}")


def _mark_of(home: Path) -> str:
    """Changes if other files take the place of the JDK's. Raises OSError."""
    mark = hashlib.sha256(os.fsencode(home))
    for name in _MARKS:
        with suppress(FileNotFoundError, NotADirectoryError):
            stat = (home / name).stat()
            mark.update(f"\0{name} {stat.st_size} {stat.st_mtime_ns} {stat.st_ino}".encode())
    return mark.hexdigest()[:16]
