# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What proves the bug? The files of the cell that shows it best, small enough to attach."""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.config.ledger import EvidenceRule
from jdkmatrix.errors import MachineError
from jdkmatrix.grading.cell_recordings import subject_recording
from jdkmatrix.machine.files import content_of, is_plain
from jdkmatrix.machine.java_program import TOOL_SHORT_LIVED, run_java
from jdkmatrix.machine.processes import run_jvm
from jdkmatrix.paths import Checkout
from jdkmatrix.records.store import DIGEST_FILE, OUTCOME_FILE
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.supplier import Supplier

# Of `jfr print`; with the kit's settings, Flight Recorder takes a thread dump a second.
_PRINT_TIMEOUT_S = 60
_DUMP = re.compile(r'^  result = "(?P<text>.*?)"\n^\}', re.DOTALL | re.MULTILINE)
# A whole recording holds the system properties of its JVM: the user's name, folders, class path.
# `jfr scrub` keeps only the events that count.
MOST_BYTES = 1 << 20
# JDK-8271232 brought `jfr scrub`.
FIRST_TRAIN_THAT_SCRUBS = 19
_SCRUB_TIMEOUT_S = 120
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


def evidence_files(
    home: Path,
    rule: EvidenceRule | None,
    tool_jdk: Path,
    scrubbers: Iterable[Path],
    scratch: Path,
) -> tuple[dict[str, bytes], list[tuple[str, str]]]:
    """The files by their names in the bundle, and a sentence on each, or on why it is missing.

    `home` is the cell's folder; `scrubbers` are JDKs that may be able to cut a recording down.
    """
    files: dict[str, bytes] = {}
    notes: list[tuple[str, str]] = []

    def add(name: str, content: bytes, sentence: str) -> None:
        files[f"evidence/{name}"] = content
        notes.append((f"evidence/{name}", sentence))

    if is_plain(home / OUTCOME_FILE):
        sentence = "figures and facts, as the reproducer wrote them"
        add(OUTCOME_FILE, content_of(home / OUTCOME_FILE), sentence)
    if is_plain(home / DIGEST_FILE):
        sentence = "who waited for which lock in the recording, and who held it"
        add(DIGEST_FILE, content_of(home / DIGEST_FILE), sentence)
    recording = subject_recording(home)
    if recording is None or not is_plain(recording):
        notes.append(("recording", "none: the cell has no recording of its subject"))
    else:
        content, sentence = cut_down(recording, scrubbers, scratch)
        if content is None:
            notes.append(("recording", sentence))
        else:
            add("recording.jfr", content, sentence)
        if dump := telling_dump(recording, rule, tool_jdk):
            sentence = "the recording's thread dump with the most frames of the bug"
            add("threads.txt", dump.encode(), sentence)
    for file in filter(is_plain, sorted(home.glob("hang-*-threads-*.txt"))):
        add(file.name, content_of(file), "thread dump, taken as the test's time ran out")
    return files, notes


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
        output = run_java(command, "thread dumps", _PRINT_TIMEOUT_S)
    except MachineError:  # what can't be printed shows nothing
        return []
    return [match["text"].strip() + "\n" for match in _DUMP.finditer(output)]


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
        process = run_jvm(command, timeout_s=_SCRUB_TIMEOUT_S)
    except OSError:
        return False
    return process.code == 0 and target.is_file()


def scrubbers(checkout: Checkout, tool_jdk: Path) -> Iterator[Path]:
    """The tool JDK, then those of `jdks.yaml` in the cache; none that only a run's record names.

    Some are runtimes without the tool. The cache is read, and its files checked, only as far as
    the iterator is read. Raises UsageError for a damaged `jdks.yaml`.
    """
    yield tool_jdk
    supplier = Supplier.of_checkout(checkout, offline=True)
    for entry in load_jdks(checkout.jdks).builds:
        if entry.version.train >= FIRST_TRAIN_THAT_SCRUBS:
            (build,) = supplier.supply([entry])
            if isinstance(build, Build):
                yield build.home
