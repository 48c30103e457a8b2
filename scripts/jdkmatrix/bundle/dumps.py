# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which thread dump in a recording shows the bug? The one with most of the bug's frames.

With the kit's settings, Flight Recorder takes one a second.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from jdkmatrix.config.ledger import EvidenceRule
from jdkmatrix.errors import MachineError
from jdkmatrix.machine.java_program import TOOL_SHORT_LIVED, run_java

_TIMEOUT_S = 60
_DUMP = re.compile(r'^  result = "(?P<text>.*?)"\n^\}', re.DOTALL | re.MULTILINE)


def telling_dump(recording: Path, rule: EvidenceRule | None, tool_jdk: Path) -> str | None:
    """The dump with most threads inside the frames of `rule`; None if no dump has one."""
    if rule is None:
        return None
    frames = (*rule.blocked_in, *rule.held_in, *rule.slow_in, *rule.busy_in)
    best = max(
        _dumps(recording, tool_jdk), key=lambda dump: _count_frames(dump, frames), default=None
    )
    return best if best and _count_frames(best, frames) else None


def _count_frames(dump: str, frames: Sequence[str]) -> int:
    return sum(dump.count(f"{frame}(") for frame in frames)


def _dumps(recording: Path, tool_jdk: Path) -> list[str]:
    command = [str(tool_jdk / "bin" / "jfr"), *TOOL_SHORT_LIVED]
    command += ["print", "--events", "jdk.ThreadDump", str(recording)]
    try:
        output = run_java(command, "thread dumps", _TIMEOUT_S)
    except MachineError:  # what can't be printed shows nothing
        return []
    return [match["text"].strip() + "\n" for match in _DUMP.finditer(output)]
