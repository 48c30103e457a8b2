# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""`matrix ... | head`: the history has the run though nobody reads its results to the end."""

import errno
from pathlib import Path
from typing import NoReturn

import pytest

from jdkmatrix.cli.hand_over import (
    carry_out,
    hand_over,
    is_worth_resuming,
    repeat_options,
    say_what_is_left,
)
from jdkmatrix.errors import UnfinishedError
from jdkmatrix.flow.flow import FinishedRun, RunOptions, usual_jobs
from jdkmatrix.history.database import history_file
from jdkmatrix.paths import Checkout
from jdkmatrix.records.request import Request
from tests.flow.run_kit import PLAIN, TESTS, PlayedTools, Stage, resume
from tests.flow.test_resumed_throughput import make_plan, store_comparison
from tests.history.kit import made_speed
from tests.report.conftest import make_cell, make_results


def test_the_history_has_the_run_before_anything_is_printed(tmp_path: Path) -> None:
    def break_pipe(*_: object) -> NoReturn:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    results = make_results(make_cell("temurin-17.0.9+9", "not-reproduced", "fixed"))
    checkout = Checkout(tmp_path)
    with pytest.raises(BrokenPipeError):
        hand_over(checkout, FinishedRun(results, tmp_path, Request()), break_pipe, as_json=False)
    assert history_file(checkout).is_file()


def test_of_many_damaged_records_five_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = tuple(f"cells/{n}/cell.json" for n in range(6))
    graded_run = FinishedRun(make_results(), tmp_path, Request(), names)
    hand_over(Checkout(tmp_path), graded_run, lambda *_: None, as_json=False)
    assert capsys.readouterr().err.splitlines() == [
        *(f"matrix: {name}: damaged or lost; counted as not run" for name in names[:5]),
        "matrix: also damaged or lost: 1 record",
    ]


def test_a_run_is_resumed_with_the_options_that_it_does_not_store(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    graded_run = FinishedRun(make_results(), tmp_path, Request())
    jobs_option = usual_jobs() + 1
    for options, strict, suffix in (
        (RunOptions(usual_jobs()), False, ""),
        (
            RunOptions(jobs_option, offline=True, paranoid=True),
            True,
            " --offline --paranoid --strict",
        ),
    ):
        say_what_is_left(graded_run, None, *repeat_options(options, strict=strict, as_json=False))
        jobs = f" --jobs {jobs_option}" if suffix else ""
        hint = f"resume it: scripts/matrix run --resume{jobs}{suffix}\n"
        assert capsys.readouterr().err.endswith(hint)


@pytest.mark.parametrize(
    ("lacks", "is_finished", "is_worth"),
    [
        ("no peer", True, True),
        (None, True, False),  # a build was left out, as its samples never counted
        (None, False, True),
    ],
)
def test_only_what_a_resumed_run_would_do_is_worth_a_hint(
    lacks: str | None, is_finished: bool, is_worth: bool, tmp_path: Path
) -> None:
    end = "2026-11-21T09:00:00Z" if is_finished else None
    run = store_comparison(tmp_path, speed=make_plan(lacks=lacks), finished=end)
    (comparison,) = made_speed(1, 1.0).throughput
    left_out = comparison.model_copy(update={"stop_reason": lacks or "left out from block 1 on: x"})
    results = make_results(throughput=(left_out,), finished_at=end)
    assert is_worth_resuming(FinishedRun(results, run.path, Request())) is is_worth


def test_an_interrupted_run_says_how_to_resume_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nothing was measured yet, or all is, and its recordings are read."""
    out = tmp_path / "run"

    def interrupt(*_: object, **__: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("jdkmatrix.cli.hand_over.Tools", lambda _: PlayedTools(Stage()))
    monkeypatch.setattr("jdkmatrix.flow.flow.grade_run", interrupt)
    options = RunOptions(usual_jobs(), out=out, offline=True)
    request = Request(builds=(PLAIN.id,), tests=TESTS)
    with pytest.raises(UnfinishedError) as error:
        carry_out(request, options, interrupt, resumes=None, as_json=False)
    line = f"scripts/matrix run --resume --out {out} --offline"
    assert str(error.value) == f"not everything was run; interrupted; resume it: {line}"
    monkeypatch.undo()
    assert resume(out).complete
