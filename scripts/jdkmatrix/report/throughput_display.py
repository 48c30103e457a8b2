# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What does the user see while throughput is measured? A line a sample, on standard error."""

from collections.abc import Iterable
from types import TracebackType

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from jdkmatrix.config.scenarios import Metric
from jdkmatrix.plan.blocks import Arm
from jdkmatrix.report.throughput_words import number
from jdkmatrix.run.sample_record import SampleRecord


class ThroughputDisplay:
    """Tells of samples as they start and end; on a terminal, of the one under way too."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._status = Status("measuring", console=console) if console.is_terminal else None

    def __enter__(self) -> "ThroughputDisplay":
        if self._status:
            self._status.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._status:
            self._status.stop()

    def header(self, facts: Iterable[tuple[str, object]]) -> None:
        """Print `# key: value` lines."""
        for key, value in facts:
            self._line(f"[dim]# {key}: {escape(str(value))}[/]")

    def comparison_started(self, name: str, number_of: str) -> None:
        """A comparison begins; `number_of` is `1 of 4`."""
        self._line(f"[bold]{escape(name)}[/] ({number_of})")

    def sample_started(self, arm: Arm, block: int) -> None:
        """A sample begins."""
        if self._status:
            self._status.update(f"block {block}: {escape(arm.name)}")

    def sample_ended(self, sample: SampleRecord, block: int) -> None:
        """A sample has ended: its figures, or why it does not count."""
        if sample.counts:
            rate = sample.figures.get(Metric.REQUESTS_PER_S, 0)
            cpu = sample.figures.get(Metric.CPU_US_PER_REQUEST, 0)
            told = f"{number(rate):>9} requests/s {number(cpu):>9} CPU µs/request"
        else:
            told = f"[yellow]does not count:[/] {escape(sample.void or '; '.join(sample.vetoes))}"
        arm = sample.arm if sample.arm == sample.build else f"{sample.arm} {sample.build}"
        self._line(f"block {block:>2}  {escape(arm):<32} {sample.seconds:>5.1f} s  {told}")

    def notice(self, text: str) -> None:
        """Print something the user should know."""
        self._line(f"[yellow]note:[/] {escape(text)}")

    def _line(self, markup: str) -> None:
        self._console.print(markup, soft_wrap=True, highlight=False)
