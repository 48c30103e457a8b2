# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the user see while a run goes on? Lines in a log, plus a live part on a terminal.

Everything goes to standard error: standard output is for results.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from threading import Event, RLock, Thread
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.progress_bar import ProgressBar
from rich.text import Text

from jdkmatrix.paths import test_name
from jdkmatrix.plan.blocks import Arm
from jdkmatrix.records.sample_record import SampleRecord
from jdkmatrix.texts import count_of
from jdkmatrix.vocabulary import Grade, Metric, Outcome
from jdkmatrix.words.speed import METRIC_NAMES, number
from jdkmatrix.words.verdicts import cell_verdict

if TYPE_CHECKING:
    from jdkmatrix.results.document import CellResult

STATUS_EVERY_S = 60.0
# Until this much is done, the time left would be a guess.
_LEAST_SEEN_S = 5.0
# A row's number, build, verdict and seconds; the rest of the line is for the test.
_ROW_WITHOUT_TEST = 64
# Colour is for what surprises; a bug that is present as expected is none.
GRADE_STYLES = {
    Grade.AS_EXPECTED: "none",
    Grade.REGRESSION: "bold red",
    Grade.UNEXPECTED_FIX: "bold magenta",
    Grade.FLAKY: "bold yellow",
    Grade.INCONCLUSIVE: "yellow",
    Grade.SKIPPED: "dim",
    Grade.SILENCED: "yellow",
    Grade.ERROR: "bold red",
    Grade.BROKE: "bold red",
    Grade.RECORDED: "none",
}


