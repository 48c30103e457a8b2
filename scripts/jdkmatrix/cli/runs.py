# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do commands that make several runs run a request into a folder?"""

from collections.abc import Callable
from pathlib import Path

from jdkmatrix.errors import UnfinishedError
from jdkmatrix.flow import flow
from jdkmatrix.flow.tools import Tools
from jdkmatrix.machine.loopback import LoopbackError
from jdkmatrix.records.request import Request
from jdkmatrix.report.console.display import Display
from jdkmatrix.results.document import Results

Runs = Callable[[Request, Path], Results]


def runs(tools: Tools, display: Display, *, jobs: int, offline: bool) -> Runs:
    """A function that runs a request, `jobs` cells at a time; it raises as `flow.run` does, and
    UnfinishedError unless everything was run.
    """

    def run(request: Request, out: Path) -> Results:
        options = flow.RunOptions(jobs=jobs, offline=offline, out=out)
        try:
            results = flow.run(tools, request, options, display).results
        except LoopbackError as error:  # it was there when the first of them began
            display.notice(str(error))
            raise UnfinishedError from None
        if not results.complete:
            raise UnfinishedError
        return results

    return run
