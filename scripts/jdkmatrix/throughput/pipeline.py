# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does `matrix throughput` do with a request: get the builds, measure, grade, report?"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix import __version__
from jdkmatrix.assemble import assemble
from jdkmatrix.bootstrap import cache_root
from jdkmatrix.build_record import build_record
from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.config.rules import load_rules
from jdkmatrix.errors import NothingRanError
from jdkmatrix.evidence.digest import Digester
from jdkmatrix.overlay.maker import OverlayMaker
from jdkmatrix.paths import Checkout
from jdkmatrix.report.display import Display
from jdkmatrix.report.files import write_reports
from jdkmatrix.report.results import Results
from jdkmatrix.report.throughput_display import ThroughputDisplay
from jdkmatrix.report.words import shown_path
from jdkmatrix.run.machine import kit_commit, machine_record
from jdkmatrix.run.record import BuildRecord, KitRecord, RunRecord, UnavailableRecord
from jdkmatrix.run.run_lock import measuring_alone
from jdkmatrix.run.store import RunFolder, now_iso
from jdkmatrix.run.throughput_store import ThroughputRecord
from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.fetch import Supplier
from jdkmatrix.supply.jars import Jars
from jdkmatrix.throughput.load_programs import LoadPrograms
from jdkmatrix.throughput.plan import passed_over, plan_comparisons
from jdkmatrix.throughput.run import ThroughputOptions, ThroughputRun
from jdkmatrix.throughput.selection import ThroughputSelection


@dataclass(frozen=True)
class Supplied:
    """The builds of a run, by their ids, and the kit's own JDK.

    Where an overlay is wished for, each build is there without and with it.
    """

    builds: dict[str, BuildRecord]
    unavailable: tuple[UnavailableRecord, ...]
    tool_jdk: Build
    jars: Jars

    @property
    def plain(self) -> dict[str, str]:
        """The ids of the builds without an overlay, by their entries in `jdks.yaml`."""
        return {one.entry: one.id for one in self.builds.values() if not one.overlay}

    @classmethod
    def of(
        cls,
        checkout: Checkout,
        supplier: Supplier,
        selection: ThroughputSelection,
        local: Sequence[Build] = (),
    ) -> "Supplied":
        """Get what a selection names.

        Raises MachineError without a tool JDK, UsageError for an overlay that does not fit.
        """
        outcomes = supplier.supply(selection.entries)
        builds = [*local, *(one for one in outcomes if isinstance(one, Build))]
        builds += overlaid_builds(checkout, supplier, selection, builds)
        missing = [one for one in outcomes if isinstance(one, Unavailable)]
        return cls(
            builds={build.id: build_record(build) for build in builds},
            unavailable=tuple(
                UnavailableRecord(entry=one.entry_id, reasons=one.reasons) for one in missing
            ),
            tool_jdk=supplier.tool_jdk(),
            jars=supplier.jars(checkout),
        )


def overlaid_builds(
    checkout: Checkout,
    supplier: Supplier,
    selection: ThroughputSelection,
    builds: Sequence[Build],
) -> list[Build]:
    """The builds with the overlay of the selection; none without a wish. Raises UsageError."""
    if selection.overlay is None:
        return []
    maker = OverlayMaker(
        supplier,
        load_jdks(checkout.jdks),
        selection.build_ids,
        checkout.overlay_sources,
        cache_root() / "overlays",
    )
    return [maker.overlaid(build, selection.overlay) for build in builds]


