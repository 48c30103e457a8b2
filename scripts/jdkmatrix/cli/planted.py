# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix planted`: are the faults found that were planted?"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from jdkmatrix.cli.console import progress_console
from jdkmatrix.cli.options import Offline
from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.planted import PlantedFault, load_planted
from jdkmatrix.errors import ExitCode, KitError, MachineError
from jdkmatrix.matrix_run import RunOptions, usual_jobs
from jdkmatrix.overlay.configured import configured_copy
from jdkmatrix.paths import Checkout
from jdkmatrix.pipeline import run_matrix
from jdkmatrix.planted_faults import Answer, answers
from jdkmatrix.report.display import Display
from jdkmatrix.report.files import write_reports
from jdkmatrix.report.results import Results
from jdkmatrix.report.together import together
from jdkmatrix.report.words import shown_path
from jdkmatrix.run.record import Request
from jdkmatrix.run.store import RunFolder
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.fetch import Supplier


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
    """Plant each fault into its builds: is every one found, and named?

    Example: scripts/matrix planted close-under-lock-8
    """
    checkout = Checkout.here()
    ledger = load_ledger(checkout.ledger)
    file = load_planted(checkout.planted, ledger)
    chosen = [file.fault(fault) for fault in faults] if faults else file.planted
    folder = RunFolder.create(checkout.reports, out)
    told: list[Answer] = []
    runs: dict[str, Results] = {}
    for fault in chosen:
        tests = fault.tests_in(ledger)
        try:
            results = _run(checkout, fault, tests, folder.path / fault.id, offline=offline)
        except KitError as error:  # it can't be planted, or its build can't be had
            said = [Answer(False, f"NOT FOUND: no cell was run: {error}")]
        else:
            if not results.complete:
                raise KeyboardInterrupt
            runs[fault.id] = results
            said = list(answers(results, fault, len(tests)))
        for one in said:
            print(f"{fault.id:<28} {one.sentence}")
        told += said
    if not runs:
        raise MachineError("planted: no fault could be planted into its builds")
    write_reports(together(folder.name, runs), folder.path)
    if not faults and file.throughput:
        print(f"not run here: {len(file.throughput)} faults for throughput figures")
    found = sum(one.is_found for one in told)
    print(f"{found} of {len(told)} findings are what planted faults must bring about.")
    print(f"report: {shown_path(folder.path / 'index.html')}")
    print(f"results: {shown_path(folder.path / 'results.json')}")
    return ExitCode.OK if found == len(told) else ExitCode.SURPRISE


def _run(
    checkout: Checkout, fault: PlantedFault, tests: tuple[str, ...], out: Path, *, offline: bool
) -> Results:
    """Run the tests that must find the fault. Only what comes and goes needs several attempts."""
    beside = checkout.planted.parent
    options = RunOptions(jobs=usual_jobs(), offline=offline, out=out)
    request = Request(tests=tests, confirm=fault.verdict == "flaky")
    copies = out.with_name(f"{out.name}-builds")
    if fault.patch:
        patch = str(beside / fault.patch)
        request = request.model_copy(update={"builds": fault.builds, "overlay_patch": patch})
    elif fault.security:
        security = (beside / fault.security).read_text(encoding="utf-8")
        jdks = tuple(_copies(checkout, fault.builds, security, copies, offline=offline))
        request = request.model_copy(update={"jdks": jdks})
    try:
        with Display(progress_console()) as display:
            return run_matrix(checkout, request, options, display)[0]
    finally:
        shutil.rmtree(copies, ignore_errors=True)


def _copies(
    checkout: Checkout, builds: tuple[str, ...], security: str, folder: Path, *, offline: bool
) -> Iterator[str]:
    """Where the builds are, configured otherwise. Raises KitError."""
    jdks = load_jdks(checkout.jdks)
    supplier = Supplier.of(checkout, offline=offline)
    for build in supplier.supply([jdks.entry(one) for one in builds]):
        if not isinstance(build, Build):
            raise MachineError(str(build))
        configured_copy(build.home, security, folder / build.id)
        yield str(folder / build.id)
