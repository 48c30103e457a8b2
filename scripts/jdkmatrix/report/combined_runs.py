# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What did several runs below one folder find together? One document, for one report."""

from collections.abc import Mapping

from jdkmatrix.results.document import CellResult, Results


def combine_runs(name: str, runs: Mapping[str, Results]) -> Results:
    """The results of runs whose folders have the keys of `runs` as names, as one run `name`.

    At least one; machine and kit are those of the first, bugs come in the order of the runs. Only
    runs of cells: whose builds have different ids, or the same build.
    """
    every = tuple(runs.values())
    return every[0].model_copy(
        update={
            "run": name,
            "finished": every[-1].finished,
            "seconds": None,
            "complete": all(one.complete for one in every),
            "builds": tuple({build.id: build for one in every for build in one.builds}.values()),
            "unavailable": tuple(
                {missing.entry: missing for one in every for missing in one.unavailable}.values()
            ),
            "bugs": tuple({bug.id: bug for one in every for bug in one.bugs}.values()),
            "cells": tuple(
                _below(folder, cell) for folder, one in runs.items() for cell in one.cells
            ),
        }
    )


def _below(folder: str, cell: CellResult) -> CellResult:
    """A cell with its artifacts seen from the folder above; hangs name theirs in sentences."""
    return cell.model_copy(
        update={
            "artifacts": tuple(f"{folder}/{artifact}" for artifact in cell.artifacts),
            "attempts": tuple(
                one.model_copy(update={"folder": f"{folder}/{one.folder}"}) for one in cell.attempts
            ),
        }
    )
