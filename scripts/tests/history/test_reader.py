# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What changed is named, with the run it changed in and with what else is different there."""

from pathlib import Path

import pytest

from jdkmatrix.errors import UsageError
from jdkmatrix.history.answer import HistoryAnswer
from jdkmatrix.history.history_words import headline
from jdkmatrix.history.reader import HistoryQuery, answer
from jdkmatrix.records.record import MachineRecord
from jdkmatrix.results.document import Results
from jdkmatrix.vocabulary import Expectation, SpeedGrade
from tests.history.kit import BASELINE, BUILD, made_run, made_speed, other_kit, store_runs
from tests.report.conftest import TEST, make_build, make_cell, make_results


def ask(tmp_path: Path, *runs: Results, **options: object) -> HistoryAnswer:
    return answer(store_runs(tmp_path / "h.sqlite", *runs), HistoryQuery(**options))  # type: ignore[arg-type]


def test_runs_are_told_oldest_first_whatever_the_order_they_came_in(tmp_path: Path) -> None:
    answer_of_runs = ask(tmp_path, made_run(2, "error"), made_run(1), made_run(3, finished_at=None))
    assert [(run.run, run.grades) for run in answer_of_runs.runs] == [
        ("run-1", {"as-expected": 1}),
        ("run-2", {"error": 1}),
        ("run-3", {"as-expected": 1}),
    ]
    assert answer_of_runs.runs[2].finished_at is None
    (track,) = answer_of_runs.tracks
    assert track.grades == ("as-expected", "error", "as-expected")


def test_the_line_of_a_build_shows_its_gravest_grade(tmp_path: Path) -> None:
    cells = [
        make_cell(BUILD, "not-reproduced", "fixed"),
        make_cell(BUILD, "reproduced", "fixed", test="tls13/Other.java", bug="JDK-8209333"),
    ]
    by_bug = ask(tmp_path, make_results(*cells))
    assert [(track.subject, track.grades) for track in by_bug.tracks] == [("", ("regression",))]
    by_bug = ask(tmp_path, bug="JDK-8293562")
    assert [(track.subject, track.grades) for track in by_bug.tracks] == [(TEST, ("as-expected",))]


def test_a_grade_that_changed_is_told_against_the_last_run_that_had_the_cell(
    tmp_path: Path,
) -> None:
    elsewhere = make_results(
        make_cell("temurin-21.0.8+9", "not-reproduced", "fixed"),
        run="else",
        started_at="2026-01-03",
    )
    by_run = ask(tmp_path, made_run(1), elsewhere, made_run(3, "reproduced"))
    (change,) = by_run.changes
    assert (change.last_run, change.old_grade) == ("run-1", "as-expected")
    assert (change.run, change.new_grade) == ("run-3", "regression")
    assert change.environment == ()


def test_nothing_is_told_of_grades_that_stayed(tmp_path: Path) -> None:
    assert ask(tmp_path, made_run(1), made_run(2), made_run(3)).changes == ()


def test_a_cell_of_the_first_run_is_new(tmp_path: Path) -> None:
    (change,) = ask(tmp_path, made_run(1)).changes
    assert (change.old_grade, change.last_run, change.new_grade) == (None, None, "as-expected")


def test_a_slow_down_that_a_known_bug_explains_is_told_as_such(tmp_path: Path) -> None:
    slower = made_speed(1, 0.01)
    (comparison,) = slower.throughput
    figures = tuple(
        figure.model_copy(update={"grade": SpeedGrade.SLOWER}) for figure in comparison.figures
    )
    for expectation, grade, text in (
        (Expectation.AFFECTED, "slower-as-expected", "1 for the first time."),
        (Expectation.FIXED, "slower", "1 for the first time, 1 of them not as expected."),
    ):
        cell = comparison.model_copy(update={"figures": figures, "expectation": expectation})
        answer_of_grade = answer(
            store_runs(
                tmp_path / f"{grade}.sqlite", slower.model_copy(update={"throughput": (cell,)})
            ),
            HistoryQuery(),
        )
        assert [change.new_grade for change in answer_of_grade.changes] == [grade]
        assert headline(answer_of_grade).endswith(text)
        assert not answer_of_grade.changes[0].old_grade


