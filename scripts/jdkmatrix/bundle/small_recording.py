# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a recording become small enough to attach, and free of private data?

A whole recording holds the system properties of its JVM: the user's name, folders, class path.
`jfr scrub` (JDK 19 and later) keeps only the events that count.
"""

from collections.abc import Iterable
from pathlib import Path

from jdkmatrix.machine.bounded import content_of
from jdkmatrix.machine.processes import run_jvm

MOST_BYTES = 1 << 20
# JDK-8271232 brought `jfr scrub`.
FIRST_TRAIN_THAT_SCRUBS = 19
_TIMEOUT_S = 120
_EVENTS = (
    "jdk.JavaMonitorEnter",
    "jdk.ThreadPark",
    "jdk.SocketRead",
    "jdk.SocketWrite",
    "jdk.ThreadSleep",
    "jdk.JavaMonitorWait",
    "jdk.TLSHandshake",
    "jdk.ActiveSetting",
)
_DUMPS = "jdk.ThreadDump"


def cut_down(recording: Path, homes: Iterable[Path], scratch: Path) -> tuple[bytes | None, str]:
    """The recording's bytes, at most MOST_BYTES, and one sentence on what they are.

    The first of the JDKs `homes` that can scrub does. None, with the reason, if there is nothing
    to attach: a whole recording never is, however small.
    """
    whole = recording.stat().st_size
    target = scratch / "scrubbed.jfr"
    for home in homes:
        for events in ((*_EVENTS, _DUMPS), _EVENTS):
            if not _scrub(home, events, recording, target):
                break
            size = target.stat().st_size
            if size <= MOST_BYTES:
                names = ", ".join(events)
                note = f"cut down from {whole:,} to {size:,} bytes by jfr scrub; it has {names}"
                return content_of(target), note
        else:
            limit = f"at most {MOST_BYTES:,} are attached"
            return None, f"left out: {size:,} bytes even when cut down; {limit}"
    return None, f"left out: no JDK {FIRST_TRAIN_THAT_SCRUBS} or later at hand could cut it down"


def _scrub(home: Path, events: tuple[str, ...], recording: Path, target: Path) -> bool:
    target.unlink(missing_ok=True)
    tool = [str(home / "bin" / "jfr"), "scrub", "--include-events", ",".join(events)]
    command = [*tool, str(recording), str(target)]
    try:
        process = run_jvm(command, timeout_s=_TIMEOUT_S)
    except OSError:
        return False
    return process.code == 0 and target.is_file()
