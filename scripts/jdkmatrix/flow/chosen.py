# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is to be run, and on which builds? The user's mistakes surface here, before a run's folder
is made.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from jdkmatrix.errors import NothingRanError, UsageError
from jdkmatrix.flow.arrivals import Arrival, Arrivals
from jdkmatrix.flow.tools import Tools
from jdkmatrix.machine.footing import check_footing
from jdkmatrix.plan.candidate import with_baseline
from jdkmatrix.plan.selection import Selection
from jdkmatrix.plan.sharding import shard_of
from jdkmatrix.records.comparison_record import ThroughputRecord
from jdkmatrix.records.record import RunRecord, ShardRecord
from jdkmatrix.records.request import Request, SpeedRequest
from jdkmatrix.report.console.display import Display
from jdkmatrix.supply.build import Build, NamedBuild, Unavailable
from jdkmatrix.supply.supplier import Supplier
from jdkmatrix.supply.tool_jdk import ToolJdkUse


@dataclass(frozen=True)
class ResolvedRequest:
    """A request, looked up. `arrivals` yields each build as it comes; `all_arrivals` has them
    all, in the same order, if they had to be supplied first, otherwise it is None.
    """

    request: Request
    selection: Selection
    shard: ShardRecord | None
    supplier: Supplier
    arrivals: Iterator[Arrival]
    all_arrivals: tuple[Arrival, ...] | None
    speed: ThroughputRecord | None


def choose(
    tools: Tools,
    request: Request,
    selection: Selection,
    display: Display,
    offline: bool,
    paranoid: bool,
    stored_run: RunRecord | None = None,
    out: Path | None = None,
) -> ResolvedRequest:
    """Settle what a request is that means this `selection`; if a run is resumed, that of
    `stored_run`. Builds are supplied first for measurements, overlays, and a resumed run.

    Raises UsageError for an invalid request, NothingRanError if there is nothing to run,
    MachineError if this machine lacks what each test stands on.
    """
    checkout = tools.checkout
    _check_tests_left(selection)
    check_footing([out or checkout.reports])  # before builds are fetched
    supplier = tools.supplier(selection.catalog.jdks, display, offline=offline, paranoid=paranoid)
    if request.validates and stored_run is None:
        request = with_baseline(request, selection.catalog, supplier)
        selection = selection.with_baseline(request)
    builds = Arrivals(checkout, selection, supplier, needs_compiler=request.needs_compiler)
    shard, selection = shard_of(checkout, selection, request, builds.local_builds)
    supplier.tool_jdk_use = ToolJdkUse(
        fetched_entries=frozenset(entry.id for entry in selection.entries),
        judges=request.validates,
        resumed_build=stored_run.kit.tool_jdk if stored_run else None,
    )
    if request.program:  # one that does not compile leaves no run
        tools.programs(selection, request, supplier.tool_jdk())
    arrivals = builds.deliver(selection)
    all_arrivals, speed = None, None
    if selection.overlay or selection.speed or stored_run:
        all_arrivals = tuple(arrivals)
        arrivals = iter(all_arrivals)
        speed = _comparisons_of(request, selection, all_arrivals, stored_run, display)
    for notice in selection.list_omissions():
        display.notice(notice)
    return ResolvedRequest(request, selection, shard, supplier, arrivals, all_arrivals, speed)


def _check_tests_left(selection: Selection) -> None:
    if selection.left_out and not selection.tests:
        reasons = "; ".join(f"{test}: {reason}" for test, reason in selection.left_out.items())
        raise NothingRanError(f"left out by ProblemList.txt, unless --test names it: {reasons}")


def _comparisons_of(
    request: Request,
    selection: Selection,
    arrivals: Sequence[Arrival],
    stored_run: RunRecord | None,
    display: Display,
) -> ThroughputRecord | None:
    """What is measured: the stored plan, but for a merged run or a validation the whole one."""
    if selection.speed is None:
        return None
    if stored_run is None or stored_run.speed is None:
        return _plan_speed(request, selection, arrivals, display)
    # `check_builds` refuses to resume a validation that lacks one of its builds.
    is_whole = all(isinstance(arrival.outcome, Build) for arrival in arrivals)
    if stored_run.merged or (stored_run.speed.validates and is_whole):
        return _with_stored(_plan_speed(request, selection, arrivals, display), stored_run.speed)
    return stored_run.speed