def run_throughput(
    checkout: Checkout,
    selection: ThroughputSelection,
    options: ThroughputOptions,
    *,
    offline: bool,
    out: Path | None,
    supply_display: Display,
    display: ThroughputDisplay,
) -> tuple[Results, Path]:
    """Measure a selection; return the results and the run's folder.

    After Ctrl-C the results hold the blocks finished so far and are not `complete`. Raises
    NothingRanError if there is nothing to compare, MachineError if another run measures.
    """
    with measuring_alone(f"since {now_iso()}, of {checkout.root}"):
        with supply_display:
            supplier = Supplier.of(checkout, offline, supply_display)
            supplied = Supplied.of(checkout, supplier, selection)
        plan = new_plan(selection, options, supplied)
        folder = RunFolder.create(checkout.reports, out)
        folder.link_as_latest(checkout.reports)
        record = new_record(checkout, folder, supplied, selection)
        folder.write_run(record)
        for told in passed_over(selection, supplied.plain):
            display.notice(told)
        tell_load(display)
        record = measure(checkout, selection, options, supplied, record, plan, folder, display)
    results = assemble(record, folder, selection.ledger, load_rules(checkout.rules))
    write_reports(results, folder.path)
    return results, folder.path


def new_plan(
    selection: ThroughputSelection, options: ThroughputOptions, supplied: Supplied
) -> ThroughputRecord:
    """What a run that begins now measures. Raises NothingRanError if that is nothing."""
    comparisons = plan_comparisons(selection, supplied.plain)
    if not comparisons:
        reasons = [f"{missing.entry}: {missing.text}" for missing in supplied.unavailable]
        reasons += passed_over(selection, supplied.plain)
        told = f": {'; '.join(reasons)}" if reasons else ""
        raise NothingRanError(f"no two builds to compare{told}")
    return ThroughputRecord(
        schema=1,
        seed=options.seed,
        blocks=options.blocks,
        minimum_effect=options.minimum_effect,
        validates=options.validates,
        left_out=tuple(passed_over(selection, supplied.plain)) if options.validates else (),
        comparisons=comparisons,
    )


def load_programs(checkout: Checkout, tool_jdk: Build, jars: Jars) -> LoadPrograms:
    """The Java programs of a run, which are compiled when they are asked for."""
    return LoadPrograms(checkout, tool_jdk.home, cache_root() / "load", jars.class_path)


def tell_load(display: ThroughputDisplay) -> None:
    """Say how busy the machine is, before the kit itself makes it so."""
    machine = machine_record()
    display.header([("load before", machine.load_1min)])
    if machine.load_1min > machine.cores:
        busy = f"load {machine.load_1min} on {machine.cores} cores"
        display.notice(f"the machine is busy ({busy}); expect wide intervals")


def new_record(
    checkout: Checkout, folder: RunFolder, supplied: Supplied, selection: ThroughputSelection
) -> RunRecord:
    """The record of a run that begins now."""
    return RunRecord(
        run=folder.name,
        started=now_iso(),
        request=selection.request,
        machine=machine_record(),
        kit=KitRecord(
            version=__version__,
            commit=kit_commit(checkout.root),
            tool_jdk=supplied.tool_jdk.id,
        ),
        builds=tuple(supplied.builds.values()),
        unavailable=supplied.unavailable,
    )


def measure(
    checkout: Checkout,
    selection: ThroughputSelection,
    options: ThroughputOptions,
    supplied: Supplied,
    record: RunRecord,
    plan: ThroughputRecord,
    folder: RunFolder,
    display: ThroughputDisplay,
) -> RunRecord:
    """Run what is left of a plan; return the run's record, finished unless interrupted."""
    run = ThroughputRun(checkout, selection, options, supplied.builds, folder.path, display, plan)
    programs = load_programs(checkout, supplied.tool_jdk, supplied.jars)
    digester = Digester(checkout.digest_sources, programs.java_home, cache_root() / "digest")
    display.header(
        [
            ("kit", f"{record.kit.version} {record.kit.commit or ''}".strip()),
            ("machine", f"{record.machine.os}, {record.machine.cores} cores"),
            ("builds", ", ".join(supplied.builds)),
            ("comparisons", len(run.comparisons)),
            ("blocks", f"at most {options.blocks} of each, seed {options.seed}"),
            ("run", shown_path(folder.path)),
        ]
    )
    try:
        with display:
            run.execute(programs, digester)
    except KeyboardInterrupt:
        display.notice("interrupted; finished blocks are kept")
        return record
    record = record.model_copy(update={"finished": now_iso()})
    folder.write_run(record)
    return record