class Display:
    """The progress of one run, safe to call from any thread. Use it as a context manager.

    `started`, `advanced` and `finished` report downloads, by label and in bytes.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._lock = RLock()
        self._running: dict[tuple[str, str], float] = {}
        self._total = 0
        self._done_count = 0
        self._expected_s: Mapping[str, float] = {}
        self._planned_s = 0.0
        self._seen_s = 0.0
        self._first_cell: float | None = None
        self._is_suite = False
        # Who said it first, by the test and the SHA-256 of what it said.
        self._answers: dict[tuple[str, str], str] = {}
        self._measuring_ends = math.inf
        self._sample = ""
        self._downloads: dict[str, float] = {}
        self._bars: dict[str, TaskID] = {}
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            DownloadColumn(binary_units=True),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            console=console,
        )
        self._live: Live | None = None
        self._closing = Event()
        self._start_s = time.monotonic()

    def __enter__(self) -> Display:
        if self._console.is_terminal:
            self._live = Live(
                get_renderable=self._renderable, console=self._console, refresh_per_second=4
            )
            self._live.start()
        else:
            Thread(target=self._print_status_lines, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        if self._live:
            self._live.stop()

    def header(self, facts: Iterable[tuple[str, object]]) -> None:
        """Print `# key: value` lines."""
        for key, fact in facts:
            self._line(f"[dim]# {key}: {escape(str(fact))}[/]")

    def notice(self, text: str) -> None:
        """Print something the user should know."""
        self._line(f"[yellow]note:[/] {escape(text)}")

    def start(self, label: str, total_bytes: int | None) -> None:
        """A download begins."""
        with self._lock:
            self._downloads[label] = time.monotonic()
            self._bars[label] = self._progress.add_task(escape(label), total=total_bytes)
        if not self._live:
            size = f" ({total_bytes / 2**20:.0f} MiB)" if total_bytes else ""
            self._line(f"fetching {escape(label)}{size}")

    def advance(self, label: str, done_bytes: int) -> None:
        """A download has reached `done_bytes`."""
        with self._lock:
            if label in self._bars:
                self._progress.update(self._bars[label], completed=done_bytes)

    def finish(self, label: str) -> None:
        """A download has ended, successfully or not."""
        with self._lock:
            start_s = self._downloads.pop(label, time.monotonic())
            bar = self._bars.pop(label, None)
            if bar is not None:
                self._progress.remove_task(bar)
        self._line(f"fetching {escape(label)} took {time.monotonic() - start_s:.1f} s")

    def run_begun(self) -> None:
        """Count cells from 0 again: `planted` and `bisect` have many runs."""
        with self._lock:
            self._done_count, self._seen_s, self._first_cell = 0, 0.0, None

    def plan_cells(
        self, tests: Sequence[str], expected_s: Mapping[str, float], *, is_suite: bool = False
    ) -> None:
        """A cell will be run for each of `tests`; `expected_s` has the seconds it may take.

        `is_suite`: they are the user's own, of which nothing is expected.
        """
        with self._lock:
            self._total = len(tests)
            self._is_suite = is_suite
            self._expected_s = expected_s
            self._planned_s = sum(expected_s[test] for test in tests)

    def cell_started(self, build: str, test: str) -> None:
        """A cell begins."""
        with self._lock:
            now_s = time.monotonic()
            self._running[build, test] = now_s
            self._first_cell = self._first_cell or now_s

    def cell_ended(self, cell: CellResult, *, is_rerun: bool = False) -> None:
        """A cell has its outcome and grade; `is_rerun`: it will be run again to confirm them."""
        with self._lock:
            self._done_count += 1
            self._seen_s += self._expected_s.get(cell.test, 0.0)
            place = f"{self._done_count:>{len(str(self._total))}}/{self._total}"
        self._cell_line(place, cell, cell.outcome, cell.seconds)
        if cell.grade.is_surprise:
            prefix = "to be confirmed: " if is_rerun else ""
            self._line(f"        {prefix}{escape(cell.reason)}")

    def repeating(self, runs: int) -> None:
        """Programs will be run that many times more."""
        self.header([("again", f"{count_of(runs, 'run')}, to see what differs from run to run")])

    def confirming(self, cells: int, seconds: float) -> None:
        """This many cells will be run again, which may take `seconds`."""
        count = f"{count_of(cells, 'result')} not as expected or suspicious"
        self.header([("again", f"{count}, one at a time, about {seconds:.0f} s at most")])

    def attempt_ended(self, number: int, cells: int, cell: CellResult) -> None:
        """Cell `number` of `cells` was run again."""
        last = cell.attempts[-1]
        self._cell_line(f"again {number}/{cells}", cell, last.outcome, last.seconds)
        self._line(f"        {escape(cell.confirmation or '')}")

    def measuring_begun(self, budget_s: float) -> None:
        """Comparisons begin, which may take that long in all; infinite without a limit."""
        with self._lock:
            self._measuring_ends = time.monotonic() + budget_s

    def comparison_started(self, name: str, number_of: str) -> None:
        """A comparison begins, once all cells are done; `number_of` is `1 of 4`."""
        with self._lock:
            self._total, self._done_count = 0, 0
        self._line(f"[bold]{escape(name)}[/] ({number_of})")

    def sample_started(self, arm: Arm, block: int) -> None:
        """A sample begins."""
        with self._lock:
            self._sample = f"block {block}: {arm.name}"

    def sample_ended(self, sample: SampleRecord, block: int) -> None:
        """A sample has ended: its figures, or why it does not count."""
        if sample.counts:
            figures = " ".join(
                f"{number(sample.figures[metric]):>9} {METRIC_NAMES[metric]}"
                for metric in (Metric.REQUESTS_PER_S, Metric.CPU_US_PER_REQUEST)
                if metric in sample.figures
            )
        else:
            figures = (
                f"[yellow]does not count:[/] {escape(sample.void or '; '.join(sample.vetoes))}"
            )
        arm = sample.arm if sample.arm == sample.build else f"{sample.arm} {sample.build}"
        self._line(f"block {block:>2}  {escape(arm):<32} {sample.seconds:>5.1f} s  {figures}")

    def _cell_line(self, place: str, cell: CellResult, outcome: Outcome, seconds: float) -> None:
        with self._lock:
            self._running.pop((cell.build, cell.test), None)
        test = test_name(cell.test)
        if self._console.is_terminal:  # a log's lines may be as long as needed
            width = max(self._console.width - _ROW_WITHOUT_TEST - len(place), 12)
            test = test if len(test) <= width else f"{test[: width - 1]}…"
        else:
            width = 42
        verdict = self._compare(cell) or cell_verdict(
            outcome, cell.grade, has_rows=cell.has_rows, is_suite=self._is_suite
        )
        self._line(
            f"{escape(f'[{place}]')} {escape(f'{cell.build:<20} {test:<{width}}')} "
            f"[{GRADE_STYLES[cell.grade]}]{verdict:<28}[/]{seconds:>6.1f} s"
        )

    def _compare(self, cell: CellResult) -> str:
        """What a plain program did on a build: what it said, or which build said the same."""
        if cell.answer_sha256 is None:
            return ""
        if cell.outcome is Outcome.NOT_APPLICABLE:
            return f"could not run: {escape(cell.reason)}"
        earlier = self._answers.setdefault((cell.test, cell.answer_sha256), cell.build)
        return escape(cell.reason if earlier == cell.build else f"as {earlier}")

    def _line(self, markup: str) -> None:
        with self._lock:
            self._console.print(markup, soft_wrap=True, highlight=False)

    def _status(self) -> str:
        with self._lock:
            parts = []
            if self._total and (self._done_count or self._running):
                text = f"{self._done_count} of {self._total} tests done"
                parts.append(f"{text}, {len(self._running)} running{self._format_left()}")
            elif self._total:
                parts.append(f"{self._total} tests to run; fetching and checking JDKs and jars")
            if self._sample:
                left_s = self._measuring_ends - time.monotonic()
                parts.append(f"{self._sample}{_format_left(left_s) if left_s < math.inf else ''}")
            if self._downloads:
                parts.append(f"fetching {', '.join(self._downloads)}")
        return f"{time.monotonic() - self._start_s:.0f} s: {'; '.join(parts) or 'under way'}"

    def _format_left(self) -> str:
        """`, 3 min left`, from what the tests so far took and were expected to take."""
        if self._first_cell is None or self._seen_s < _LEAST_SEEN_S:
            return ""
        pace = (time.monotonic() - self._first_cell) / self._seen_s
        return _format_left(pace * (self._planned_s - self._seen_s))

    def _renderable(self) -> RenderableType:
        with self._lock:
            now_s = time.monotonic()
            cells: list[RenderableType] = [
                Text(f"  {build:<20} {test_name(test):<46} {now_s - start_s:>4.0f} s", style="dim")
                for (build, test), start_s in self._running.items()
            ]
            parts: list[RenderableType] = [self._progress] if self._bars else []
            if self._total:
                cells.append(ProgressBar(max(self._planned_s, 1.0), self._seen_s, width=30))
            return Group(*parts, *cells, Text(self._status(), style="bold"))

    def _print_status_lines(self) -> None:
        while not self._closing.wait(STATUS_EVERY_S):
            self._line(self._status())


def _format_left(left_s: float) -> str:
    """`, 3 min left`; never less than nothing."""
    return f", {left_s / 60:.0f} min left" if left_s >= 90 else f", {max(0.0, left_s):.0f} s left"
