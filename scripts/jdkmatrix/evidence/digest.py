# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do recordings and thread dumps say? Runs the kit's Java and reads what it prints.

The document's JSON Schema, `jtreg/tool/digest.schema.json`, defines each field.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError
from pydantic_core import from_json

from jdkmatrix.config.ledger import SlowEvent
from jdkmatrix.config.recording_rules import LockKind
from jdkmatrix.errors import MachineError, one_line
from jdkmatrix.evidence.hang import Hang
from jdkmatrix.evidence.stack_group import StackGroup
from jdkmatrix.machine.java_program import SHORT_LIVED, JavaTool
from jdkmatrix.machine.json_models import problem_in
from jdkmatrix.paths import Checkout
from jdkmatrix.records.model import Record, texts_bounded

# Reading costs about 0.1 s a MiB and 0.5 s to start; this bounds a damaged file or a stuck disk.
_READ_TIMEOUT_S = 600
_MAX_HEAP = "-Xmx256m"
# The optimizing compiler costs 0.3 s at the start, and saves a tenth of the time on 58 MB.
_LARGE_BYTES = 16 << 20
_OPTIMIZED = ("-XX:+UseSerialGC",)
# Names standard input.
STDIN = Path("-")
_STDIN_FILE = Path("/dev/stdin")


class Holder(Record):
    """What holders of a lock sat in while others waited for it.

    Equal calls to the same peer are one entry: `threads` took part, `thread` explains most. `path`
    leads from the wait out to `frame`, where the lock is held. `explained_ms` is how much of the
    others' waiting this explains; `inferred` means that the recording does not name the holder.
    Of a wait that is open, it is who had the lock in the last thread dump, which names no event.
    """

    thread: str
    threads: int
    frame: str
    waits_in: str
    path: tuple[str, ...]
    event: str | None = None
    host: str | None = None
    port: int | None = None
    bytes: int = 0
    timeout_ms: int = 0
    count: int = 0
    explained_ms: float
    inferred: bool


class LongestCall(Record):
    """The thread and the peer of the longest wait; `bytes` were read or written in all waits."""

    thread: str
    host: str | None
    port: int
    bytes: int
    timeout_ms: int


# The event of a virtual thread that keeps its carrier while it waits (21 and later).
PINNED = "jdk.VirtualThreadPinned"


class Wait(Record):
    """Waits of one kind at one place in the code, summed over the threads.

    `kind` is that of a lock; or the event of a wait of 10 ms or more, whether or not in a lock: for
    a peer, or of a virtual thread that kept its carrier, with no peer reported. These have no
    `lock_class`, but a `path` from the wait out to where the program went into the JDK.
    Open waits had not ended when the recording did: each thread has one, and has waited `total_ms`
    and `max_ms` at least, as far as thread dumps show. `thread_ids` lists at most 1,024 of the
    `threads`.
    """

    kind: LockKind | SlowEvent
    lock_class: str | None
    frame: str
    path: tuple[str, ...] = ()
    is_open: bool = False
    count: int
    total_ms: float
    max_ms: float
    threads: int
    thread_ids: tuple[int, ...] = ()
    holders: tuple[Holder, ...] = ()
    longest: LongestCall | None = None

    @property
    def holder(self) -> Holder | None:
        """Who explains most of it; None if nobody is known to have had the lock."""
        return next(iter(self.holders), None)


class Setting(Record):
    """One event's settings in force at the end; `period` and `throttle` are in JFR's words."""

    enabled: bool
    threshold_ms: float | None
    stack_trace: bool
    period: str | None = None
    throttle: str | None = None

    @property
    def is_throttled(self) -> bool:
        """Whether JFR records only a sample of the events when there are many."""
        return self.throttle not in (None, "off")


class Timeline(Record):
    """Most threads blocked at once in each bin of `bin_ms`."""

    bin_ms: int
    blocked_threads: tuple[int, ...]


class BusyPlace(Record):
    """One place where a thread was busy; `path` leads from there out to the program."""

    path: tuple[str, ...]
    busy_ms: float


