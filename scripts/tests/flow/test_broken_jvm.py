# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A build whose JVM does not start costs its own cells alone, and they are no finding."""

import io
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from rich.console import Console

from jdkmatrix.cli.app import main
from jdkmatrix.cli.run import exit_code
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.errors import ExitCode
from jdkmatrix.flow.arrivals import Arrival
from jdkmatrix.flow.chosen import ResolvedRequest
from jdkmatrix.flow.under_way import UnderWay
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.records.request import ProgramRequest, Request, SpeedRequest
from jdkmatrix.records.store import RunFolder
from jdkmatrix.report.ci.junit import junit_xml
from jdkmatrix.report.console.display import Display
from jdkmatrix.report.console.summary import print_summary
from jdkmatrix.results.document import Results
from jdkmatrix.run.cells.execution import Execution
from jdkmatrix.words.runs import headline
from tests.flow.run_kit import PLAIN, TESTS, PlayedTools, Stage, StandInSupplier, passes, run, store
from tests.flow.test_try import BUILDS, NAME, FourBuilds, PlayedProgram

BROKEN, *SOUND = BUILDS
REFUSAL = "Its JVM does not start: java: error while loading shared libraries"
LINE = f"broken-jvm: {BROKEN}: {REFUSAL}"


def stage_of(play: Any) -> Stage:
    return Stage(supplier=FourBuilds(), run=play, refusals={BROKEN: REFUSAL})


def output_of(show: Any, results: Results, out: Path) -> str:
    text = io.StringIO()
    show(Console(file=text, width=200), results, out)
    return text.getvalue()


def test_the_cells_of_the_others_are_run(tmp_path: Path) -> None:
    builds = Counter[str]()

    def count(build: BuildRecord, test: str, folder: Path, **options: Any) -> Execution:
        builds[build.id] += 1
        return passes(build, test, folder, **options)

    results = run(tmp_path, Request(builds=BUILDS, tests=TESTS), stage=stage_of(count))
    assert builds.keys() == {*SOUND}
    assert results.complete
    errors = [cell for cell in results.cells if cell.grade == "error"]
    assert [(cell.build, cell.reason, cell.attempts) for cell in errors] == [
        (BROKEN, f"No outcome file; its status: Not run. {REFUSAL}", ())
    ] * len(TESTS)
    assert len(results.cells) == len(TESTS) * len(BUILDS)
    assert headline(results).startswith(f"No JVM starts: {BROKEN}. ")
    assert output_of(print_summary, results, tmp_path).count(LINE) == 1
    assert LINE.partition(": ")[2].partition(": ")[2] in junit_xml(results)


def test_without_another_surprise_it_is_no_verdict(tmp_path: Path) -> None:
    """2, not 1: neither where all other cells are as expected, nor where there are none."""
    later_builds = SOUND[1:]
    for builds in ((BROKEN, *later_builds), (BROKEN,)):
        request = Request(builds=builds, tests=TESTS[1:])
        results = run(tmp_path / str(len(builds)), request, stage=stage_of(passes))
        assert exit_code(results, strict=False) is ExitCode.MACHINE
    alone = Request(builds=(*later_builds,), tests=TESTS[1:])
    results = run(tmp_path / "alone", alone, stage=stage_of(passes))
    assert exit_code(results, strict=False) is ExitCode.OK


@pytest.mark.parametrize(("text", "code"), [("ok\n", ExitCode.MACHINE), ("x\n", ExitCode.SURPRISE)])
def test_a_program_is_tried_on_the_others(tmp_path: Path, text: str, code: ExitCode) -> None:
    program = PlayedProgram({SOUND[0]: (text,)}, {}, Counter())
    program_request = ProgramRequest(path=f"/home/me/{NAME}")
    request = Request(builds=BUILDS, tests=(NAME,), suite="/home/me", program=program_request)
    results = run(tmp_path, request, stage=stage_of(program))
    assert program.runs.keys() == {*SOUND}
    assert exit_code(results, strict=False) is code
    output = output_of(print_summary, results, tmp_path)
    assert output.count(LINE) == 1
    assert f"could not run on {BROKEN}: java: error while" in output


def test_behave_asks_the_other_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("jdkmatrix.flow.tools.Tools", lambda _: PlayedTools(stage_of(passes)))
    command = f"behave --build {BROKEN} --diff {SOUND[1]} --out {tmp_path / 'out'}"
    assert main(command.split()) == ExitCode.MACHINE
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("matrix: behave: no answer: behave/") and last.endswith(REFUSAL)


def test_where_builds_are_measured_it_is_stored_and_told_as_elsewhere(tmp_path: Path) -> None:
    """What it costs there: `tests/run/samples/test_blocks_in_turn.py`."""
    speed = SpeedRequest(blocks=1, minimum_effect=0.1, seed=1)
    record = store(tmp_path, request=Request(builds=(PLAIN.id,), speed=speed))
    choice = SimpleNamespace(
        all_arrivals=(),
        supplier=StandInSupplier(),
    )
    tools = PlayedTools(Stage(refusals={PLAIN.id: REFUSAL}))
    output = io.StringIO()
    display = Display(Console(file=output, width=200))
    under_way = UnderWay(
        tools,
        cast(ResolvedRequest, choice),
        RunFolder(tmp_path),
        display,
        record,
        Rulebook.load(Checkout.current()),
    )
    build = under_way.add_build(Arrival(0, PLAIN, ()))
    assert build and build.refusal == REFUSAL
    assert RunFolder(tmp_path).read_run().builds == (build,)
    assert output.getvalue().count(f"broken-jvm: {PLAIN.id}: {REFUSAL}") == 1
