# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How long did threads wait, or spin, as a bug's rule counts it, on each build? Pure.

Other waiting is left out: under load it is as long on a fixed build as on an affected one.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from jdkmatrix.evidence.cause import CauseSource
from jdkmatrix.report.page.grid import BugRows, Grid, TestRow
from jdkmatrix.report.page.scale import linear_ticks
from jdkmatrix.results.document import CellResult

_MOST_TICKS = 6
_MS_PER_S = 1000


@dataclass(frozen=True)
class WaitingBar:
    """One build's waiting in seconds, summed over its threads, and its share of the axis in %."""

    cell: CellResult
    waiting_s: float
    percent: float


@dataclass(frozen=True)
class WaitingPlot:
    """One test's recordings on one axis that begins at 0; ticks are seconds and their places."""

    bug: BugRows
    test: str
    ticks: tuple[tuple[float, float], ...]
    bars: tuple[WaitingBar, ...]


def waiting_plots(grid: Grid) -> Iterator[WaitingPlot]:
    """A plot for each test with a cell whose recording shows the cause; none of a run whose kit did
    not store the time.
    """
    for bug in grid.bugs:
        for row in bug.rows:
            has_cause = any(c.evidence.cause_from is CauseSource.RECORDING for c in row.run)
            if has_cause and (plot := _plot(bug, row)).bars:
                yield plot


def _plot(bug: BugRows, row: TestRow) -> WaitingPlot:
    readings = [
        (cell, cell.evidence.rule_ms / _MS_PER_S)
        for cell in row.run
        if cell.evidence.rule_ms is not None
    ]
    most_s = max((waiting_s for _, waiting_s in readings), default=0) or 1
    return WaitingPlot(
        bug=bug,
        test=row.test,
        ticks=tuple((s, round(100 * s / most_s, 2)) for s in linear_ticks(most_s, _MOST_TICKS)),
        bars=tuple(WaitingBar(cell, s, round(100 * s / most_s, 2)) for cell, s in readings),
    )