class BusyThread(Record):
    """A thread that was busy for 500 ms or more, and the places where it was busy longest.

    From thread dumps, `busy_ms` is CPU time; from samples, it includes waiting for a core. It is no
    Wait: the thread runs, so nothing holds it up, and what counts is in which code it does so.
    """

    thread: str
    busy_ms: float
    places: tuple[BusyPlace, ...]


class Method(Record):
    """How often threads were sampled in a method, and for which part of TLS, if any."""

    method: str
    part: Literal["records", "handshake", "other"]
    samples: int


class FlameFrame(Record):
    """A frame of the sampled stacks as one tree, outermost at depth 0; `left_samples` is where it
    begins, `samples` how wide it is. A caller stands before its callees.
    """

    frame: str
    depth: int
    left_samples: int
    samples: int


class Jvm(Record):
    """The JVM that recorded; `version` is its java.runtime.version. None: not recorded."""

    version: str | None
    name: str | None
    args: str | None


class VirtualThreads(Record):
    """Whether the program made any, and how many show. Most of their waits for locks do not."""

    used: bool = False
    shown: int = 0


class Recording(Record):
    """One recording that could be read. Times in ms; `threads` is how many show in any event.

    `finished` is False if the last chunk was never closed; `settings` are by event name. Source
    `sampled` means that there was no recording: this is made from thread dumps of one JVM. `hang`
    says what stood still in dumps that the kit did not take, `stacks` what all threads do in the
    last of them, the largest group first. The dumps span no time if there is only one, or none says
    when it was taken. `shapes` are those in which dumps came that are not HotSpot's own, `unread`
    are sentences on what is missing.
    """

    file: str
    pid: int | None
    jvm: Jvm
    start_epoch_ms: int
    duration_ms: float
    finished: bool
    threads: int
    virtual_threads: VirtualThreads = VirtualThreads()
    settings: dict[str, Setting]
    waits: tuple[Wait, ...]
    timeline: Timeline
    busy: tuple[BusyThread, ...] = ()
    self_time: tuple[Method, ...] = ()
    flame: tuple[FlameFrame, ...] = ()
    source: Literal["recording", "sampled"] = "recording"
    hang: Hang | None = None
    stacks: tuple[StackGroup, ...] = ()
    shapes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    error: None

    @property
    def lock_waits(self) -> tuple[Wait, ...]:
        """Those for locks: ended ones first, then open ones, each by the longest sum."""
        return tuple(wait for wait in self.waits if wait.lock_class is not None)


class Unreadable(Record):
    """One file that could not be read, and why, in one line."""

    file: str
    error: str


class HungJvm(Record):
    """What stood still in one JVM, by its dumps in `folder`."""

    folder: str
    hang: Hang


class Digest(Record):
    """What was read from recordings, in the order given, and from dumps of hung JVMs."""

    schema_: Literal[2] = Field(default=2, alias="schema")
    recordings: tuple[Recording | Unreadable, ...]
    hangs: tuple[HungJvm, ...] = ()

    @property
    def readable(self) -> tuple[Recording, ...]:
        """The recordings that could be read."""
        return tuple(r for r in self.recordings if isinstance(r, Recording))

    @property
    def unreadable(self) -> tuple[Unreadable, ...]:
        """The files that could not be read."""
        return tuple(r for r in self.recordings if isinstance(r, Unreadable))


# The digest of no files.
EMPTY = Digest(recordings=())


def parse_digest(text: str | bytes) -> Digest:
    """Parse the program's document, of this version or 1. Raises MachineError if it is not one."""
    try:
        document = texts_bounded(from_json(text))
        if isinstance(document, dict) and document.get("schema") == 1:
            document = _of_version_1(document)
        return Digest.model_validate(document)
    except ValidationError as error:
        raise MachineError(f"digest of recordings: {problem_in(error)}") from error
    except ValueError as error:
        raise MachineError(f"digest of recordings: no JSON: {error}") from error


# What version 1 has of each wait, and nothing shows.
_UNUSED = {"entry_frame", "p50_ms", "p99_ms", "share_of_thread_time", "source"}


