# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which comparisons does a selection mean, and how long can they take?"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from jdkmatrix.config.scenarios import Scenario
from jdkmatrix.plan.workloads import Workloads, shown_on
from jdkmatrix.records.comparison_record import ComparisonRecord
from jdkmatrix.supply.build import NamedBuild
from jdkmatrix.verdict.ratio import LEAST_BLOCKS
from jdkmatrix.vocabulary import Expectation

# What a sample takes besides its warm-up and window: two JVM starts, counters, the end.
_START_S = 1.5
# In 6 s the methods of a service were seen 44 to 118 times.
_PROFILED_MS = 20_000
# How long a peer asks itself to warm up, if its host says nothing else (BarePeer, WireMockPeer).
_PEER_WARM_UP_MS = 4000


def plan_comparisons(
    speed: Workloads, builds: Mapping[int, NamedBuild]
) -> tuple[ComparisonRecord, ...]:
    """Each workload on each group of builds: the baseline and the others that it runs on, if any.

    `builds` are by their places in the selection.
    """
    comparisons = []
    for workload in speed.workloads:
        subject = speed.file.subject(workload.client)
        since_train = speed.since_train(workload)

        def is_affected(build: NamedBuild, scenario: Scenario = workload.base_scenario) -> bool:
            return shown_on(scenario, build.version, speed.ledger) is Expectation.AFFECTED

        for group in speed.groups(builds, is_affected):
            able = [build.id for build in group.builds if build.version.train >= since_train]
            fit = (*able, *group.copies)
            if group.baseline.id in able and len(fit) > 1:
                comparisons.append(
                    ComparisonRecord(
                        scenario_name=workload.name,
                        scenario=workload.scenario,
                        client=workload.client,
                        layer=subject.layer,
                        builds=fit,
                        baseline=group.baseline.id,
                        copies=group.copies,
                        sweep=dict(workload.sweep),
                        most_loss=workload.most_loss,
                        if_slower=workload.if_slower,
                    )
                )
    return tuple(comparisons)


def passed_over(speed: Workloads, builds: Mapping[int, NamedBuild]) -> Iterator[str]:
    """A line for each build and each workload of the selection that is in no comparison."""
    comparisons = plan_comparisons(speed, builds)
    compared_builds = {build for comparison in comparisons for build in comparison.builds}
    oldest_train = min(map(speed.since_train, speed.workloads))
    for build in builds.values():
        if build.id not in compared_builds:
            reason = _why_not_compared(build.version.train, oldest_train, speed.baseline)
            yield f"{build.id} is not compared: {reason}"
    if not comparisons:
        return
    measured_pairs = {(comparison.scenario_name, comparison.client) for comparison in comparisons}
    for workload in speed.workloads:
        if (workload.name, workload.client) not in measured_pairs:
            since_train = speed.since_train(workload)
            name = f"{workload.name} with {workload.client}"
            yield f"{name} is left out: needs two builds of {since_train}+"


def _why_not_compared(train: int, least_train: int, baseline: int | None) -> str:
    if train < least_train:
        return f"the selected workloads need JDK {least_train} or later"
    if baseline is None:
        return f"no other build of train {train}; see --baseline and --copies"
    return "no client runs on both; see --baseline and --copies"


def as_planned(comparisons: Sequence[ComparisonRecord], blocks: int) -> list[dict[str, object]]:
    """The comparisons as `throughput --dry-run` prints them."""
    warm = {place for places in rounds_of(comparisons) for place in places[1:]}
    return [
        {
            "scenario": comparison.scenario_name,
            "client": comparison.client,
            "baseline": comparison.baseline,
            "builds": [build for build in comparison.builds if build != comparison.baseline],
            "blocks": blocks,
            "seconds_at_most": round(seconds_of(comparison, blocks, is_warm=place in warm)),
        }
        for place, comparison in enumerate(comparisons)
    ]


