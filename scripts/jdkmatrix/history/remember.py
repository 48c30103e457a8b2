# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How is a run that has ended added to the history? Called by every command that makes one."""

import sys
from collections.abc import Sequence
from pathlib import Path

from jdkmatrix.errors import MachineError
from jdkmatrix.history.database import history_file
from jdkmatrix.history.reader import HistoryQuery, answer
from jdkmatrix.history.stored_runs import add, add_waiting, let_wait, waits_no_more
from jdkmatrix.history.table_rows import throughput_rows
from jdkmatrix.history.trend_page import write_page
from jdkmatrix.paths import Checkout
from jdkmatrix.results.document import Results
from jdkmatrix.texts import command_line, plain

# The trend page goes back a season of nights.
_PAGE_RUNS = 90


def remember(checkout: Checkout, results: Results, parts: Sequence[tuple[str, str]] = ()) -> bool:
    """Add a run to the history, replacing what is stored of it, and rewrite the trend page.

    `parts` are the runs that it was merged from, each by its `run` and `started`: their rows are
    removed, as the merged run has the same cells. Runs that wait are added first. A failure costs
    the run nothing: it is reported in one line on standard error, and False is returned; the run
    waits then until the next command that opens the history.
    """
    if not results.cells and not any(throughput_rows(results)):
        return True  # interrupted before its first cell, only the law, or a build and its copies
    path, is_added = history_file(checkout), False
    try:
        add_waiting(path)
        add(path, results, parts)
        waits_no_more(path, results)
        is_added = True
        write_page(path, answer(path, HistoryQuery(runs=_PAGE_RUNS)), path.with_suffix(".html"))
    except Exception as error:  # a run that took an hour must not be lost over its history
        reason = str(error) or type(error).__name__
        remedy = "" if is_added else f"; {_let_wait(path, results, parts)}"
        text = plain(f"matrix: the run is kept, but its history failed: {reason}{remedy}")
        sys.stderr.write(f"{text}\n")
        return False
    return True


def _let_wait(path: Path, results: Results, parts: Sequence[tuple[str, str]]) -> str:
    """Let a run wait; say how it will be added."""
    try:
        let_wait(path, results, parts)
    except MachineError as error:
        return f"{error}; to add it then: {command_line('scripts/matrix', 'report', results.run)}"
    return "the next command that opens the history adds it"