def _of_version_1(document: dict[str, Any]) -> dict[str, Any]:
    """A document of version 1, which has three lists of waits, as one of version 2.

    Raises MachineError if it does not have them.
    """
    try:
        for recording in document["recordings"]:
            if recording["error"] is None:
                recording["waits"] = [
                    *(_wait_of(row) for row in recording.pop("blocked")),
                    *(_wait_of(_open_wait_of(row)) for row in recording.pop("open_waits")),
                    *(_wait_of(_slow_wait_of(row)) for row in recording.pop("slow")),
                ]
    except (ArithmeticError, AttributeError, LookupError, TypeError) as error:
        raise MachineError(
            one_line(f"digest of recordings: of version 1, and damaged: {error!r}")
        ) from error
    return document | {"schema": 2}


def _wait_of(row: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in row.items() if name not in _UNUSED}


def _open_wait_of(row: dict[str, Any]) -> dict[str, Any]:
    """The longest waited the mean at least; the first documents do not have a holder's path."""
    total_ms, holder = row.pop("waited_ms_at_least"), row.pop("holder")
    if holder:
        path = holder.get("path") or [holder["waits_in"], holder["frame"]]
        holder = {"inferred": False, **holder, "path": path, "threads": 1, "explained_ms": total_ms}
    return row | {
        "is_open": True,
        "count": row["threads"],
        "total_ms": total_ms,
        "max_ms": total_ms / row["threads"],
        "holders": [holder] if holder else [],
    }


def _slow_wait_of(row: dict[str, Any]) -> dict[str, Any]:
    longest = {name: row.pop(name) for name in LongestCall.model_fields}
    return row | {"kind": row.pop("event"), "lock_class": None, "longest": longest}


class Digester:
    """Reads recordings with the kit's Java. Safe for several threads and processes at once."""

    def __init__(self, tool: JavaTool) -> None:
        self._tool = tool

    def digest(
        self,
        recordings: Sequence[Path],
        hangs: Sequence[Path] = (),
        *,
        allow_unfinished: bool = False,
    ) -> Digest:
        """Read all files in one JVM. Raises MachineError if the program itself fails.

        `recordings` may include files of thread dumps, of which those of one JVM are one entry;
        folders and archives, of which each file is one; and STDIN. Each entry has the path as it is
        here. `hangs` are dumps of JVMs that hung, in order.
        With `allow_unfinished`, what a killed JVM (14+) left in its repository is read too.
        """
        if not recordings and not hangs:
            return EMPTY
        arguments = [
            *(["--unfinished"] if allow_unfinished else []),
            *map(_absolute, recordings),
            "--hangs",
            *(str(path.absolute()) for path in hangs),
        ]
        options = [_MAX_HEAP, *(_OPTIMIZED if _is_large(recordings) else SHORT_LIVED)]
        digest = parse_digest(
            self._tool.run(
                "digest",
                arguments,
                "digest of recordings",
                _READ_TIMEOUT_S,
                options=options,
                stdin=_STDIN_FILE if STDIN in recordings else Path(os.devnull),
            )
        )
        entries = (_as_given(entry, recordings) for entry in digest.recordings)
        return digest.model_copy(update={"recordings": tuple(entries)})


def _absolute(path: Path) -> str:
    """The path as the program needs it, which runs elsewhere."""
    return str(path if path == STDIN else path.absolute())


def _as_given(entry: Recording | Unreadable, paths: Sequence[Path]) -> Recording | Unreadable:
    """The same with its path, or that of the folder or archive it is in, as the user named it."""
    file = Path(entry.file)
    for path in paths:
        if file.is_relative_to(_absolute(path)):
            name = str(path / file.relative_to(_absolute(path)))
            return entry.model_copy(update={"file": name})
    return entry


def _is_large(files: Sequence[Path]) -> bool:
    """Whether it takes so long that the optimizing compiler pays off; unknown if packed."""
    size_bytes = sum(file.stat().st_size for file in files if file.is_file())
    return size_bytes > _LARGE_BYTES or any(file.is_dir() or file == STDIN for file in files)


def digester_of(checkout: Checkout, tool_jdk: Path) -> Digester:
    """The checkout's Digester, on the given JDK."""
    return Digester(JavaTool.of_checkout(checkout, tool_jdk))
