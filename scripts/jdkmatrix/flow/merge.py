# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do the runs of several machines become one? Checked first, then copied, then graded.

Grades are made anew from the stored records, so that rules that compare builds see all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.errors import MachineError, UsageError
from jdkmatrix.flow.flow import FinishedRun, grade_run
from jdkmatrix.grading.cell_recordings import unread_homes
from jdkmatrix.machine.files import is_plain
from jdkmatrix.machine.trees import copy_plain, remove_quietly
from jdkmatrix.paths import Checkout
from jdkmatrix.records.merging import ShardRun, check_together, merged_record, missing_shards
from jdkmatrix.records.store import RunFolder

_TASKS = ("cells", "throughput")


@dataclass(frozen=True)
class MergedRun:
    """A merged run. `lost_shards` are the missing shards as `I/N`, each with the number of its
    cells or comparisons; `unread` the folders of attempts whose recording has no digest.
    """

    finished_run: FinishedRun
    lost_shards: tuple[tuple[str, int], ...]
    unread: tuple[str, ...]


def merge(checkout: Checkout, places: Sequence[Path], out: Path | None) -> MergedRun:
    """Make one run of shards. Nothing is written before all of them have passed the checks.

    Raises UsageError for a run that is no finished shard, and for shards that do not belong
    together; MachineError if the run cannot be stored: then no cell of it is left.
    """
    folders = [RunFolder.find(checkout.reports, place) for place in places]
    runs = [ShardRun.from_record(str(folder.path), folder.read_run()) for folder in folders]
    check_together(runs)
    for run, source in zip(runs, folders, strict=True):
        _check_whole(run, source)
    record = merged_record(runs)  # checks them, too: before a folder is made
    folder = RunFolder.create(checkout.reports, out)
    try:
        _copy(folders, folder)
        record = record.model_copy(update={"run": folder.name})
        folder.write_run(record)
    except MachineError:  # what was copied is no run, and would only take space
        for tasks in _TASKS:
            remove_quietly(folder.path / tasks)
        raise
    folder.link_as_latest(checkout.reports, record.request.command)
    folder.link_as_latest(checkout.reports)
    finished_run = grade_run(checkout, folder, record, ends=True)
    unread = (str(home.relative_to(folder.path)) for home in unread_homes(record.cells, folder))
    return MergedRun(finished_run, tuple(missing_shards(runs)), tuple(unread))


def _copy(sources: Sequence[RunFolder], target: RunFolder) -> None:
    """Copy the cells and comparisons of all shards into one folder. Raises MachineError."""
    try:
        for source in sources:
            for tasks in _TASKS:
                place = source.path / tasks
                if place.is_dir() and not place.is_symlink():  # else its builds were unavailable
                    copy_plain(place, target.path / tasks)
    except OSError as error:
        message = f"{target.path}: the cells cannot be copied: {error.strerror}"
        raise MachineError(message) from None


def _check_whole(run: ShardRun, folder: RunFolder) -> None:
    """Raises UsageError if a file of the shard was lost on its way here."""
    for cell in run.record.cells:
        for attempt in folder.attempts_there(cell):
            home = folder.cell_folder(cell, attempt)
            record = folder.read_cell(cell, attempt)
            for name in record.artifacts if record else ():  # without a record it was not run
                if not is_plain(home / name):
                    lost_file = f"{home.relative_to(folder.path)}/{name}"
                    raise UsageError(f"{run.place}: incomplete: {lost_file} is missing")
