# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Where do tables and progress go? `printed.py` has what is printed without colours."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from jdkmatrix.texts import plain

if TYPE_CHECKING:
    from jdkmatrix.report.console.display import Display

# A file or pipe has no width; the widest row of the table of cells fits.
_FILE_WIDTH = 140


class PlainConsole(Console):
    """A console that escapes what a terminal or a CI server would obey, see `plain`."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Escape texts; the console's own colours and cursor movements stay."""
        starts_line = True
        for text, style, control in super().render(renderable, options):
            if control:
                yield Segment(text, style, control)
                continue
            # Other text precedes it on its line, so that no command can start here.
            printable = plain(text) if starts_line else plain(f".{text}")[1:]
            starts_line = text.endswith("\n") or (starts_line and not text.strip())
            yield Segment(printable, style)


def result_console() -> Console:
    """Standard output, for results."""
    return PlainConsole(width=None if sys.stdout.isatty() else _FILE_WIDTH)


def progress_display() -> Display:
    """Standard error, for progress and notes."""
    from jdkmatrix.report.console.display import Display  # results need none of it

    return Display(PlainConsole(stderr=True))
