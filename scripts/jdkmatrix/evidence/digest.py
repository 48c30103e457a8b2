# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do recordings and thread dumps say? Runs the kit's Java and reads what it prints.

The document's JSON Schema, `jtreg/tool/digest.schema.json`, defines each field.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError
from pydantic_core import from_json

from jdkmatrix.errors import MachineError, one_line
from jdkmatrix.evidence.hang import Hang
from jdkmatrix.machine.java_program import SHORT_LIVED
from jdkmatrix.machine.java_tool import JavaTool
from jdkmatrix.paths import Checkout
from jdkmatrix.records.model import Record, texts_bounded

# Reading costs about 0.1 s a MiB and 0.5 s to start; this bounds a damaged file or a stuck disk.
_READ_TIMEOUT_S = 600
_MAX_HEAP = "-Xmx256m"
# The optimizing compiler costs 0.3 s at the start, and saves a tenth of the time on 58 MB.
_LARGE_BYTES = 16 << 20
_OPTIMIZED = ("-XX:+UseSerialGC",)

LockKind = Literal["monitor", "lock", "cleaner-queue"]


class Holder(Record):
    """What holders of a lock sat in while others waited for it.

    Equal calls to the same peer are one entry: `threads` took part, `thread` explains most. `path`
    leads from the wait out to `frame`, where the lock is held. `explained_ms` is how much of the
    others' waiting this explains; `inferred` means that the recording does not name the holder.
    """

    thread: str
    threads: int
    frame: str
    waits_in: str
    path: tuple[str, ...]
    event: str
    host: str | None
    port: int | None
    bytes: int
    timeout_ms: int
    count: int
    explained_ms: float
    inferred: bool


class LockWait(Record):
    """Ended waits for one class of lock at one place in the code.

    `thread_ids` lists at most 1,024 of the `threads`; `share_of_thread_time` is 0 to 1.
    """

    kind: LockKind
    lock_class: str
    frame: str
    entry_frame: str
    count: int
    total_ms: float
    p50_ms: float
    p99_ms: float
    max_ms: float
    share_of_thread_time: float
    threads: int
    thread_ids: tuple[int, ...]
    holders: tuple[Holder, ...]


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


class OpenHolder(Record):
    """Who had a lock in the last thread dump, and what it sat in; `path` as in Holder."""

    thread: str
    frame: str
    waits_in: str
    path: tuple[str, ...] = ()
    inferred: bool = False


class OpenWait(Record):
    """Waits that had not ended when the recording did.

    `waited_ms_at_least` is the sum over the threads, as far as thread dumps show.
    """

    kind: LockKind
    lock_class: str
    frame: str
    entry_frame: str
    threads: int
    thread_ids: tuple[int, ...]
    waited_ms_at_least: float
    holder: OpenHolder | None
    source: Literal["thread-dump", "sampled"]


# The event of a virtual thread that keeps its carrier while it waits (21 and later).
PINNED = "jdk.VirtualThreadPinned"


class Slow(Record):
    """Waits of 10 ms or more at one place in the code, whether or not in a lock: for a peer, or
    of virtual threads that kept their carriers, with no peer reported.

    `path` leads from the wait out to `entry_frame`; `thread`, `host`, `port` and `timeout_ms` are
    those of the longest wait.
    """

    event: str
    frame: str
    entry_frame: str
    path: tuple[str, ...]
    count: int
    total_ms: float
    max_ms: float
    threads: int
    thread: str
    host: str | None
    port: int
    bytes: int
    timeout_ms: int


class BusyPlace(Record):
    """One place where a thread was busy; `path` leads from there out to the program."""

    path: tuple[str, ...]
    busy_ms: float


class BusyThread(Record):
    """A thread that was busy for 500 ms or more, and the places where it was busy longest.

    From thread dumps, `busy_ms` is CPU time; from samples, it includes waiting for a core.
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
    says what stood still in dumps that the kit did not take. The dumps span no time if there is
    only one, or none says when it was taken.
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
    blocked: tuple[LockWait, ...]
    timeline: Timeline
    open_waits: tuple[OpenWait, ...]
    slow: tuple[Slow, ...]
    busy: tuple[BusyThread, ...] = ()
    self_time: tuple[Method, ...] = ()
    flame: tuple[FlameFrame, ...] = ()
    source: Literal["recording", "sampled"] = "recording"
    hang: Hang | None = None
    error: None


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

    schema_: Literal[1] = Field(alias="schema")
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
EMPTY = Digest(schema=1, recordings=())


def parse_digest(text: str | bytes) -> Digest:
    """Parse the program's document. Raises MachineError if it is not one."""
    try:
        return Digest.model_validate(texts_bounded(from_json(text)))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = one_line(".".join(map(str, first["loc"])))
        raise MachineError(f"digest of recordings: {place}: {first['msg']}") from error
    except ValueError as error:
        raise MachineError(f"digest of recordings: no JSON: {error}") from error


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

        `recordings` may include files of thread dumps: those of one JVM are one entry. `hangs` are
        dumps of JVMs that hung, in order.
        With `allow_unfinished`, what a killed JVM (14+) left in its repository is read too.
        """
        if not recordings and not hangs:
            return EMPTY
        arguments = [
            *(["--unfinished"] if allow_unfinished else []),
            *(str(path.absolute()) for path in recordings),
            "--hangs",
            *(str(path.absolute()) for path in hangs),
        ]
        options = [_MAX_HEAP, *(_OPTIMIZED if _bytes(recordings) > _LARGE_BYTES else SHORT_LIVED)]
        return parse_digest(
            self._tool.run(
                "digest", arguments, "digest of recordings", _READ_TIMEOUT_S, options=options
            )
        )


def _bytes(files: Sequence[Path]) -> int:
    return sum(file.stat().st_size for file in files if file.is_file())


def digester_of(checkout: Checkout, tool_jdk: Path) -> Digester:
    """The checkout's Digester, on the given JDK."""
    return Digester(JavaTool.of_checkout(checkout, tool_jdk))