def rounds_of(comparisons: Sequence[ComparisonRecord]) -> list[list[int]]:
    """The rounds, in order: each the places of the comparisons that have their blocks in turn.

    Most comparisons have a round of their own. Those whose services may stay warm share one, the
    largest bodies first: ciphers are compiled by the bytes that they have seen.
    """
    rounds: dict[object, list[int]] = {}
    for place, comparison in enumerate(comparisons):
        key: object = place
        if comparison.scenario.warm_up_again_ms:
            key = (
                comparison.client,
                comparison.builds,
                comparison.baseline,
                _but_for_bodies(comparison.scenario),
            )
        rounds.setdefault(key, []).append(place)
    return [
        sorted(places, key=lambda place: -(comparisons[place].scenario.echo_bytes or 0))
        for places in rounds.values()
    ]


def _but_for_bodies(scenario: Scenario) -> str:
    """What a scenario does to a service, but for body sizes: one text for all of a round."""
    essence = scenario.model_copy(
        update={
            "title": "",
            "controls": {},
            "services": (),
            "published": {},
            "warm_up_requests": None,
        }
    )
    groups = {
        name: group.model_copy(update={"request_body_bytes": 0, "response_body_bytes": 0})
        for name, group in scenario.groups.items()
    }
    return essence.model_copy(update={"groups": groups}).model_dump_json()


def block_s(comparison: ComparisonRecord, *, is_warm: bool = False) -> float:
    """The time of a block: a sample of each build and one more of the baseline; no repeats."""
    warm_up_ms = comparison.scenario.warm_up_again_ms if is_warm else None
    return (len(comparison.builds) + 1) * _sample_s(comparison, warm_up_ms)


def round_s(comparisons: Sequence[ComparisonRecord]) -> float:
    """The time of a block of each; the first one warms the services up for the others."""
    first, *rest = comparisons
    return block_s(first) + sum(block_s(comparison, is_warm=True) for comparison in rest)


def seconds_of(comparison: ComparisonRecord, blocks: int, *, is_warm: bool = False) -> float:
    """The time of that many blocks, if none is repeated and no slower build has to be recorded.

    With `is_warm` the comparison before it leaves its services warm. Before the first block peers
    warm up, each by itself; without turns and services, one more sample lets them compile.
    """
    scenario = comparison.scenario
    settling_s = 0 if scenario.turn_ms or scenario.services else _sample_s(comparison)
    return _peers_s(comparison) + settling_s + blocks * block_s(comparison, is_warm=is_warm)


def least_s(in_turn: Iterable[ComparisonRecord]) -> float:
    """The time of one round with as many blocks as an interval needs, if nothing is slower.

    The first comparison warms the services up for the others.
    """
    required_comparisons = [comparison for comparison in in_turn if not comparison.if_slower]
    return sum(
        seconds_of(comparison, LEAST_BLOCKS, is_warm=place > 0)
        for place, comparison in enumerate(required_comparisons)
    )


def share_s(needs_s: Sequence[float], left_s: float, *, equal: bool) -> float:
    """How long the first of several rounds may take: what it needs (`needs_s`), and all the time
    that none of them needs, or an `equal` share of that.
    """
    spare_s = left_s - sum(needs_s)
    return needs_s[0] + (spare_s / len(needs_s) if equal else spare_s)


def recordings_s(comparison: ComparisonRecord) -> float:
    """The time to record one more sample of each build, if any is slower."""
    warm_up_ms = comparison.scenario.warm_up_ms
    return len(comparison.builds) * (warm_up_ms + recorded_ms(comparison.scenario)) / 1000


def recorded_ms(scenario: Scenario) -> int:
    """How long a slower build is measured with a recording."""
    return max(_PROFILED_MS, scenario.measure_ms) if scenario.services else scenario.measure_ms


def _sample_s(comparison: ComparisonRecord, warm_up_ms: int | None = None) -> float:
    scenario = comparison.scenario
    return ((warm_up_ms or scenario.warm_up_ms) + scenario.measure_ms) / 1000 + _START_S


def _peers_s(comparison: ComparisonRecord) -> float:
    """The time in which peers start and warm up; for services, samples include it."""
    if comparison.scenario.services:
        return 0
    hosts = comparison.scenario.hosts.values()
    warm_up_ms = [float(host.settings.get("warm_up_ms", _PEER_WARM_UP_MS)) for host in hosts]
    return sum(each_ms / 1000 + _START_S for each_ms in warm_up_ms)
