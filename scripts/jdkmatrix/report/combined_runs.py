# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did several runs below one folder find together? One document, for one report."""

from collections import Counter
from collections.abc import Collection, Mapping

from jdkmatrix.grading.cases.kinds import with_cases
from jdkmatrix.results.document import CellResult, Results


def combine_runs(name: str, runs: Mapping[str, Results]) -> Results:
    """Combine `runs`, at least one, keyed by the names of their folders, into one run `name`.

    Only for runs of cells. Machine and kit are those of the first run; bugs come in the order of
    the runs. A build that several runs share becomes one build per run, `debian-17.0.12+7@folder`,
    as the reports show one cell for a build and a test.
    """
    counts = Counter(build.id for run in runs.values() for build in run.builds)
    shared_ids = {build for build, count in counts.items() if count > 1}
    parts = tuple(_move_below(folder, run, shared_ids) for folder, run in runs.items())
    whole_run = parts[0].model_copy(
        update={
            "run": name,
            "finished_at": parts[-1].finished_at,
            "seconds": None,
            "complete": all(part.complete for part in parts),
            "builds": tuple(build for part in parts for build in part.builds),
            "unavailable": tuple(
                {missing.entry: missing for part in parts for missing in part.unavailable}.values()
            ),
            "build_faults": tuple(fault for part in parts for fault in part.build_faults),
            "bugs": tuple({bug.id: bug for part in parts for bug in part.bugs}.values()),
            "cells": tuple(cell for part in parts for cell in part.cells),
        }
    )
    return with_cases(whole_run)


def _move_below(folder: str, run: Results, shared_ids: Collection[str]) -> Results:
    """A run with its artifacts seen from the folder above, and its `shared` builds renamed."""

    def name_of(build: str) -> str:
        return f"{build}@{folder}" if build in shared_ids else build

    def move(cell: CellResult) -> CellResult:
        attempts = (
            attempt.model_copy(update={"folder": f"{folder}/{attempt.folder}"})
            for attempt in cell.attempts
        )
        return cell.model_copy(
            update={
                "build": name_of(cell.build),
                "artifacts": tuple(f"{folder}/{artifact}" for artifact in cell.artifacts),
                "attempts": tuple(attempts),
            }
        )

    builds = (build.model_copy(update={"id": name_of(build.id)}) for build in run.builds)
    faults = (
        fault.model_copy(update={"build": name_of(fault.build)}) for fault in run.build_faults
    )
    return run.model_copy(
        update={
            "builds": tuple(builds),
            "build_faults": tuple(faults),
            "cells": tuple(map(move, run.cells)),
        }
    )
