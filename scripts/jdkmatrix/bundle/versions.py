# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does each JDK of a run say on `java -version`? It is asked now, if it is still there."""

import subprocess
from collections.abc import Iterable
from pathlib import Path

from jdkmatrix.run.process import clean_environment
from jdkmatrix.run.record import BuildRecord

_TIMEOUT_S = 30


def versions_text(builds: Iterable[BuildRecord]) -> str:
    """The answers of all builds, under their names."""
    return "\n".join(f"== {build.id} ==\n{version_text(build)}" for build in builds)


def version_text(build: BuildRecord) -> str:
    """What `java -version` prints; what the run recorded, marked so, where it can't be had.

    A JDK that was exchanged since the run is not this build any more: its answer does not count.
    """
    told = _ask(Path(build.home) / "bin" / "java")
    recorded = str(build.facts.get("version", build.version))
    if told is not None and recorded in told:
        return told
    facts = "\n".join(f"{name}: {value}" for name, value in build.facts.items())
    why = "is not there any more" if told is None else "has another version now"
    return f"(This JDK {why}. The run recorded of it:)\n{facts}\n"


def _ask(java: Path) -> str | None:
    try:
        ended = subprocess.run(
            [str(java), "-version"],
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
            text=True,
            env=clean_environment(),
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return ended.stderr if ended.returncode == 0 else None
