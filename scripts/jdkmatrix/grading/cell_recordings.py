# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which recording and dumps are a cell's evidence, and what does their stored digest say?"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path

from jdkmatrix.errors import MachineError
from jdkmatrix.evidence.digest import EMPTY, Digest, Digester, Recording, parse_digest
from jdkmatrix.evidence.hang import Hang
from jdkmatrix.evidence.outcomes import OutcomeFileError, read_outcomes
from jdkmatrix.machine.files import content_of, is_plain, write_atomically
from jdkmatrix.records.record import PlannedCell
from jdkmatrix.records.store import DIGEST_FILE, OUTPUT_FILE, RunFolder

# As run/cells/hang_dumps.py names them.
_HANG_DUMPS = "hang-*-threads-*.txt"
_DUMP = b"Full thread dump "
# A failure of the reader costs the causes of a batch; a JVM for each recording costs a second.
_BATCH = 16


def attempt_homes(cells: Iterable[PlannedCell], folder: RunFolder) -> Iterator[Path]:
    """The folder of each attempt at each cell."""
    for cell in cells:
        yield from (folder.cell_folder(cell, n) for n in folder.attempts_there(cell))


class RecordingReader:
    """Reads the recordings of cells as they end, several in one JVM, while other cells run.

    `read` reads the folders of one batch; `on_failure` gets the reason why a batch has no causes.
    """

    def __init__(
        self, read: Callable[[Sequence[Path]], None], on_failure: Callable[[str], None]
    ) -> None:
        self._read = read
        self._on_failure = on_failure
        self._waiting: list[Path] = []
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="recordings")
        self._under_way: list[Future[None]] = []

    def add(self, home: Path) -> None:
        """Add an attempt's folder to the next batch."""
        self._waiting.append(home)
        if len(self._waiting) >= _BATCH:
            self._submit()

    def finish(self, homes: Iterable[Path]) -> None:
        """Read these too, and wait for all. A folder that was read already costs nothing."""
        for home in homes:
            self.add(home)
        self._submit()
        for batch in self._under_way:
            batch.result()
        self._under_way.clear()

    def close(self) -> None:
        """Stop the reader's thread."""
        self._pool.shutdown(cancel_futures=True)

    def _submit(self) -> None:
        batch, self._waiting = tuple(self._waiting), []
        if batch:
            self._under_way.append(self._pool.submit(self._read_batch, batch))

    def _read_batch(self, batch: Sequence[Path]) -> None:
        try:
            self._read(batch)
        except Exception as error:  # what a test left may cost causes, never the run
            names = f"{batch[0].name} and {len(batch) - 1} others" if batch[1:] else batch[0].name
            self._on_failure(f"no causes of {names}: their recordings cannot be read: {error}")


def digest_recordings(homes: Iterable[Path], digester: Digester) -> None:
    """Read each attempt's recording of the subject, or samples of it, and dumps of hung JVMs.

    One JVM reads them all; none starts if there is nothing to read. Skips what has been read
    already. Writes `digest.json` into each folder. Raises MachineError if the reader itself fails.
    """
    recordings: dict[Path, Path] = {}
    dumps: dict[Path, list[Path]] = {}
    for home in homes:
        if (home / DIGEST_FILE).exists():
            continue
        if recording := subject_recording(home, or_samples=True):
            recordings[home] = recording
        if hung := _hang_dumps(home):
            dumps[home] = hung
    digest = digester.digest(tuple(recordings.values()), tuple(chain(*dumps.values())))
    read = dict(zip(recordings, digest.recordings, strict=True))
    for home in {**recordings, **dumps}:
        home_digest = Digest(
            recordings=(read[home],) if home in read else (),
            hangs=tuple(jvm for jvm in digest.hangs if Path(jvm.folder) == home.absolute()),
        )
        write_atomically(home / DIGEST_FILE, home_digest.model_dump_json(by_alias=True, indent=1))


def unread_homes(cells: Iterable[PlannedCell], folder: RunFolder) -> Iterator[Path]:
    """The folders of attempts whose recording has no digest: it was lost, or the reader failed."""
    for home in attempt_homes(cells, folder):
        is_read = (home / DIGEST_FILE).exists()
        if not is_read and subject_recording(home, or_samples=True):
            yield home


def subject_recording(home: Path, *, or_samples: bool = False) -> Path | None:
    """The recording of the JVM that the outcome in `home` is about; None if there is none. With
    `or_samples` also the dumps that were taken of it, on a JDK without Flight Recorder.
    """
    try:
        verdict = read_outcomes(home).verdict
    except OutcomeFileError:  # it is in the cell's reason
        return None
    if verdict is None:  # perhaps it hung: then this was dumped before the kill
        return next(home.glob("hang-*.jfr"), None) or _program_recording(home)
    pid = verdict.java.pid
    samples = home.glob(f"samples-{pid}.txt") if or_samples else ()
    return next(chain((home / "jfr").glob(f"*-pid-{pid}-*.jfr"), samples), None)


def _program_recording(home: Path) -> Path | None:
    """That of a plain program, which writes no outcome: of its JVMs' recordings the largest."""
    recordings = filter(is_plain, (home / "jfr").glob("*.jfr"))
    is_program = is_plain(home / OUTPUT_FILE)
    return (
        max(recordings, key=lambda path: path.stat().st_size, default=None) if is_program else None
    )


def read_digest(home: Path) -> tuple[Recording | None, str | None]:
    """What the recording of the cell in `home` says, or why it could not be read.

    Both are None if there is no recording.
    """
    digest = _read_stored(home)
    if isinstance(digest, str):
        return None, digest
    read = next(iter(digest.recordings), None)
    if read is None or isinstance(read, Recording):
        return read, None
    return None, f"{Path(read.file).name}: {read.error}"


def read_hangs(home: Path) -> tuple[Hang, ...]:
    """The hangs in the digest of the cell in `home`, one per JVM."""
    digest = _read_stored(home)
    return tuple(jvm.hang for jvm in digest.hangs) if isinstance(digest, Digest) else ()


def has_hang_dumps(artifacts: Iterable[str]) -> bool:
    """Whether a cell's files include dumps of a JVM that hung."""
    return any(fnmatchcase(name, _HANG_DUMPS) for name in artifacts)


def _read_stored(home: Path) -> Digest | str:
    """The stored digest: empty if there is none, a sentence if it is invalid."""
    path = home / DIGEST_FILE
    try:
        return parse_digest(content_of(path)) if path.is_file() else EMPTY
    except (MachineError, OSError) as error:
        return f"{path.name}: not a digest: {error}"


def _hang_dumps(home: Path) -> list[Path]:
    """In the order in which they were taken; a JVM that did not answer has them in its log."""
    logs = [log for log in sorted(home.glob("jvm-*.log")) if _DUMP in content_of(log)]
    return [*sorted(home.glob(_HANG_DUMPS)), *logs]
