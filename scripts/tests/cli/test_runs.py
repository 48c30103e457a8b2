# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What do commands that make several runs get of a run that ends in its middle? Without Java."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from jdkmatrix.cli.runs import runs
from jdkmatrix.errors import UnfinishedError
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.request import Request
from jdkmatrix.report.console.display import Display
from jdkmatrix.run.cells.execution import Execution
from tests.flow.run_kit import PLAIN, TESTS, PlayedTools, Stage, passes

REQUEST = Request(builds=(PLAIN.id,), tests=TESTS, confirm=False)


@pytest.mark.parametrize(
    "ends", [KeyboardInterrupt(), OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))]
)
def test_it_is_no_result(tmp_path: Path, ends: BaseException) -> None:
    def second_ends(build: BuildRecord, test: str, folder: Path, **options: Any) -> Execution:
        if test == TESTS[1]:
            raise ends
        return passes(build, test, folder, **options)

    tools = PlayedTools(Stage(run=second_ends))
    run = runs(tools, Display(Console(quiet=True)), jobs=1, offline=True)
    with pytest.raises(UnfinishedError, match="not everything was run"):
        run(REQUEST, tmp_path)
    assert len(list(tmp_path.glob("cells/**/cell.json"))) == 1
