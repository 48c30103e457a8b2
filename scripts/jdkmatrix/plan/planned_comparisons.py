# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which comparisons does a selection mean, and how long can they take?"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from jdkmatrix.config.scenarios import Scenario
from jdkmatrix.plan.workloads import Workloads, shown_on, version_of
from jdkmatrix.records.comparison_record import ComparisonRecord
from jdkmatrix.verdict.ratio import LEAST_BLOCKS
from jdkmatrix.vocabulary import Expectation

# What a sample takes besides its warm-up and window: two JVM starts, counters, the end.
_START_S = 1.5
# In 6 s the methods of a service were seen 44 to 118 times.
_PROFILED_MS = 20_000
# How long a peer asks itself to warm up, if its host says nothing else (BarePeer, WireMockPeer).
_PEER_WARM_UP_MS = 4000


def plan_comparisons(speed: Workloads, builds: Mapping[int, str]) -> tuple[ComparisonRecord, ...]:
    """Each workload on each group of builds: the baseline and the others that it runs on, if any.

    `builds` are ids by their places in the selection.
    """
    planned = []
    for workload in speed.workloads:
        measured = speed.file.subject(workload.client)
        since = speed.since_train(workload)

        def is_affected(build: str, scenario: Scenario = workload.of) -> bool:
            return shown_on(scenario, build, speed.ledger) is Expectation.AFFECTED

        for baseline, group in speed.groups(builds, is_affected):
            fit = tuple(one for one in group if version_of(one).train >= since)
            if baseline in fit and len(fit) > 1:
                planned.append(
                    ComparisonRecord(
                        scenario_name=workload.name,
                        scenario=workload.scenario,
                        client=workload.client,
                        layer=measured.layer,
                        builds=fit,
                        baseline=baseline,
                        sweep=dict(workload.sweep),
                        most_loss=workload.most_loss,
                        if_slower=workload.if_slower,
                    )
                )
    return tuple(planned)


def passed_over(speed: Workloads, builds: Mapping[int, str]) -> Iterator[str]:
    """A line for each build and each workload of the selection that is in no comparison."""
    planned = plan_comparisons(speed, builds)
    compared = {build for one in planned for build in one.builds}
    least = min(map(speed.since_train, speed.workloads))
    for build in builds.values():
        if build not in compared:
            reason = _why_not_compared(version_of(build).train, least, speed.baseline)
            yield f"{build} is not compared: {reason}"
    if not planned:
        return
    measured = {(comparison.scenario_name, comparison.client) for comparison in planned}
    for workload in speed.workloads:
        if (workload.name, workload.client) not in measured:
            since = speed.since_train(workload)
            name = f"{workload.name} with {workload.client}"
            yield f"{name} is left out: needs two builds of {since}+"


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
            "scenario": one.scenario_name,
            "client": one.client,
            "baseline": one.baseline,
            "builds": [build for build in one.builds if build != one.baseline],
            "blocks": blocks,
            "seconds_at_most": round(seconds_of(one, blocks, is_warm=place in warm)),
        }
        for place, one in enumerate(comparisons)
    ]


def rounds_of(comparisons: Sequence[ComparisonRecord]) -> list[list[int]]:
    """The rounds, in order: each the places of the comparisons that have their blocks in turn.

    Most comparisons have a round of their own. Those whose services may stay warm share one, the
    largest bodies first: ciphers are compiled by the bytes that they have seen.
    """
    rounds: dict[object, list[int]] = {}
    for place, one in enumerate(comparisons):
        key: object = place
        if one.scenario.warm_up_again_ms:
            key = (one.client, one.builds, one.baseline, _but_for_bodies(one.scenario))
        rounds.setdefault(key, []).append(place)
    return [
        sorted(places, key=lambda place: -(comparisons[place].scenario.echo_bytes or 0))
        for places in rounds.values()
    ]


def _but_for_bodies(scenario: Scenario) -> str:
    """What a scenario does to a service, but for body sizes: one text for all of a round."""
    said = scenario.model_copy(
        update={"title": "", "controls": {}, "services": (), "published": {}}
    )
    groups = {
        name: one.model_copy(update={"request_body_bytes": 0, "response_body_bytes": 0})
        for name, one in scenario.groups.items()
    }
    return said.model_copy(update={"groups": groups}).model_dump_json()


def block_s(comparison: ComparisonRecord, *, is_warm: bool = False) -> float:
    """The time of a block: a sample of each build and one more of the baseline; no repeats."""
    warm_up_ms = comparison.scenario.warm_up_again_ms if is_warm else None
    return (len(comparison.builds) + 1) * _sample_s(comparison, warm_up_ms)


def round_s(comparisons: Sequence[ComparisonRecord]) -> float:
    """The time of a block of each; the first one warms the services up for the others."""
    first, *others = comparisons
    return block_s(first) + sum(block_s(one, is_warm=True) for one in others)


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
    needed = [one for one in in_turn if not one.if_slower]
    return sum(seconds_of(one, LEAST_BLOCKS, is_warm=place > 0) for place, one in enumerate(needed))


def share_s(least: Sequence[float], left_s: float, *, equal: bool) -> float:
    """How long the first of several rounds may take: the `least` that it needs, and all the time
    that none of them needs, or an `equal` share of that.
    """
    spare_s = left_s - sum(least)
    return least[0] + (spare_s / len(least) if equal else spare_s)


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
