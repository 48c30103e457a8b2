# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is told while another run measures on this machine?"""

from pathlib import Path

import pytest
from rich.console import Console

from jdkmatrix.errors import KitError, MachineError, UsageError
from jdkmatrix.flow import flow
from jdkmatrix.machine.run_lock import measuring_alone
from jdkmatrix.records.request import Request, SpeedRequest
from jdkmatrix.report.console.display import Display
from tests.flow.run_kit import PLAIN, PlayedTools, Stage
from tests.flow.test_resumed_throughput import Supplier

SPEED = SpeedRequest(blocks=2, minimum_effect=0.05, seed=1)


@pytest.mark.parametrize(
    ("build", "error_type"),
    [("nix", UsageError), (PLAIN.id, MachineError)],
    ids=["a mistake, and not who measures", "who measures"],
)
def test_a_run_that_measures_waits_for_nobody(
    build: str, error_type: type[KitError], tmp_path: Path
) -> None:
    tools = PlayedTools(Stage(supplier=Supplier(PLAIN)))
    tools.lock_place = tmp_path
    request = Request(builds=(build,), cells=False, speed=SPEED)
    options = flow.RunOptions(jobs=1, out=tmp_path / "run")
    with measuring_alone("of another", tmp_path), pytest.raises(error_type):
        flow.run(tools, request, options, Display(Console(quiet=True)))
    assert not (tmp_path / "run").exists()
