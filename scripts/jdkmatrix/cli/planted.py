# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix planted`: are the planted faults found?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jdkmatrix.cli import complete
from jdkmatrix.cli.options import AsJson, Offline
from jdkmatrix.cli.printed import give, say
from jdkmatrix.errors import ExitCode, KitError, MachineError, UnfinishedError
from jdkmatrix.machine.files import text_of
from jdkmatrix.machine.trees import remove_quietly
from jdkmatrix.paths import Checkout, shown_path
from jdkmatrix.texts import document_text

if TYPE_CHECKING:
    from jdkmatrix.cli.runs import Runs
    from jdkmatrix.config.ledger import Ledger
    from jdkmatrix.config.planted import PlantedFault
    from jdkmatrix.results.document import Results
    from jdkmatrix.supply.supplier import Supplier


def planted(
    faults: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FAULT]...",
            help="Ids of planted.yaml. Default: all.",
            autocompletion=complete.faults,
        ),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Only that part of the faults: one of N each night, say."),
    ] = None,
    offline: Offline = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the runs go. Default: a new folder in reports/."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Plant faults into builds; check that each is found and named.

    Exit code 1: one of them was not; 2: one could not be planted, or has no verdict.

    Example: scripts/matrix planted close-under-lock-8
    """
    from jdkmatrix.cli.console import progress_display
    from jdkmatrix.cli.runs import runs
    from jdkmatrix.config.ledger import load_ledger
    from jdkmatrix.config.planted import load_planted
    from jdkmatrix.flow.flow import usual_jobs
    from jdkmatrix.flow.tools import Tools
    from jdkmatrix.machine.loopback import check_loopback
    from jdkmatrix.machine.run_lock import going_on
    from jdkmatrix.plan.shards import Shard, cut_shards
    from jdkmatrix.records.store import RunFolder
    from jdkmatrix.supply.supplier import Supplier

    checkout = Checkout.current()
    ledger = load_ledger(checkout.ledger)
    file = load_planted(checkout.planted_faults, ledger)
    planted_faults = file.select(faults or ())
    if shard:
        part = Shard.parse(shard)
        parts = cut_shards([(fault, 1.0) for fault in planted_faults], part.count)
        planted_faults = parts[part.index - 1]
    check_loopback()
    folder = RunFolder.create(checkout.reports, out).path
    supplier = Supplier.of_checkout(checkout, offline=offline)
    with progress_display() as display, going_on(folder):
        run = runs(Tools(checkout), display, jobs=usual_jobs(), offline=offline)
        command = f"scripts/matrix planted{' --offline' if offline else ''}"
        if not faults and file.throughput:
            display.notice(f"not run here: {len(file.throughput)} faults for throughput figures")
        return plant(
            checkout, ledger, planted_faults, folder, run, supplier, command, as_json=as_json
        )


def plant(
    checkout: Checkout,
    ledger: Ledger,
    planted_faults: Sequence[PlantedFault],
    folder: Path,
    run: Runs,
    supplier: Supplier,
    command: str,
    *,
    as_json: bool = False,
) -> int:
    """Plant these faults and look for each with `run`; print what it finds, and write one report
    of all into `folder`. Raises MachineError if none can be planted. After Ctrl-C or a machine
    failure, raises UnfinishedError, which names those left to `command`.
    """
    from jdkmatrix.grading.planted_faults import Answer, answers

    all_answers: list[tuple[str, Answer]] = []
    results_by_fault: dict[str, Results] = {}
    for index, fault in enumerate(planted_faults):
        tests = fault.tests_in(ledger)
        try:
            results = _run(checkout, fault, tests, folder / fault.id, run, supplier)
        except (KeyboardInterrupt, UnfinishedError):
            _write_report(results_by_fault, folder, is_silent=as_json)
            fault_ids = " ".join(rest.id for rest in planted_faults[index:])
            raise UnfinishedError(f"to plant the remaining faults: {command} {fault_ids}") from None
        except KitError as error:  # it can't be planted, or its build can't be got
            text = f"NOT PLANTED: no cell was run: {error}"
            fault_answers = [Answer(False, text, has_verdict=False)]
        else:
            results_by_fault[fault.id] = results
            fault_answers = list(answers(results, fault, len(tests)))
        for answer in () if as_json else fault_answers:
            say(f"{fault.id:<28} {answer.sentence}")
        all_answers += [(fault.id, answer) for answer in fault_answers]
    if not results_by_fault:
        raise MachineError("planted: no fault could be planted into its builds")
    good = sum(answer.is_found for _, answer in all_answers)
    if as_json:
        checks = [
            {"fault": fault_id, "passed": answer.is_found, "sentence": answer.sentence}
            for fault_id, answer in all_answers
        ]
        give(document_text(1, run=folder.name, checks=checks))
    else:
        say(f"{good} of {len(all_answers)} planted-fault checks passed.")
    _write_report(results_by_fault, folder, is_silent=as_json)
    if any(answer.is_missed for _, answer in all_answers):
        return ExitCode.SURPRISE
    return ExitCode.OK if good == len(all_answers) else ExitCode.MACHINE


def _write_report(
    results_by_fault: Mapping[str, Results], folder: Path, *, is_silent: bool = False
) -> None:
    """Write one report of these results, if there are any."""
    from jdkmatrix.report.combined_runs import combine_runs
    from jdkmatrix.report.written_reports import write_reports

    if results_by_fault:
        write_reports(combine_runs(folder.name, results_by_fault), folder)
    if results_by_fault and not is_silent:
        say(f"report: {shown_path(folder / 'index.html')}")
        say(f"results: {shown_path(folder / 'results.json')}")


def _run(
    checkout: Checkout,
    fault: PlantedFault,
    tests: tuple[str, ...],
    out: Path,
    run: Runs,
    supplier: Supplier,
) -> Results:
    """Run the tests that must find the fault. Only a flaky one needs several attempts."""
    from jdkmatrix.records.request import Request

    folder_of_faults = checkout.planted_faults.parent
    request = Request(tests=tests, confirm=fault.verdict == "flaky")
    copies = out.with_name(f"{out.name}-builds")
    try:
        if fault.patch:
            patch = str(folder_of_faults / fault.patch)
            request = request.model_copy(update={"builds": fault.builds, "overlay_patch": patch})
        elif fault.security:
            security = text_of(folder_of_faults / fault.security)
            jdks = tuple(_copies(checkout, fault.builds, security, copies, supplier))
            plain = fault.builds if fault.rows else ()
            request = request.model_copy(update={"builds": plain, "jdks": jdks})
        return run(request, out)
    finally:
        remove_quietly(copies)


def _copies(
    checkout: Checkout,
    builds: tuple[str, ...],
    security: str,
    folder: Path,
    supplier: Supplier,
) -> Iterator[str]:
    """The paths of copies of the builds, with these `security` lines added. Raises KitError."""
    from jdkmatrix.config.jdks import load_jdks
    from jdkmatrix.overlay.configured import configured_copy
    from jdkmatrix.supply.build import Build

    jdks = load_jdks(checkout.jdks)
    for build in supplier.supply([jdks.entry(entry_id) for entry_id in builds]):
        if not isinstance(build, Build):
            raise MachineError(str(build))
        configured_copy(build.home, security, folder / build.id)
        yield str(folder / build.id)
