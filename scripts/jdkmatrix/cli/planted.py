# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix planted`: are the faults found that were planted?"""

from pathlib import Path
from typing import Annotated

import typer

from jdkmatrix.cli.console import progress_console
from jdkmatrix.cli.options import Offline
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.planted import PlantedFault, load_planted
from jdkmatrix.errors import ExitCode, KitError, MachineError
from jdkmatrix.matrix_run import RunOptions, usual_jobs
from jdkmatrix.paths import Checkout
from jdkmatrix.pipeline import run_matrix
from jdkmatrix.report.display import Display
from jdkmatrix.report.files import write_reports
from jdkmatrix.report.results import CellResult, Results
from jdkmatrix.report.together import together
from jdkmatrix.report.words import shown_path, test_name
from jdkmatrix.run.record import Request
from jdkmatrix.run.store import RunFolder
from jdkmatrix.verdict.grade import Grade


def planted(
    faults: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FAULT]...", help="Ids of planted.yaml. Default: all."),
    ] = None,
    offline: Offline = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the runs go. Default: a new folder in reports/."),
    ] = None,
) -> int:
    """Lay each planted fault over its builds: is every one found, and named?

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
            confirm=fault.grade == Grade.FLAKY.value,
        )
        options = RunOptions(jobs=jobs, offline=offline, out=folder.path / fault.id)
        try:
            with Display(progress_console()) as display:
                results, _ = run_matrix(checkout, request, options, display)
        except KitError as error:  # it can't be laid, or its build can't be had: not found
            print(f"{fault.id:<28} no cell was run: {error}")
            cells += len(request.builds) * len(request.tests)
            continue
        if not results.complete:
            raise KeyboardInterrupt
        runs[fault.id] = results
        cells += len(results.cells) + len(results.unavailable) * len(request.tests)
        for cell in results.cells:
            missed = missed_by(cell, fault)
            found += missed is None
            said = f"{cell.grade}, as it must be" if missed is None else f"NOT FOUND: {missed}"
            print(f"{fault.id:<28} {test_name(cell.test):<40} {said}")
        for unavailable in results.unavailable:
            print(f"{fault.id:<28} {unavailable.entry} is unavailable: {unavailable.text}")
    if not runs:
        raise MachineError("planted: no fault could be laid over its builds")
    write_reports(together(folder.name, runs), folder.path)
    if not faults and file.throughput:
        print(f"not run here: {len(file.throughput)} faults for throughput figures")
    print(f"{found} of {cells} cells with a planted fault say what they must.")
    print(f"report: {shown_path(folder.path / 'index.html')}")
    print(f"results: {shown_path(folder.path / 'results.json')}")
    return ExitCode.OK if found == cells else ExitCode.SURPRISE


def missed_by(cell: CellResult, fault: PlantedFault) -> str | None:
    """What the cell should have said of the fault, and did not; None if it was found."""
    if cell.grade != fault.grade:
        return f"{cell.grade}, not {fault.grade}: {cell.reason}"
    told = f"{cell.reason} {cell.evidence.cause or ''}"
    return None if fault.names in told else f"'{fault.names}' is not named: {told.rstrip()}"
