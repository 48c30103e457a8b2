# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do stored blocks become graded throughput results? Used by a run, and by `matrix report`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from jdkmatrix.config.clients import server_of
from jdkmatrix.config.known_changes import KnownChange
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.grading.law_points import expected_on, law_points
from jdkmatrix.grading.recorded_samples import has_jfr, no_recording, read_evidence
from jdkmatrix.grading.rerun import rerun_command
from jdkmatrix.plan.blocks import BASELINE, CONTROL
from jdkmatrix.records.comparison_record import ComparisonRecord, ThroughputRecord
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.sample_record import BlockRecord, Sample
from jdkmatrix.records.store import comparison_folder, read_blocks
from jdkmatrix.results.speed import (
    BlockResult,
    FigureResult,
    LawPoint,
    SampleFacts,
    SampleResult,
    ThroughputResult,
)
from jdkmatrix.run.samples.blocks_in_turn import is_hopeless
from jdkmatrix.run.samples.sample_jvm import read_sample
from jdkmatrix.verdict.attribution import ClientSpeed, attribution, loss95
from jdkmatrix.verdict.ratio import (
    MINIMUM_COUNT_EFFECT,
    Triple,
    early_grade,
    is_settled,
    judge,
)
from jdkmatrix.verdict.validation import (
    MOST_COUNT_LOSS,
    MOST_LOSS,
    MOST_WAITING_LOSS,
    grade_by_limit,
    loss_of,
)
from jdkmatrix.vocabulary import Layer, Metric, SpeedGrade
from jdkmatrix.words.attribution import attribution_sentence
from jdkmatrix.words.shortfalls import list_early_ends, shortfalls
from jdkmatrix.words.speed import reason_of

# A cell's grade is the gravest of its figures'; gravest first.
_GRAVEST = (
    SpeedGrade.SLOWER,
    SpeedGrade.FASTER,
    SpeedGrade.INCONCLUSIVE,
    SpeedGrade.WITHIN_LIMIT,
    SpeedGrade.NO_CHANGE,
)


def assemble_throughput(
    plan: ThroughputRecord,
    run: Path,
    ledger: Ledger,
    builds: Iterable[BuildRecord],
    known_changes: Sequence[KnownChange] = (),
) -> tuple[tuple[ThroughputResult, ...], tuple[LawPoint, ...]]:
    """The graded cells and the law's points from the blocks stored so far. Raises UsageError."""
    builds_by_id = {build.id: build for build in builds}
    cells: list[ThroughputResult] = []
    points: list[LawPoint] = []
    for comparison in plan.comparisons:
        blocks = list(read_blocks(comparison_folder(run, comparison)))
        if comparison.sweep:
            points += law_points(comparison, blocks, ledger, builds_by_id)
        else:
            cells += grade_comparison(
                comparison, blocks, plan, run, ledger, builds_by_id, known_changes
            )
    return tuple(_attribute_losses(cells)), tuple(points)


def grade_comparison(
    comparison: ComparisonRecord,
    blocks: Sequence[BlockRecord],
    plan: ThroughputRecord,
    run: Path,
    ledger: Ledger,
    builds: Mapping[str, BuildRecord],
    known_changes: Sequence[KnownChange] = (),
) -> Iterator[ThroughputResult]:
    """Grade each build of one comparison against its baseline. `builds` are the run's, by id."""
    for build in comparison.builds:
        if build == comparison.baseline:
            continue
        metrics = metrics_of(comparison, blocks)
        limits = [limit_of(comparison, metric) if plan.validates else None for metric in metrics]
        figures = tuple(
            figure_of(metric, blocks, build, plan.minimum_effect, limit)
            for metric, limit in zip(metrics, limits, strict=True)
        )
        changes = _changes_between(comparison, build, builds, known_changes)
        figures = tuple(_explain(figure, comparison.client, changes) for figure in figures)
        headline = figures[0]
        grave = min(_answering(figures), key=lambda figure: _GRAVEST.index(figure.grade))
        block_count = len(triples_of(blocks, build, headline.metric))
        arms = (BASELINE, CONTROL, build)
        cell = ThroughputResult(
            scenario=comparison.scenario_name,
            client=comparison.client,
            layer=Layer(comparison.layer),
            server=server_of(comparison.client) if comparison.scenario.services else None,
            published=comparison.scenario.published,
            echo_bytes=comparison.scenario.echo_bytes,
            build=build,
            baseline=comparison.baseline,
            copy=build in comparison.copies,
            metric=headline.metric,
            ratio=headline.ratio,
            ci95=headline.ci95,
            control=headline.control,
            blocks=block_count,
            blocks_wanted=plan.blocks,
            minimum_effect=plan.minimum_effect,
            grade=grave.grade,
            graded_by=grave.metric,
            figures=figures,
            bugs=comparison.scenario.shows,
            expectation=expected_on(build, comparison, ledger, builds),
            baseline_expectation=expected_on(comparison.baseline, comparison, ledger, builds),
            reason="",
            unfinished=next(list_early_ends(comparison, blocks, arms, builds), None),
            evidence=read_evidence(run, comparison, build, ledger),
            lacks=tuple(shortfalls(comparison, blocks, arms, builds)),
            rerun=rerun_command(comparison, build, plan, builds),
            order=tuple(_order(block) for block in blocks),
            samples=tuple(_samples(blocks, build, comparison, run)),
        )
        is_unexplained = cell.evidence is None and cell.is_slower_in_time
        if is_unexplained and not has_jfr(comparison, build, builds):
            cell = cell.model_copy(update={"evidence": no_recording(build)})
        yield cell.model_copy(update={"reason": reason_of(cell)})


