# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How many threads were blocked, second by second, on affected and on fixed builds? Pure.

A recording's outline is an SVG path of steps: a bin is one unit wide, a thread one unit high.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from jdkmatrix.evidence.digest import Timeline
from jdkmatrix.evidence.why import CauseSource
from jdkmatrix.report.page.grid import BugRows, Grid, TestRow
from jdkmatrix.report.page.scale import linear_ticks
from jdkmatrix.results.document import CellResult

_MOST_TICKS = 6


@dataclass(frozen=True)
class Outline:
    """One build's recording: its path, the most threads blocked at once, the seconds with any.

    `bins` is the length of the whole axis in bins of this recording.
    """

    cell: CellResult
    path: str
    bins: int
    peak: int
    blocked_s: float
    seconds: float


@dataclass(frozen=True)
class TimelinePlot:
    """One test's recordings on the same axes of `seconds` and `threads`."""

    bug: BugRows
    test: str
    seconds: float
    threads: int
    ticks: tuple[tuple[float, float], ...]
    outlines: tuple[Outline, ...]


def timeline_plots(grid: Grid) -> Iterator[TimelinePlot]:
    """A plot for each test with a cell whose recording shows the cause."""
    for bug in grid.bugs:
        for row in bug.rows:
            if any(cell.evidence.cause_from is CauseSource.RECORDING for cell in row.run):
                yield _plot(bug, row)


def outline_path(timeline: Timeline, threads: int) -> str:
    """A path of steps from the lower left; `threads` is the height of the picture."""
    path = [f"M0 {threads}"]
    height = 0
    for thread_count, bins in groupby(timeline.blocked_threads):
        rise = height - thread_count
        path.append(f"{f'v{rise}' if rise else ''}h{sum(1 for _ in bins)}")
        height = thread_count
    return "".join([*path, f"V{threads}"])


def _plot(bug: BugRows, row: TestRow) -> TimelinePlot:
    recordings = [(cell, cell.evidence.timeline) for cell in row.run if cell.evidence.timeline]
    threads = max((max(t.blocked_threads, default=0) for _, t in recordings), default=0) or 1
    seconds = max((_seconds(timeline) for _, timeline in recordings), default=0) or 1
    return TimelinePlot(
        bug=bug,
        test=row.test,
        seconds=seconds,
        threads=threads,
        ticks=tuple((s, round(100 * s / seconds, 2)) for s in linear_ticks(seconds, _MOST_TICKS)),
        outlines=tuple(_outlines(recordings, threads, seconds)),
    )


def _outlines(
    recordings: Sequence[tuple[CellResult, Timeline]], threads: int, seconds: float
) -> Iterator[Outline]:
    for cell, timeline in recordings:
        yield Outline(
            cell=cell,
            path=outline_path(timeline, threads),
            bins=round(seconds * 1000 / timeline.bin_ms),
            peak=max(timeline.blocked_threads, default=0),
            blocked_s=sum(n > 0 for n in timeline.blocked_threads) * timeline.bin_ms / 1000,
            seconds=_seconds(timeline),
        )


def _seconds(timeline: Timeline) -> float:
    return len(timeline.blocked_threads) * timeline.bin_ms / 1000
