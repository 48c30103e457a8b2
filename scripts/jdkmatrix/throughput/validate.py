# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is one new build judged: its reproducers, then its throughput against the release before?"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from jdkmatrix.assemble import assemble
from jdkmatrix.build_record import build_record
from jdkmatrix.config.jdks import BuildEntry, JdksFile, load_jdks
from jdkmatrix.config.rules import load_rules
from jdkmatrix.config.version import JdkVersion
from jdkmatrix.errors import NothingRanError, UsageError
from jdkmatrix.matrix_run import RunOptions, usual_jobs
from jdkmatrix.paths import Checkout
from jdkmatrix.pipeline import run_matrix
from jdkmatrix.report.display import Display
from jdkmatrix.report.files import write_reports
from jdkmatrix.report.results import Results
from jdkmatrix.report.throughput_display import ThroughputDisplay
from jdkmatrix.run.record import Request
from jdkmatrix.run.run_lock import measuring_alone
from jdkmatrix.run.store import RunFolder, now_iso
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.fetch import Supplier
from jdkmatrix.supply.local import expanded
from jdkmatrix.supply.lock import LockFile, this_platform
from jdkmatrix.supply.source import SourceError
from jdkmatrix.throughput.pipeline import Supplied, load_programs, measure, new_plan, tell_load
from jdkmatrix.throughput.run import ThroughputOptions
from jdkmatrix.throughput.selection import ThroughputRequest, ThroughputSelection, version_of
from jdkmatrix.verdict.validation import MOST_BLOCKS

# How long the whole may take, in minutes, and what is left for throughput at the least.
DEFAULT_MINUTES = 10
LEAST_THROUGHPUT_S = 240


@dataclass(frozen=True)
class Candidate:
    """The build to be judged: an entry of `jdks.yaml`, or the folder of a JDK."""

    entry: BuildEntry | None
    path: Path | None

    @property
    def request(self) -> Request:
        """Its reproducers."""
        if self.entry:
            return Request(builds=(self.entry.id,))
        return Request(jdks=(str(self.path),))


def validate_build(
    checkout: Checkout,
    text: str,
    baseline: str | None,
    *,
    minutes: int,
    seed: int,
    confirm: bool,
    offline: bool,
    out: Path | None,
    supply_display: Display,
    display: Display,
    speed_display: ThroughputDisplay,
) -> tuple[Results, Path]:
    """Judge the JDK at a path, or the build of that id; return the results and the run's folder.

    Raises UsageError for a build that there is not, NothingRanError if no release of its train
    can be had to compare it with, MachineError if another run measures.
    """
    began = time.monotonic()
    jdks = load_jdks(checkout.jdks)
    ids = LockFile(checkout.lock).build_ids(this_platform())
    candidate = candidate_of(jdks, ids, text)
    named = _entry(jdks, ids, baseline, "--baseline") if baseline else None
    with measuring_alone(f"since {now_iso()}, of {checkout.root}"):
        with supply_display:
            supplier = Supplier.of(checkout, offline, supply_display)
            new = _get(supplier, candidate)
            old = _baseline(supplier, jdks, ids, new, named)
            selection = ThroughputSelection.of(checkout, ThroughputRequest()).validating()
            _prepare_load(checkout, supplier, selection)
        tell_load(speed_display)
        options = RunOptions(jobs=usual_jobs(), offline=offline, out=out)
        with display:
            request = candidate.request.model_copy(update={"confirm": confirm})
            results, path = run_matrix(checkout, request, options, display)
        if not results.complete:
            return results, path
        left_s = max(LEAST_THROUGHPUT_S, 60 * minutes - (time.monotonic() - began))
        speed = ThroughputOptions(blocks=MOST_BLOCKS, seed=seed, budget_s=left_s)
        return _throughput(checkout, supplier, selection, speed, new, old, path, speed_display)


def candidate_of(jdks: JdksFile, ids: Mapping[str, str], text: str) -> Candidate:
    """What `JDK-OR-PATH` means. Raises UsageError."""
    try:
        path = expanded(Path(text)).absolute()
    except SourceError as error:
        raise UsageError(f"JDK-OR-PATH {text}: {error}") from None
    if path.is_dir() or "/" in text:
        return Candidate(None, path)
    return Candidate(_entry(jdks, ids, text, "JDK-OR-PATH"), None)