def _changes_between(
    comparison: ComparisonRecord,
    build: str,
    builds: Mapping[str, BuildRecord],
    known_changes: Iterable[KnownChange],
) -> list[KnownChange]:
    """What may have changed from the baseline to the build, but for what is unreported, which
    excuses nothing; nothing if one of the two was not looked at.
    """
    older = builds.get(comparison.build_of(comparison.baseline))
    newer = builds.get(comparison.build_of(build))
    if older is None or newer is None:
        return []
    versions = older.vendor_version, newer.vendor_version
    reported_changes = (change for change in known_changes if not change.unreported)
    return [change for change in reported_changes if change.is_between(*versions)]


def _explain(figure: FigureResult, client: str, changes: Iterable[KnownChange]) -> FigureResult:
    """The figure; if a change explains why it is slower, within that change's limit."""
    loss = figure.loss
    if figure.grade is not SpeedGrade.SLOWER or loss is None:
        return figure
    for change in changes:
        for pattern in change.counts:
            is_of_pattern = (pattern.figure, pattern.client) == (figure.metric, client)
            if is_of_pattern and loss[1] <= pattern.most_loss:
                update = {"grade": SpeedGrade.WITHIN_LIMIT, "most_loss": None}
                return figure.model_copy(update={**update, "change": change.name})
    return figure


def limit_of(comparison: ComparisonRecord, metric: Metric) -> float | None:
    """The loss that a validation wants a figure to exclude; None if it does not ask."""
    if metric.is_count:
        return MOST_COUNT_LOSS
    if metric is Metric.ANSWERED_PER_S:
        return MOST_WAITING_LOSS
    if comparison.most_loss is None:
        return MOST_LOSS
    return comparison.most_loss if metric is comparison.scenario.headline else None


def _answering(figures: Sequence[FigureResult]) -> Sequence[FigureResult]:
    """The figures that a comparison's grade is of: a count only if it is slower, as what takes less
    need not be faster; in a validation, a figure that it does not ask about only if it has an
    answer.
    """
    figures = [
        figure
        for figure in figures
        if not figure.metric.is_count or figure.grade is SpeedGrade.SLOWER
    ]
    is_asked = [figure.most_loss is not None for figure in figures]
    if not any(is_asked):
        return figures
    return [
        figure
        for figure, has_limit in zip(figures, is_asked, strict=True)
        if has_limit or figure.grade is not SpeedGrade.INCONCLUSIVE
    ]


def comparison_is_settled(
    comparison: ComparisonRecord, blocks: Sequence[BlockRecord], minimum_effect: float
) -> bool:
    """Whether every build's grade is certain enough; never for a point of a sweep, which has none.

    A build that was left out gets no more samples, so it is not waited for.
    """
    return not comparison.sweep and all(
        is_settled(
            [
                early_grade(
                    triples_of(blocks, build, metric),
                    higher_is_better=metric.higher_is_better,
                    minimum_effect=effect_of(metric, minimum_effect),
                )
                for metric in metrics_of(comparison, blocks)
            ]
        )
        for build in comparison.builds
        if build != comparison.baseline and not is_hopeless(blocks, build)
    )


def metrics_of(comparison: ComparisonRecord, blocks: Iterable[BlockRecord]) -> list[Metric]:
    """What is graded. Samples of earlier kits have no counts, nor do those of JVMs that do not
    count; without the driver's word how busy it was, there is no rate at which a service answers.
    """
    figures = {
        metric
        for block in blocks
        for sample in block.graded_attempt.samples
        for metric in sample.figures
    }
    return [
        metric
        for metric in comparison.scenario.metrics
        if not (metric.is_count or metric is Metric.ANSWERED_PER_S) or metric in figures
    ]


