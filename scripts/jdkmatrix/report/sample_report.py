# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How does a run become `reports/sample/`: only its documents, without paths of this machine?

`scripts/sample-report RUN OUT [BUILD...]` reads RUN/results.json and writes into OUT. Its run is
called as OUT is. With BUILDs the sample has only these. Files of cells are not part of a sample, so
it names none.
"""

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from jdkmatrix.errors import KitError, UsageError
from jdkmatrix.grading.cases.kinds import with_cases
from jdkmatrix.grading.stored_results import read_results
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.report.written_reports import render
from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.results.speed import ThroughputResult
from jdkmatrix.surroundings import settle_faults

_ROOTS = "root|home|Users|tmp|var|opt|mnt|srv|data|work|usr"
# An absolute path on a machine, up to whatever ends it in a sentence or in JSON.
_PLACE = re.compile(rf"(?<![\w./+-])/(?:{_ROOTS})(?:/[^\s\"',;:)]*)?(?![\w-])")


def sample_of(results: Results, builds: Iterable[str] = ()) -> Results:
    """The results of `builds` (all, if none are named) without paths and files of the machine.

    Raises UsageError for a build that the results do not have.
    """
    ids = list(builds) or [build.id for build in results.builds]
    run_ids = {build.id for build in results.builds}
    for build in ids:
        if build not in run_ids:
            raise UsageError(
                f"{build}: no build of the run; accepted: {', '.join(sorted(run_ids))}"
            )
    sample = results.model_copy(
        update={
            "builds": tuple(_without_machine(build) for build in results.builds if build.id in ids),
            "cells": tuple(
                _cell_without_files(cell) for cell in results.cells if cell.build in ids
            ),
            "throughput": tuple(
                _without_files(comparison)
                for comparison in results.throughput
                if comparison.build in ids
            ),
            "law": tuple(point for point in results.law if point.build in ids),
        }
    )
    return Results.model_validate_json(without_places(with_cases(sample).to_json()))


def _without_machine(build: BuildRecord) -> BuildRecord:
    defaults = build.defaults and build.defaults.without_machine()
    return build.model_copy(update={"defaults": defaults})


def _cell_without_files(cell: CellResult) -> CellResult:
    attempts = tuple(attempt.model_copy(update={"folder": ""}) for attempt in cell.attempts)
    return cell.model_copy(update={"artifacts": (), "attempts": attempts})


def _without_files(comparison: ThroughputResult) -> ThroughputResult:
    samples = tuple(sample.model_copy(update={"folder": ""}) for sample in comparison.samples)
    evidence = comparison.evidence and comparison.evidence.model_copy(update={"recordings": ()})
    return comparison.model_copy(update={"samples": samples, "evidence": evidence})


def without_places(text: str) -> str:
    """`text` with each absolute path of a machine cut down to its last two names."""
    return _PLACE.sub(_last_names, text)


def write_sample(results: Results, folder: Path) -> None:
    """Write the documents into `folder`, `results.json` without white space, and without the cases:
    whoever reads it makes them anew.
    """
    folder.mkdir(parents=True, exist_ok=True)
    text = results.model_dump_json(by_alias=True, exclude={"cases"})
    (folder / "results.json").write_text(f"{text}\n", "utf-8")
    for name, text in render(results).items():
        (folder / name).write_text(text, "utf-8")


def _last_names(place: re.Match[str]) -> str:
    names = place[0].strip("/").split("/")
    return "/".join(["…", *names[1:][-2:]])


def main(arguments: Sequence[str]) -> int:
    """Make a sample of a stored run; return the exit code."""
    try:
        if len(arguments) < 2:
            raise UsageError("accepted: RUN OUT [BUILD...]")
        run, out, *builds = arguments
        results = read_results(Path(run) / "results.json")
        folder = Path(out)
        sample = sample_of(results, builds)
        write_sample(sample.model_copy(update={"run": folder.resolve().name}), folder)
    except KitError as error:
        print(f"sample-report: {error}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    settle_faults()
    sys.exit(main(sys.argv[1:]))