def test_what_else_changed_is_beside_a_grade_that_did(tmp_path: Path) -> None:
    machine = MachineRecord(
        os="Debian", kernel="7", architecture="x86_64", cores=4, memory_mib=8000, load_1min=0
    )
    build = make_build(BUILD).model_copy(update={"sha256": "cd" * 32})
    answer_of_runs = ask(
        tmp_path,
        made_run(1),
        made_run(2, "error", kit=other_kit("def"), machine=machine, builds=(build,)),
    )
    expected = (
        "kit 0.1.0 abc to 0.1.0 def",
        "machine Debian, kernel 6, x86_64, 2 cores, 8 GiB"
        " to Debian, kernel 7, x86_64, 4 cores, 8 GiB",
        f"{BUILD} still 17.0.9+9, but other bytes: abababababab to cdcdcdcdcdcd",
    )
    assert answer_of_runs.changes[0].environment == expected
    assert answer_of_runs.runs[1].environment == expected[:2]
    assert [(identity.run, identity.difference) for identity in answer_of_runs.identities] == [
        ("run-2", expected[2])
    ]


def test_an_entry_that_moved_on_is_told(tmp_path: Path) -> None:
    newer = make_build("debian-17.0.21+9").model_copy(update={"entry": BUILD})
    cell = make_cell("debian-17.0.21+9", "not-reproduced", "fixed")
    newer_run = make_results(cell, run="run-2", started_at="2026-02-01", builds=(newer,))
    answer_of_runs = ask(tmp_path, made_run(1), newer_run)
    assert [identity.difference for identity in answer_of_runs.identities] == [
        f"{BUILD} 17.0.9+9 to 17.0.21+9"
    ]
    (track,) = answer_of_runs.tracks
    assert (track.grades, track.builds) == (
        ("as-expected", "as-expected"),
        (BUILD, "debian-17.0.21+9"),
    )
    assert answer_of_runs.changes == ()


def test_a_step_is_told_with_what_else_changed_there(tmp_path: Path) -> None:
    nights = [made_speed(night, 1.0 + night % 3 / 20) for night in range(1, 13)]
    old_build = make_build(BASELINE).model_copy(update={"version": "17.0.8+7", "facts": {}})
    builds = (make_build(BUILD), old_build)
    nights += [made_speed(night, 0.5 + night % 3 / 40, builds=builds) for night in range(13, 20)]
    (step,) = ask(tmp_path, *nights).change_points
    assert (step.run, step.last_run, step.figure) == ("run-13", "run-12", "requests-per-s-ratio")
    assert (step.old_median, step.new_median) == pytest.approx((1.05, 0.525))
    assert (step.runs_before, step.runs_after) == (12, 7)
    assert step.environment == (f"{BASELINE} 17.0.7+7 to 17.0.8+7",)


def test_a_run_graded_again_moves_its_series_steps(tmp_path: Path) -> None:
    path = store_runs(tmp_path / "h.sqlite", *(made_speed(night, 1.0) for night in range(1, 9)))
    store_runs(path, *(made_speed(night, 0.5) for night in range(9, 13)))
    assert len(answer(path, HistoryQuery()).change_points) == 1
    store_runs(path, made_speed(12, 1.0))
    assert answer(path, HistoryQuery()).change_points == ()


def test_options_choose_among_runs_and_rows(tmp_path: Path) -> None:
    path = store_runs(tmp_path / "h.sqlite", made_run(1), made_speed(2, 1.0), made_run(3))
    whole = answer(path, HistoryQuery())
    assert [run.run for run in whole.runs] == ["run-1", "run-2", "run-3"]
    assert [run.run for run in answer(path, HistoryQuery(runs=2)).runs] == ["run-2", "run-3"]
    scenario = answer(path, HistoryQuery(scenario="neigh*"))
    assert [run.run for run in scenario.runs] == ["run-2"]
    assert scenario.runs_stored == 3
    assert [track.baseline for track in scenario.tracks] == [BASELINE]
    bug = answer(path, HistoryQuery(bug="JDK-8293562"))  # which the scenario shows too
    assert [run.run for run in bug.runs] == ["run-1", "run-2", "run-3"]
    build = answer(path, HistoryQuery(build="temurin-17.0.[89]*"))
    assert [run.run for run in build.runs] == ["run-1", "run-2", "run-3"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            HistoryQuery(bug="JDK-1111111"),
            "--bug JDK-1111111: in no run; accepted: --bug JDK-8293562",
        ),
        (
            HistoryQuery(bug="JDK-8293652"),
            "--bug JDK-8293652: in no run; did you mean JDK-8293562?",
        ),
        (HistoryQuery(scenario="gap"), "--scenario gap: in no run; accepted: --scenario neighbour"),
        (
            HistoryQuery(build="debian-*"),
            f"--build debian-*: in no run; accepted: --build {BASELINE}, {BUILD}",
        ),
    ],
)
def test_a_name_in_no_run_is_answered_by_those_there_are(
    options: HistoryQuery, message: str, tmp_path: Path
) -> None:
    path = store_runs(tmp_path / "h.sqlite", made_run(1), made_speed(2, 1.0))
    with pytest.raises(UsageError) as error:
        answer(path, options)
    assert str(error.value) == message
