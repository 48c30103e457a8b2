# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which runs lie under `reports/`, and how are old ones removed? Links there are not followed.

`planted` and `bisect` make a folder of several runs, which stays or goes as a whole.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.machine import trees
from jdkmatrix.machine.run_lock import going_on
from jdkmatrix.records.record import RunRecord
from jdkmatrix.records.store import RunFolder

LATEST = "latest"
_SAMPLES = "sample"
_PRUNED = ".pruned-"


@dataclass(frozen=True)
class StoredRun:
    """A folder under `reports/` with one run or, made by `planted` or `bisect`, several.

    `homes` are the folders of its runs, `records` what they stored; at least one of each.
    """

    path: Path
    homes: tuple[Path, ...]
    records: tuple[RunRecord, ...]

    @property
    def is_one(self) -> bool:
        """Whether the folder itself is a run."""
        return self.homes == (self.path,)

    @property
    def started(self) -> str:
        """When its first run began: ISO 8601 in UTC."""
        return min(record.started for record in self.records)

    @property
    def builds(self) -> tuple[str, ...]:
        """The ids of its builds, each once."""
        ids = (build.id for record in self.records for build in record.builds)
        return tuple(dict.fromkeys(ids))

    @property
    def size_bytes(self) -> int:
        """The size of all its files."""
        return trees.size_of_tree(self.path)


@dataclass(frozen=True)
class DamagedRun:
    """A folder with a run that can't be read; `reason` says why."""

    path: Path
    reason: str


def stored_runs(reports: Path) -> tuple[list[StoredRun], list[DamagedRun]]:
    """The runs under `reports`, newest first, without the samples; and those that can't be read.

    Raises MachineError if `reports` itself can't be read.
    """
    runs: list[StoredRun] = []
    damaged_runs: list[DamagedRun] = []
    for path in _folders(reports) if reports.is_dir() else ():
        homes = [path] if _holds_run(path) else list(filter(_holds_run, _folders(path)))
        if not homes or path.name.startswith((_SAMPLES, ".")):
            continue
        try:
            records = tuple(RunFolder(home).read_run() for home in homes)
        except UsageError as error:
            damaged_runs.append(DamagedRun(path, str(error)))
        else:
            runs.append(StoredRun(path, tuple(homes), records))
    runs.sort(key=lambda run: (run.started, run.path.name), reverse=True)
    return runs, damaged_runs


def runs_beyond(runs: Sequence[StoredRun], keep: int, reports: Path) -> Iterator[StoredRun]:
    """The runs beyond the `keep` that are kept: the latest, and the newest of the others."""
    latest = (reports / LATEST).resolve()
    other_runs = [run for run in runs if run.path.resolve() != latest]
    yield from other_runs[max(0, keep - (len(runs) - len(other_runs))) :]


def remove(run: StoredRun, *, dry_run: bool = False) -> None:
    """Remove a run; its folder is renamed first, so that a run is never half removed.

    A dry run only checks whether the run is still going.

    Raises MachineError if the run is still going, or its files can't be removed.
    """
    trash = run.path.with_name(f"{_PRUNED}{run.path.name}.{os.getpid()}")
    with ExitStack() as locks:
        for home in dict.fromkeys((run.path, *run.homes)):
            locks.enter_context(going_on(home))
        if dry_run:
            return
        try:
            run.path.rename(trash)
        except OSError as error:
            raise _removal_error(run.path, error) from None
    _remove_tree(trash)


def remove_left_over(reports: Path) -> None:
    """Remove what a killed removal left behind. Raises MachineError."""
    for path in _folders(reports) if reports.is_dir() else ():
        if path.name.startswith(_PRUNED):
            _remove_tree(path)


def _remove_tree(path: Path) -> None:
    try:
        trees.remove(path)
    except OSError as error:
        raise _removal_error(path, error) from None


def _removal_error(path: Path, error: OSError) -> MachineError:
    return MachineError(f"{error.filename or path}: cannot be removed: {error.strerror}")


def _folders(place: Path) -> list[Path]:
    try:
        return [path for path in sorted(place.iterdir()) if path.is_dir() and not path.is_symlink()]
    except OSError as error:
        raise MachineError(f"{place}: cannot be read: {error.strerror}") from None


def _holds_run(folder: Path) -> bool:
    record = folder / "run.json"
    return record.is_file() and not record.is_symlink()
