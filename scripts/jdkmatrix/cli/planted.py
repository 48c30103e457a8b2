# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix planted`: are the faults found that were planted?"""

from pathlib import Path
from typing import Annotated

import typer

from jdkmatrix.cli.console import progress_console
from jdkmatrix.cli.options import NoConfirm, Offline
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.planted import load_planted
from jdkmatrix.errors import ExitCode, KitError, MachineError
from jdkmatrix.matrix_run import RunOptions, usual_jobs
from jdkmatrix.paths import Checkout
from jdkmatrix.pipeline import run_matrix
from jdkmatrix.report.display import Display
from jdkmatrix.report.files import write_reports
from jdkmatrix.report.results import Results
from jdkmatrix.report.together import together
from jdkmatrix.report.words import shown_path
from jdkmatrix.run.record import Request
from jdkmatrix.run.store import RunFolder
from jdkmatrix.verdict.grade import Grade


def planted(
    faults: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FAULT]...", help="Ids of planted.yaml. Default: all."),
    ] = None,
    no_confirm: NoConfirm = False,
    offline: Offline = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the runs go. Default: a new folder in reports/."),
    ] = None,
) -> int:
    """Lay each planted fault over its builds: is every cell graded a regression?

    Example: scripts/matrix planted close-under-lock-8
    """
    checkout = Checkout.here()
    ledger = load_ledger(checkout.ledger)
    file = load_planted(checkout.planted, ledger)
    chosen = [file.fault(fault) for fault in faults] if faults else file.planted
    folder = RunFolder.create(checkout.reports, out)
    jobs = usual_jobs()
    found = cells = 0
    runs: dict[str, Results] = {}
    for fault in chosen:
        request = Request(
            builds=fault.builds,
            tests=fault.tests_in(ledger),
            overlay_patch=str(checkout.planted.parent / fault.patch),
            confirm=not no_confirm,
        )
        options = RunOptions(jobs=jobs, offline=offline, out=folder.path / fault.id)
        try:
            with Display(progress_console()) as display:
                results, _ = run_matrix(checkout, request, options, display)
        except KitError as error:  # it can't be laid, or its build can't be had: not found
            print(f"{fault.id:<24} no cell was run: {error}")
            cells += len(request.builds) * len(request.tests)
            continue
        if not results.complete:
            raise KeyboardInterrupt
        runs[fault.id] = results
        grades = [cell.grade for cell in results.cells]
        missing = len(results.unavailable) * len(request.tests)
        found += grades.count(Grade.REGRESSION)
        cells += len(grades) + missing
        for cell in results.cells:
            print(f"{fault.id:<24} {cell.build:<48} {cell.test:<60} {cell.grade}")
        for unavailable in results.unavailable:
            print(f"{fault.id:<24} {unavailable.entry} is unavailable: {unavailable.text}")
    if not runs:
        raise MachineError("planted: no fault could be laid over its builds")
    write_reports(together(folder.name, runs), folder.path)
    if not faults and file.throughput:
        print(f"not run here: {len(file.throughput)} faults for throughput figures")
    print(f"{found} of {cells} cells with a planted fault are graded regression.")
    print(f"report: {shown_path(folder.path / 'index.html')}")
    print(f"results: {shown_path(folder.path / 'results.json')}")
    return ExitCode.OK if found == cells else ExitCode.SURPRISE
