# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Which rows does a run become? Pure: results in, rows per table out, keyed by column."""

from collections.abc import Iterator
from typing import Any

from jdkmatrix.config.ledger import is_bug_id
from jdkmatrix.evidence.outcomes import Figure
from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.results.series import series_of
from jdkmatrix.results.speed import ThroughputResult
from jdkmatrix.vocabulary import SpeedGrade

Row = dict[str, Any]


def run_row(results: Results) -> Row:
    """The row of `runs`."""
    machine, kit = results.machine, results.kit
    return {
        "run": results.run,
        "started": results.started_at,
        "finished": results.finished_at,
        "verdict": results.validation.verdict if results.validation else None,
        "kit_version": kit.version,
        "kit_commit": kit.commit,
        "jtreg": kit.jtreg,
        "tool_jdk": kit.tool_jdk,
        "os": machine.os,
        "kernel": machine.kernel,
        "architecture": machine.architecture,
        "cores": machine.cores,
        "memory_mib": machine.memory_mib,
    }


def build_rows(results: Results) -> Iterator[Row]:
    """The rows of `builds`."""
    series = _series(results)
    for build in results.builds:
        yield {
            **series[build.id],
            "version": build.facts.get("version") or build.version,
            "train": build.train,
            "source": build.source,
            "sha256": build.sha256,
        }


def cell_rows(results: Results) -> Iterator[Row]:
    """The rows of `cells`."""
    series = _series(results)
    for cell in results.cells:
        figure = _figure(cell)
        yield {
            **series[cell.build],
            "test": cell.test,
            "bug": cell.bug,
            "expectation": cell.expectation,
            "outcome": cell.outcome,
            "grade": cell.grade,
            "seconds": cell.seconds if cell.test_seconds is None else cell.test_seconds,
            "blocked_ms": _blocked_ms(cell),
            "figure": figure and figure.name,
            "figure_value": figure and figure.value,
            "figure_bound": figure and figure.bound,
            "figure_unit": figure and figure.unit,
        }


def case_rows(results: Results) -> Iterator[Row]:
    """The rows of `cases`: all that count by themselves and are of a build that is known."""
    series = _series(results)
    entries = {build: row["entry"] for build, row in series.items()}
    for case in results.cases:
        if case.part_of or (case.baseline and case.baseline not in series):
            continue
        yield {
            **series.get(case.build, {"build": case.build, "entry": case.build, "variant": ""}),
            "kind": case.kind,
            "subject": case.test or case.subject,
            "baseline_entry": entries[case.baseline] if case.baseline else "",
            "bug": case.group if is_bug_id(case.group) else None,
            "outcome": case.outcome,
            "grade": case.grade,
            "status": case.status,
            "seconds": case.seconds,
        }


def throughput_rows(results: Results) -> Iterator[Row]:
    """The rows of `throughput`; none for a copy, which only shows how good the measurement is, and
    none for builds that had not been looked at when the run was interrupted.
    """
    series = _series(results)
    for comparison in results.throughput:
        if comparison.is_copy or not {comparison.build, comparison.baseline} <= series.keys():
            continue
        yield from _figures(comparison, series[comparison.build], series[comparison.baseline])


def _figures(comparison: ThroughputResult, build: Row, baseline: Row) -> Iterator[Row]:
    for figure in comparison.figures:
        ci95, control = figure.ci95 or (None, None), figure.control or (None, None)
        yield {
            **build,
            "scenario": comparison.scenario,
            "client": comparison.client,
            "server": comparison.server,
            "layer": comparison.layer if comparison.server else None,
            "echo_bytes": comparison.echo_bytes,
            "baseline": comparison.baseline,
            "baseline_entry": baseline["entry"],
            "metric": figure.metric,
            "bugs": " ".join(comparison.bugs),
            "blocks": comparison.blocks,
            "ratio": figure.ratio,
            "ci95_low": ci95[0],
            "ci95_high": ci95[1],
            "control_low": control[0],
            "control_high": control[1],
            "median": figure.median,
            "baseline_median": figure.baseline_median,
            "grade": figure.grade,
            "surprise": figure.grade is SpeedGrade.SLOWER and not comparison.may_be_slower,
        }


def topic_rows(results: Results) -> Iterator[Row]:
    """The rows of `topics`."""
    validation = results.validation
    for topic in validation.topics if validation else ():
        columns = {"topic": topic.topic, "verdict": topic.verdict, "sentence": topic.sentence}
        yield {**_judged_series(results), **columns}


def default_rows(results: Results) -> Iterator[Row]:
    """The rows of `default_changes`."""
    defaults = results.validation.defaults if results.validation else None
    if defaults is None:
        return
    pairs = [
        (change, explanation.bug or "")
        for explanation in defaults.explained
        for change in explanation.changes
    ]
    for change, bug in (*pairs, *((change, None) for change in defaults.unexplained)):
        yield {
            **_judged_series(results),
            "aspect": change.aspect,
            "kind": change.kind,
            "item": change.item,
            "old_value": change.before,
            "new_value": change.after,
            "bug": bug,
        }


def _judged_series(results: Results) -> Row:
    assert results.validation
    return _series(results)[results.validation.build]


def _series(results: Results) -> dict[str, Row]:
    """The columns that say of which series a row is, by the build's id."""
    return {
        build: {"build": build, "entry": series.entry, "variant": series.variant_name}
        for build, series in series_of(results.builds).items()
    }


def _blocked_ms(cell: CellResult) -> float | None:
    """Blocked time; None without a readable recording. Sampled thread dumps see waits by chance, so
    they give no figure to compare.
    """
    evidence = cell.evidence
    if evidence.is_sampled or evidence.timeline is None:
        return None
    return sum(wait.total_ms for wait in evidence.longest_waits)


def _figure(cell: CellResult) -> Figure | None:
    """The figure that the subject's verdict rests on, the first of its figures."""
    return cell.subject.figures[0] if cell.subject and cell.subject.figures else None
