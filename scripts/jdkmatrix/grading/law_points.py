# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does each build reach at a point of a sweep, and what does the law predict?"""

from collections.abc import Iterator, Mapping, Sequence

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.plan.blocks import BASELINE, CONTROL
from jdkmatrix.plan.workloads import shown_on
from jdkmatrix.records.comparison_record import ComparisonRecord
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.sample_record import BlockRecord, SampleRecord
from jdkmatrix.results.speed import LawPoint
from jdkmatrix.verdict.lock_law import predicted_requests_per_s
from jdkmatrix.vocabulary import Expectation, Metric
from jdkmatrix.words.shortfalls import shortfalls


def law_points(
    comparison: ComparisonRecord,
    blocks: Sequence[BlockRecord],
    ledger: Ledger,
    builds: Mapping[str, BuildRecord],
) -> Iterator[LawPoint]:
    """What each build reached at one point of a sweep, and what the law predicts. `builds` are the
    run's, by id.

    The baseline runs twice in each block, so it has twice as many samples.
    """
    for build in comparison.builds:
        arms = (BASELINE, CONTROL) if build == comparison.baseline else (build,)
        samples = [sample for block in blocks for arm in arms if (sample := block.sample(arm))]
        share = _closed_share(samples) if _relay_counts(comparison) else None
        expectation = expected_on(build, comparison, ledger, builds)
        yield LawPoint(
            scenario=comparison.scenario_name.partition("@")[0],
            client=comparison.client,
            build=build,
            expectation=expectation,
            parameters=comparison.sweep,
            measured_requests_per_s=tuple(
                sample.figures[Metric.REQUESTS_PER_S] for sample in samples
            ),
            closed_share=share,
            predicted_requests_per_s=_predict_rate(comparison, expectation, share),
            lacks=tuple(shortfalls(comparison, blocks, arms, builds)),
        )


def expected_on(
    name: str, comparison: ComparisonRecord, ledger: Ledger, builds: Mapping[str, BuildRecord]
) -> Expectation:
    """What the ledger says of a scenario on a build or copy of that name; unknown if the run ended
    before it looked at the build.
    """
    build = builds.get(comparison.build_of(name))
    return shown_on(comparison.scenario, build.jdk_version if build else None, ledger)


def _relay_counts(comparison: ComparisonRecord) -> bool:
    """Whether a relay sees which side closes the connections that the law is about."""
    law = comparison.scenario.law
    return law is not None and comparison.scenario.hosts[law.host].has_relay


def _closed_share(samples: Sequence[SampleRecord]) -> float | None:
    """Connections that the client closed per request, over all samples; None without requests."""
    requests = sum(sample.requests for sample in samples)
    return sum(sample.closed for sample in samples) / requests if requests else None


def _predict_rate(
    comparison: ComparisonRecord, expectation: Expectation, closed_share: float | None
) -> float | None:
    law = comparison.scenario.law
    if law is None or closed_share is None:
        return None
    group = comparison.scenario.groups[law.group]
    is_affected = expectation is Expectation.AFFECTED
    return predicted_requests_per_s(
        threads=group.threads,
        think_ms=group.think_ms,
        rtt_ms=comparison.scenario.hosts[law.host].rtt_ms,
        round_trips=law.fixed_round_trips,
        lock_round_trips=law.affected_round_trips if is_affected else None,
        closed_share=closed_share,
    )
