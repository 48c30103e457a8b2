# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does each JDK of a run say on `java -version`? It is asked now, if it is still there."""

from collections.abc import Iterable
from pathlib import Path

from jdkmatrix.machine.processes import NO_JAVA_OPTIONS, run
from jdkmatrix.records.record import BuildRecord

_TIMEOUT_S = 30


def versions_text(builds: Iterable[BuildRecord]) -> str:
    """The answers of all builds, under their names."""
    return "\n".join(f"== {build.id} ==\n{version_text(build)}" for build in builds)


def version_text(build: BuildRecord) -> str:
    """What `java -version` prints; what the run recorded, marked so, where it can't be had.

    A JDK that was exchanged since the run is not this build any more: its answer does not count.
    """
    answer = version_now(build)
    if answer is not None:
        return answer
    facts = "\n".join(f"{name}: {value}" for name, value in build.facts.items())
    is_there = (Path(build.home) / "bin" / "java").exists()
    why = "has another version now" if is_there else "is not there any more"
    return f"(This JDK {why}. The run recorded of it:)\n{facts}\n"


def version_now(build: BuildRecord) -> str | None:
    """What its `java -version` prints; None if it is gone, or is another build by now."""
    answer = _ask(Path(build.home) / "bin" / "java")
    recorded = str(build.facts.get("version", build.version))
    return answer if answer is not None and recorded in answer else None


def _ask(java: Path) -> str | None:
    try:
        ended = run([java, "-version"], env=NO_JAVA_OPTIONS, timeout_s=_TIMEOUT_S)
    except (OSError, ValueError):  # the path is a record's: it may hold a NUL
        return None
    return ended.errors if ended.code == 0 else None
