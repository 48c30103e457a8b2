# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did several runs below one folder find together? One document, for one report."""

from collections import Counter
from collections.abc import Collection, Mapping

from jdkmatrix.results.document import CellResult, Results


def combine_runs(name: str, runs: Mapping[str, Results]) -> Results:
    """Combine `runs`, at least one, keyed by the names of their folders, into one run `name`.

    Only for runs of cells. Machine and kit are those of the first run; bugs come in the order of
    the runs. A build that several runs share becomes one build per run, `debian-17.0.12+7@folder`,
    as the reports show one cell for a build and a test.
    """
    counts = Counter(build.id for one in runs.values() for build in one.builds)
    shared = {build for build, count in counts.items() if count > 1}
    every = tuple(_below(folder, one, shared) for folder, one in runs.items())
    return every[0].model_copy(
        update={
            "run": name,
            "finished": every[-1].finished,
            "seconds": None,
            "complete": all(one.complete for one in every),
            "builds": tuple(build for one in every for build in one.builds),
            "unavailable": tuple(
                {missing.entry: missing for one in every for missing in one.unavailable}.values()
            ),
            "build_faults": tuple(fault for one in every for fault in one.build_faults),
            "bugs": tuple({bug.id: bug for one in every for bug in one.bugs}.values()),
            "cells": tuple(cell for one in every for cell in one.cells),
        }
    )


def _below(folder: str, run: Results, shared: Collection[str]) -> Results:
    """A run with its artifacts seen from the folder above, and its `shared` builds renamed."""

    def name_of(build: str) -> str:
        return f"{build}@{folder}" if build in shared else build

    def moved(cell: CellResult) -> CellResult:
        attempts = (
            one.model_copy(update={"folder": f"{folder}/{one.folder}"}) for one in cell.attempts
        )
        return cell.model_copy(
            update={
                "build": name_of(cell.build),
                "artifacts": tuple(f"{folder}/{artifact}" for artifact in cell.artifacts),
                "attempts": tuple(attempts),
            }
        )

    builds = (one.model_copy(update={"id": name_of(one.id)}) for one in run.builds)
    faults = (one.model_copy(update={"build": name_of(one.build)}) for one in run.build_faults)
    return run.model_copy(
        update={
            "builds": tuple(builds),
            "build_faults": tuple(faults),
            "cells": tuple(map(moved, run.cells)),
        }
    )
