# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What is refused where a request means no comparison: in one line, and before it has a folder."""

from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from jdkmatrix.errors import ExitCode, KitError, NothingRanError, UsageError
from jdkmatrix.flow import flow
from jdkmatrix.records.request import Request, SpeedRequest
from jdkmatrix.report.console.display import Display
from jdkmatrix.supply.build import Build
from tests.flow.run_kit import PLAIN, PlayedTools, Stage, StandInSupplier
from tests.flow.test_merged_throughput import NEVER_HAD, AllButOne

SPEED = SpeedRequest(scenarios=("reuse",), blocks=2, minimum_effect=0.05, seed=1)
MEASURES = Request(cells=False, speed=SPEED)


def refuse(request: Request, supplier: StandInSupplier, tmp_path: Path) -> KitError:
    tools = PlayedTools(Stage(supplier=supplier))
    tools.lock_place = tmp_path  # a real run may hold the machine's
    options = flow.RunOptions(jobs=1, out=tmp_path / "run")
    with pytest.raises(KitError) as error:
        flow.run(tools, request, options, Display(Console(quiet=True)))
    assert not (tmp_path / "run").exists()
    assert "\n" not in str(error.value)
    return error.value


@pytest.mark.parametrize(
    ("builds", "missing"),
    [((PLAIN.id,), ""), ((PLAIN.id, NEVER_HAD), f"{NEVER_HAD} unavailable: wheel: gone; ")],
    ids=["one is selected", "one of two can be had"],
)
def test_one_build_is_compared_with_nothing(
    builds: tuple[str, ...], missing: str, tmp_path: Path
) -> None:
    error = refuse(MEASURES.model_copy(update={"builds": builds}), AllButOne(), tmp_path)
    assert isinstance(error, NothingRanError)
    assert error.exit_code == ExitCode.NOTHING_RAN
    assert str(error) == (
        f"no two builds to compare: {missing}{PLAIN.id} is not compared: "
        "no other build of train 17; see --baseline and --copies"
    )


class OneHome(StandInSupplier):
    """Every path leads to the same JDK, as a link to it does."""

    def local(self, path: Path, _: str = "") -> Build:
        return replace(PLAIN, source="local", home=Path("/jdk"))


def test_a_jdk_is_not_compared_with_itself_by_two_ways_to_it(tmp_path: Path) -> None:
    error = refuse(MEASURES.model_copy(update={"jdks": ("/jdk", "/link")}), OneHome(), tmp_path)
    assert isinstance(error, UsageError)
    assert str(error) == "/jdk: the same JDK twice; accepted: each once (see --copies)"