def older_releases(jdks: JdksFile, ids: Mapping[str, str], new: JdkVersion) -> Iterator[BuildEntry]:
    """The entries of the same train with an older release, newest first; no early access."""
    known = [
        (version_of(ids.get(entry.id, entry.id)), entry)
        for entry in jdks.builds
        if entry.id in ids or not entry.moves
    ]
    fit = [
        (found, entry)
        for found, entry in known
        if found.train == new.train and found < new and not found.pre
    ]
    for _, entry in sorted(fit, key=lambda pair: pair[0], reverse=True):
        yield entry


def _prepare_load(checkout: Checkout, supplier: Supplier, selection: ThroughputSelection) -> None:
    """Get the jars and compile the load before minutes are spent on reproducers.

    Raises MachineError.
    """
    programs = load_programs(checkout, supplier.tool_jdk(), supplier.jars(checkout))
    for workload in selection.workloads:
        programs.class_path(selection.file.clients[workload.client])
        programs.peer_class_paths({host.peer for host in workload.scenario.hosts.values()})


def _throughput(
    checkout: Checkout,
    supplier: Supplier,
    selection: ThroughputSelection,
    options: ThroughputOptions,
    new: Build,
    old: Build,
    path: Path,
    display: ThroughputDisplay,
) -> tuple[Results, Path]:
    folder = RunFolder.open(path)
    record = folder.read_run()
    judged = record.builds[0]
    compared = build_record(old)
    if compared.id == judged.id:  # a changed copy of a release, against that release
        compared = compared.model_copy(update={"id": f"{compared.id}@baseline"})
    if compared.entry == judged.entry:
        judged = judged.model_copy(update={"entry": f"{judged.entry}@new"})
    supplied = Supplied(
        builds={judged.id: judged, compared.id: compared},
        unavailable=(),
        tool_jdk=supplier.tool_jdk(),
        jars=supplier.jars(checkout),
    )
    record = record.model_copy(update={"builds": (judged, compared), "finished": None})
    folder.write_run(record)
    selection = selection.against(compared.entry)
    options = replace(options, validates=(judged.id, compared.id))
    plan = new_plan(selection, options, supplied)
    for told in plan.left_out:
        display.notice(told)
    record = measure(checkout, selection, options, supplied, record, plan, folder, display)
    rules = load_rules(checkout.rules)
    results = assemble(record, folder, selection.ledger, rules)
    write_reports(results, folder.path)
    return results, folder.path


def _get(supplier: Supplier, candidate: Candidate) -> Build:
    if candidate.entry is None:
        assert candidate.path
        try:
            return supplier.local(candidate.path)
        except UsageError as error:
            raise UsageError(str(error).replace("--jdk", "JDK-OR-PATH", 1)) from None
    (outcome,) = supplier.supply([candidate.entry])
    if isinstance(outcome, Build):
        return outcome
    raise NothingRanError(str(outcome))


def _baseline(
    supplier: Supplier,
    jdks: JdksFile,
    ids: Mapping[str, str],
    new: Build,
    named: BuildEntry | None,
) -> Build:
    """The named build, or the newest older release of the train that can be had."""
    wanted = [named] if named else list(older_releases(jdks, ids, new.version))
    reasons = []
    for entry in wanted:
        (outcome,) = supplier.supply([entry])
        if isinstance(outcome, Build):
            return outcome
        reasons.append(str(outcome))
    if reasons:
        raise NothingRanError(f"nothing to compare {new.id} with: {'; '.join(reasons)}")
    known = ", ".join(entry.id for entry in jdks.builds)
    raise UsageError(
        f"{new.id}: jdks.yaml has no older release of train {new.train}; "
        f"name one by --baseline; accepted: {known}"
    )


def _entry(jdks: JdksFile, ids: Mapping[str, str], text: str, option: str) -> BuildEntry:
    for entry in jdks.builds:
        if text in (entry.id, ids.get(entry.id)):
            return entry
    known = ", ".join(entry.id for entry in jdks.builds)
    also = "" if option.startswith("--") else ", or the folder of a JDK"
    raise UsageError(f"{option} {text}: no such build; accepted: {known}{also}")