def _with_stored(whole: ThroughputRecord, stored_plan: ThroughputRecord) -> ThroughputRecord:
    """The whole plan, with what is stored of it unchanged: a merged run may lack a shard, a resumed
    validation the controls that it did not need.
    """
    by_name = {comparison.name: comparison for comparison in stored_plan.comparisons}
    comparisons = tuple(
        by_name.get(comparison.name, comparison) for comparison in whole.comparisons
    )
    return whole.model_copy(update={"comparisons": comparisons})


def _plan_speed(
    request: Request, selection: Selection, arrivals: Sequence[Arrival], display: Display
) -> ThroughputRecord:
    """What a request measures on the builds in `arrivals`.

    Raises NothingRanError if that is nothing, UsageError for a JDK that is given twice.
    """
    speed_request = request.speed
    assert speed_request and selection.speed
    of_speed = [arrival for arrival in arrivals if arrival.place != selection.counterpart]
    builds = _compared_builds(of_speed)
    if request.validates and speed_request.baseline is None:
        (candidate,) = builds.values()
        return _by_itself(speed_request, candidate, display)
    comparisons = selection.comparisons(builds)
    left_out = tuple(selection.passed_over(builds))
    if not comparisons:
        raise NothingRanError(_lack_of_builds(arrivals, left_out))
    for notice in left_out:
        display.notice(notice)
    validates = _find_pair(builds, selection.speed.baseline) if request.validates else None
    return ThroughputRecord(
        seed=speed_request.seed,
        blocks=speed_request.blocks,
        minimum_effect=speed_request.minimum_effect,
        validates=validates,
        left_out=left_out if validates else (),
        comparisons=comparisons,
    )


def _compared_builds(arrivals: Sequence[Arrival]) -> dict[int, NamedBuild]:
    """The builds that are there, by their places. Raises UsageError for one twice."""
    jdks = {
        arrival.place: arrival.outcome
        for arrival in sorted(arrivals, key=lambda arrival: arrival.place)
        if isinstance(arrival.outcome, Build) and not arrival.outcome.overlay
    }
    homes = [jdk.home for jdk in jdks.values()]
    for home in homes:
        if homes.count(home) > 1:
            raise UsageError(f"{home}: the same JDK twice; accepted: each once (see --copies)")
    return {place: jdk.identity for place, jdk in jdks.items()}


def _lack_of_builds(arrivals: Sequence[Arrival], left_out: Sequence[str]) -> str:
    outcomes = [arrival.outcome for arrival in arrivals]
    missing = [str(outcome) for outcome in outcomes if isinstance(outcome, Unavailable)]
    reasons = "; ".join([*missing, *left_out])
    return f"no two builds to compare: {reasons}" if reasons else "no two builds to compare"


def _find_pair(builds: Mapping[int, NamedBuild], baseline_place: int | None) -> tuple[str, str]:
    """The build that is judged, and its baseline."""
    assert baseline_place is not None
    baseline = builds[baseline_place].id
    (candidate,) = (build.id for build in builds.values() if build.id != baseline)
    return candidate, baseline


def _by_itself(
    speed_request: SpeedRequest, candidate: NamedBuild, display: Display
) -> ThroughputRecord:
    """The plan for a candidate without an older release: nothing is measured."""
    train = candidate.version.train
    choices = "name one, or its folder, with --baseline"
    reason = f"jdks.yaml has no older release of train {train}; {choices}"
    display.notice(f"{candidate.id} is not compared: {reason}")
    return ThroughputRecord(
        seed=speed_request.seed,
        blocks=speed_request.blocks,
        minimum_effect=speed_request.minimum_effect,
        validates=(candidate.id, None),
        left_out=(
            f"speed, what its defaults changed, what it does, and rows that must work: {reason}",
        ),
    )
