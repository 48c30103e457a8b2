# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is to be run, and on which builds? The user's mistakes surface here, before a run's folder
is made.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from jdkmatrix.errors import NothingRanError, UsageError
from jdkmatrix.flow.arrivals import Arrival, Arrivals
from jdkmatrix.flow.tools import Tools
from jdkmatrix.machine.loopback import check_loopback
from jdkmatrix.plan.candidate import with_baseline
from jdkmatrix.plan.selection import Selection
from jdkmatrix.plan.sharding import shard_of
from jdkmatrix.plan.workloads import version_of
from jdkmatrix.records.comparison_record import ThroughputRecord
from jdkmatrix.records.record import Request, RunRecord, ShardRecord, SpeedRequest
from jdkmatrix.report.console.display import Display
from jdkmatrix.supply.build import Build, Unavailable
from jdkmatrix.supply.supplier import Supplier
from jdkmatrix.supply.tool_jdk import ToolJdkUse


@dataclass(frozen=True)
class ResolvedRequest:
    """A request, looked up. `arrivals` yields each build as it comes; `known` has them all, in the
    same order, if they had to be supplied first, otherwise it is None.
    """

    request: Request
    selection: Selection
    shard: ShardRecord | None
    supplier: Supplier
    arrivals: Iterator[Arrival]
    known: tuple[Arrival, ...] | None
    speed: ThroughputRecord | None


def choose(
    tools: Tools,
    request: Request,
    display: Display,
    offline: bool,
    paranoid: bool,
    stored: RunRecord | None = None,
) -> ResolvedRequest:
    """Look up a request; if a run is resumed, that of the `stored` one. Builds are supplied first
    for measurements, for overlays, and for a run that is resumed.

    Raises UsageError for an invalid request, NothingRanError if there is nothing to run,
    LoopbackError if no test could reach its peer.
    """
    checkout = tools.checkout
    selection = Selection.of(checkout, request)
    if selection.left_out and not selection.tests:
        reasons = "; ".join(f"{test}: {reason}" for test, reason in selection.left_out.items())
        raise NothingRanError(f"left out by ProblemList.txt, unless --test names it: {reasons}")
    check_loopback()  # before builds are fetched
    supplier = tools.supplier(selection.jdks, display, offline=offline, paranoid=paranoid)
    if request.validates and stored is None:
        request = with_baseline(request, selection.jdks, selection.build_ids, supplier)
        selection = Selection.of(checkout, request)
    builds = Arrivals(checkout, selection, supplier, compiled=request.suite is not None)
    shard, selection = shard_of(checkout, selection, request, builds.local_ids)
    supplier.tool_jdk_use = ToolJdkUse(
        fetched=frozenset(entry.id for entry in selection.entries),
        judges=request.validates,
        resumed=stored.kit.tool_jdk if stored else None,
    )
    arrivals = builds.of(selection)
    known, speed = None, None
    if selection.overlay or selection.speed or stored:
        known = tuple(arrivals)
        arrivals = iter(known)
    if selection.speed and known is not None:
        speed = stored.speed if stored else None
        # `check_builds` refuses to resume a validation that lacks one of its builds.
        whole = all(isinstance(one.outcome, Build) for one in known)
        if speed is None or (stored and (stored.merged or (speed.validates and whole))):
            speed = _with_stored(_planned(request, selection, known, display), speed)
    for notice in selection.without():
        display.notice(notice)
    return ResolvedRequest(request, selection, shard, supplier, arrivals, known, speed)


def _with_stored(whole: ThroughputRecord, stored: ThroughputRecord | None) -> ThroughputRecord:
    """The whole plan, with what is stored of it unchanged: a merged run may lack a shard, a resumed
    validation the controls that it did not need.
    """
    by_name = {one.name: one for one in stored.comparisons} if stored else {}
    comparisons = tuple(by_name.get(one.name, one) for one in whole.comparisons)
    return whole.model_copy(update={"comparisons": comparisons})


def _planned(
    request: Request, selection: Selection, known: Sequence[Arrival], display: Display
) -> ThroughputRecord:
    """What a request measures on the `known` builds.

    Raises NothingRanError if that is nothing, UsageError for a JDK that is given twice.
    """
    asked = request.speed
    assert asked and selection.speed
    plain = [
        (one.place, one.outcome)
        for one in known
        if isinstance(one.outcome, Build) and not one.outcome.overlay
    ]
    homes = [jdk.home for _, jdk in plain]
    for home in homes:
        if homes.count(home) > 1:
            raise UsageError(f"{home}: the same JDK twice; accepted: each once (see --copies)")
    builds = {place: jdk.id for place, jdk in sorted(plain)}
    if request.validates and asked.baseline is None:
        (judged,) = builds.values()
        return _by_itself(asked, judged, display)
    comparisons = selection.comparisons(builds)
    left_out = tuple(selection.passed_over(builds))
    if not comparisons:
        missing = [one.outcome for one in known if isinstance(one.outcome, Unavailable)]
        reasons = [str(one) for one in missing] + list(left_out)
        why = f": {'; '.join(reasons)}" if reasons else ""
        raise NothingRanError(f"no two builds to compare{why}")
    for notice in left_out:
        display.notice(notice)
    validates = None
    if request.validates:
        assert selection.speed.baseline is not None
        baseline = builds[selection.speed.baseline]
        (judged,) = (build for build in builds.values() if build != baseline)
        validates = (judged, baseline)
    return ThroughputRecord(
        seed=asked.seed,
        blocks=asked.blocks,
        minimum_effect=asked.minimum_effect,
        validates=validates,
        left_out=left_out if validates else (),
        comparisons=comparisons,
    )


def _by_itself(asked: SpeedRequest, judged: str, display: Display) -> ThroughputRecord:
    """The plan for a candidate without an older release: nothing is measured."""
    train = version_of(judged).train
    accepted = "name one, or its folder, with --baseline"
    why = f"jdks.yaml has no older release of train {train}; {accepted}"
    display.notice(f"{judged} is not compared: {why}")
    return ThroughputRecord(
        seed=asked.seed,
        blocks=asked.blocks,
        minimum_effect=asked.minimum_effect,
        validates=(judged, None),
        left_out=(f"speed, what its defaults changed, and rows that must work: {why}",),
    )