def effect_of(metric: Metric, minimum_effect: float) -> float:
    """The smallest change of a metric that is graded, where that of times is `minimum_effect`."""
    return min(minimum_effect, MINIMUM_COUNT_EFFECT) if metric.is_count else minimum_effect


def triples_of(blocks: Iterable[BlockRecord], build: str, metric: Metric) -> list[Triple]:
    """The figures of the blocks in which baseline, control and build all count."""
    triples = []
    for block in blocks:
        arms = [block.sample(name) for name in (BASELINE, CONTROL, build)]
        figures = [arm.figures[metric] for arm in arms if arm and metric in arm.figures]
        if len(figures) == len(arms):
            triples.append(Triple(*figures))
    return triples


def figure_of(
    metric: Metric,
    blocks: Sequence[BlockRecord],
    build: str,
    minimum_effect: float,
    most_loss: float | None = None,
) -> FigureResult:
    """One graded figure of a build; `most_loss` is the limit of a validation, if it sets one."""
    triples = triples_of(blocks, build, metric)
    better = metric.higher_is_better
    effect = effect_of(metric, minimum_effect)
    verdict = judge(triples, higher_is_better=better, minimum_effect=effect)
    baselines = [baseline for triple in triples for baseline in (triple.baseline, triple.control)]
    return FigureResult(
        metric=metric,
        higher_is_better=better,
        ratio=verdict.ratio,
        ci95=verdict.ci95,
        control_ratio=verdict.control_ratio,
        control=verdict.control,
        median=median(triple.subject for triple in triples) if triples else None,
        baseline_median=median(baselines) if triples else None,
        grade=grade_by_limit(
            verdict.grade, loss_of(verdict.ci95, higher_is_better=better), most_loss
        ),
        most_loss=most_loss,
        smallest_loss=verdict.smallest_loss,
    )


def _samples(
    blocks: Sequence[BlockRecord], build: str, comparison: ComparisonRecord, run: Path
) -> Iterator[SampleResult]:
    folder = comparison_folder(run, comparison)
    for block in blocks:
        for number, attempt in enumerate(block.attempts, 1):
            for sample in attempt.samples:
                if sample.arm in (BASELINE, CONTROL, build):
                    yield SampleResult(
                        block=block.block,
                        attempt=number,
                        arm=sample.arm,
                        build=sample.build,
                        counted=attempt is block.graded_attempt and sample.counts,
                        figures=sample.figures,
                        void=sample.void,
                        vetoes=sample.vetoes,
                        folder=f"throughput/{comparison.name}/{sample.folder}",
                        facts=_facts(read_sample(folder / sample.folder)),
                    )


def _facts(sample: Sample | None) -> SampleFacts | None:
    if sample is None:
        return None
    return SampleFacts(
        pacing=sample.pacing,
        protocol=sample.protocol,
        cipher=sample.cipher,
        connections=sample.connections,
        full_handshakes=sample.read_counter("handshakes.full"),
        resumed_handshakes=sample.read_counter("handshakes.resumed"),
        errors=sample.errors,
        allocated_bytes_per_request=sample.allocated_bytes_per_request,
        gc_count=sample.gc.count if sample.gc else None,
        gc_ms=sample.gc.ms if sample.gc else None,
    )


def _order(block: BlockRecord) -> BlockResult:
    attempt = block.graded_attempt
    order = tuple(sample.arm for sample in attempt.samples)
    attempts = len(block.attempts)
    return BlockResult(block=block.block, attempts=attempts, order=order, machine=attempt.machine)


def _attribute_losses(cells: Sequence[ThroughputResult]) -> Iterator[ThroughputResult]:
    """The results. Each slower one says where the slow-down is, as shown by the other clients, or
    by the other services of the same server.
    """
    for cell in cells:
        same = {
            sibling.layer: _client_speed(sibling, cell.graded_by)
            for sibling in cells
            if (sibling.scenario, sibling.build, sibling.server)
            == (cell.scenario, cell.build, cell.server)
            and any(figure.metric is cell.graded_by for figure in sibling.figures)
        }
        is_service = cell.server is not None
        slow_part = None
        if cell.grade is SpeedGrade.SLOWER:
            slow_part = attribution(same, cell.layer, services=is_service)
        sentence = slow_part and attribution_sentence(slow_part, same, services=is_service)
        yield cell.model_copy(update={"attribution": sentence})


def _client_speed(cell: ThroughputResult, metric: Metric) -> ClientSpeed:
    (figure,) = [candidate for candidate in cell.figures if candidate.metric is metric]
    loss = loss95(figure.ci95, higher_is_better=figure.higher_is_better)
    return ClientSpeed(grade=figure.grade, loss95=loss)
