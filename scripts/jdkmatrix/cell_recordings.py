# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which recording is a cell's evidence, and what does its stored digest say?"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Lock

from pydantic import ValidationError

from jdkmatrix.errors import MachineError
from jdkmatrix.evidence.digest import Digest, Digester, Recording
from jdkmatrix.evidence.outcomes import OutcomeFileError, read_outcomes
from jdkmatrix.evidence.sampled import parse_samples, recording_of
from jdkmatrix.run.record import PlannedCell
from jdkmatrix.run.store import RunFolder, write_atomically

_DIGEST_FILE = "digest.json"
# A reader that fails costs the causes of a batch; a JVM for each recording would cost a second.
_BATCH = 16


def attempt_homes(cells: Iterable[PlannedCell], folder: RunFolder) -> Iterator[Path]:
    """The folder of each attempt at each cell."""
    for cell in cells:
        yield from (folder.cell_folder(cell, n) for n in folder.attempts_there(cell))


class RecordingReader:
    """Reads the recordings of cells as they end, several in one JVM, while other cells run.

    `read` does so for the folders of a batch; `on_failure` gets the reason why a batch has no
    causes.
    """

    def __init__(
        self, read: Callable[[Sequence[Path]], None], on_failure: Callable[[str], None]
    ) -> None:
        self._read = read
        self._on_failure = on_failure
        self._lock = Lock()
        self._waiting: list[Path] = []
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="recordings")
        self._under_way: list[Future[None]] = []

    def add(self, home: Path) -> None:
        """Read this folder of an attempt with the next batch."""
        with self._lock:
            self._waiting.append(home)
            if len(self._waiting) >= _BATCH:
                self._submit()

    def finish(self, homes: Iterable[Path]) -> None:
        """Read these too, and wait for all; one that is read already costs nothing."""
        for home in homes:
            self.add(home)
        with self._lock:
            self._submit()
        for batch in self._under_way:
            batch.result()
        self._under_way.clear()

    def close(self) -> None:
        """End its thread."""
        self._pool.shutdown(cancel_futures=True)

    def _submit(self) -> None:
        batch, self._waiting = tuple(self._waiting), []
        if batch:
            self._under_way.append(self._pool.submit(self._read_batch, batch))

    def _read_batch(self, batch: Sequence[Path]) -> None:
        try:
            self._read(batch)
        except MachineError as error:
            names = f"{batch[0].name} and {len(batch) - 1} others" if batch[1:] else batch[0].name
            self._on_failure(f"no causes of {names}: their recordings cannot be read: {error}")


def digest_recordings(homes: Iterable[Path], digester: Digester) -> None:
    """Read the subject's recording in each folder of an attempt that has none read yet.

    All in one JVM, none if there are none. Writes `digest.json` beside each. Raises MachineError if
    the reader itself fails.
    """
    recordings: dict[Path, Path] = {}
    for home in homes:
        if (home / _DIGEST_FILE).exists():
            continue
        if recording := subject_recording(home):
            recordings[recording] = home
        elif samples := _subject_samples(home):
            _digest_samples(samples, home)
    digest = digester.digest(tuple(recordings))
    for home, read in zip(recordings.values(), digest.recordings, strict=True):
        one = Digest(schema=1, recordings=(read,))
        write_atomically(home / _DIGEST_FILE, one.model_dump_json(by_alias=True, indent=1))


def subject_recording(home: Path) -> Path | None:
    """The recording of the JVM that the outcome of the cell in `home` is about, if there is one."""
    try:
        verdict = read_outcomes(home).verdict
    except OutcomeFileError:  # told in the cell's reason
        return None
    if verdict is None:  # hung, perhaps: then this is the one that was dumped before the kill
        return next(home.glob("hang-*.jfr"), None)
    return next((home / "jfr").glob(f"*-pid-{verdict.java.pid}-*.jfr"), None)


def read_digest(home: Path) -> tuple[Recording | None, str | None]:
    """What the recording of the cell in `home` says, or why it could not be read.

    Neither, if there is none.
    """
    path = home / _DIGEST_FILE
    if not path.is_file():
        return None, None
    try:
        read = Digest.model_validate_json(path.read_bytes()).recordings[0]
    except (ValidationError, IndexError) as error:
        return None, f"{path.name}: not a digest: {str(error).splitlines()[0]}"
    if isinstance(read, Recording):
        return read, None
    return None, f"{Path(read.file).name}: {read.error}"


def _subject_samples(home: Path) -> Path | None:
    """The dumps taken of the subject on a JDK without Flight Recorder."""
    files = {path.name: path for path in home.glob("samples-*.txt")}
    if not files:
        return None
    try:
        verdict = read_outcomes(home).verdict
    except OutcomeFileError:  # told in the cell's reason
        return None
    return files.get(f"samples-{verdict.java.pid}.txt") if verdict else None


def _digest_samples(file: Path, home: Path) -> None:
    samples = parse_samples(file.read_text(encoding="utf-8", errors="replace"))
    if samples:
        pid = int(file.stem.rpartition("-")[2])
        read = recording_of(samples, str(file), pid)
        one = Digest(schema=1, recordings=(read,))
        write_atomically(home / _DIGEST_FILE, one.model_dump_json(by_alias=True, indent=1))
