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
        **_columns(kit, "jtreg", "tool_jdk"),
        **_columns(machine, "os", "kernel", "architecture", "cores", "memory_mib"),
    }


def build_rows(results: Results) -> Iterator[Row]:
    """The rows of `builds`."""
    series = _series(results)
    for build in results.builds:
        yield {
            **series[build.id],
            "version": build.facts.get("version") or build.version,
            **_columns(build, "train", "source", "sha256"),
        }


def cell_rows(results: Results) -> Iterator[Row]:
    """The rows of `cells`."""
    series = _series(results)
    for cell in results.cells:
        figure = _figure(cell)
        yield {
            **series[cell.build],
            **_columns(cell, "test", "bug", "expectation", "outcome", "grade"),
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
            "subject": case.test or case.subject,
            "baseline_entry": entries[case.baseline] if case.baseline else "",
            "bug": case.group if is_bug_id(case.group) else None,
            **_columns(case, "kind", "outcome", "grade", "status", "seconds"),
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
            **_columns(
                comparison, "scenario", "client", "server", "echo_bytes", "baseline", "blocks"
            ),
            "layer": comparison.layer if comparison.server else None,
            "baseline_entry": baseline["entry"],
            "bugs": " ".join(comparison.bugs),
            **_columns(figure, "metric", "ratio", "median", "baseline_median", "grade"),
            "ci95_low": ci95[0],
            "ci95_high": ci95[1],
            "control_low": control[0],
            "control_high": control[1],
            "surprise": figure.grade is SpeedGrade.SLOWER and not comparison.may_be_slower,
        }


def topic_rows(results: Results) -> Iterator[Row]:
    """The rows of `topics`."""
    validation = results.validation
    for topic in validation.topics if validation else ():
        yield {**_judged_series(results), **_columns(topic, "topic", "verdict", "sentence")}


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
            **_columns(change, "aspect", "kind", "item"),
            "old_value": change.before,
            "new_value": change.after,
            "bug": bug,
        }


def _columns(source: object, *names: str) -> Row:
    """The attributes of these names, which the table's columns have too."""
    return {name: getattr(source, name) for name in names}


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
