# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A nightly job is told what changed, and nothing else."""

from pathlib import Path

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.records.record import UnavailableRecord
from jdkmatrix.report.since import changes_since, not_compared
from jdkmatrix.results.document import Results
from jdkmatrix.verdict.suite_differences import differences
from tests.flow.shard_kit import store
from tests.history.kit import made_speed
from tests.report.conftest import make_build, make_cell, make_results
from tests.report.speed_kit import make_validation

FIXED = "temurin-17.0.9+9"
FAILED = "reproduced"


def night(outcome: str, **changes: object) -> Results:
    return make_results(make_cell(FIXED, outcome, "fixed"), **changes)


def test_the_same_is_no_change_even_if_it_is_a_surprise() -> None:
    for outcome in ("not-reproduced", "reproduced", "inconclusive"):
        later = night(outcome, run="later", started_at="2026-11-22T08:00:00Z")
        assert changes_since(night(outcome), later) == ()


@pytest.mark.parametrize(
    ("old_outcome", "new_outcome", "sentence", "code"),
    [
        ("not-reproduced", "reproduced", "regression, was as-expected: Requests waited", 1),
        ("reproduced", "not-reproduced", "as-expected, was regression: ", 1),
        ("not-reproduced", "error", "error, was as-expected: ", 2),
        ("reproduced", "inconclusive", "inconclusive, was regression: ", 2),
        ("error", "not-reproduced", "as-expected, was error: ", 0),
        ("error", "reproduced", "regression, was error: ", 1),
    ],
)
def test_another_grade_is_told_with_the_reason(
    old_outcome: str, new_outcome: str, sentence: str, code: int
) -> None:
    (change,) = changes_since(night(old_outcome), night(new_outcome))
    assert change.code == code
    assert change.sentence.startswith(f"{FIXED} RequestsBlockedWhileConnectionCloses: {sentence}")


def test_a_build_that_moves_on_is_the_same_series() -> None:
    newer_build = make_build("debian-17.0.22+1").model_copy(update={"entry": "debian-17"})
    older_build = make_build("debian-17.0.21+9").model_copy(update={"entry": "debian-17"})
    old = make_results(make_cell(older_build.id, "not-reproduced", "fixed"), builds=(older_build,))
    same = make_results(make_cell(newer_build.id, "not-reproduced", "fixed"), builds=(newer_build,))
    regressed_run = make_results(
        make_cell(newer_build.id, "reproduced", "fixed"), builds=(newer_build,)
    )
    assert changes_since(old, same) == ()
    (change,) = changes_since(old, regressed_run)
    assert "regression, was as-expected on debian-17.0.21+9: " in change.sentence


def test_a_jdk_of_ones_own_is_not_the_release_that_it_says_it_is() -> None:
    release = make_build(FIXED)
    local_build = release.model_copy(update={"id": f"{FIXED}@own", "source": "local"})
    other_local = local_build.model_copy(update={"id": f"{FIXED}@other"})

    def night(*outcomes: str) -> Results:
        builds = (local_build, other_local, release)
        pairs = zip(builds, outcomes, strict=True)
        cells = tuple(make_cell(build.id, outcome, "fixed") for build, outcome in pairs)
        return make_results(cells=cells, builds=builds)

    fine = night("not-reproduced", "not-reproduced", "not-reproduced")
    (change,) = changes_since(fine, night("reproduced", "not-reproduced", "not-reproduced"))
    assert change.sentence.startswith(f"{local_build.id} ")
    (change,) = changes_since(fine, night("not-reproduced", "reproduced", "not-reproduced"))
    assert change.sentence.startswith(f"{other_local.id} ")


def test_a_run_that_was_interrupted_before_its_builds_were_looked_at() -> None:
    whole_run, partial_run = made_speed(1, 1.0), made_speed(2, 1.0, builds=(), finished_at=None)
    for old, new in ((whole_run, partial_run), (partial_run, whole_run)):
        assert changes_since(old, new) == ()


def test_another_verdict_of_a_validation_is_a_change() -> None:
    good, open_validation = (
        night("not-reproduced", validation=make_validation(word)) for word in ("good", "undecided")
    )
    assert changes_since(good, good) == ()
    (change,) = changes_since(good, open_validation)
    assert change == (
        "temurin-17.0.9+9 validation against temurin-17.0.7+7: undecided, was good: Because.",
        2,
    )


def test_a_verdict_on_another_build_is_no_change_of_it() -> None:
    other_build = "temurin-21.0.8+9"
    good, bad = make_validation("good"), make_validation("bad")
    old_run = night("not-reproduced", validation=good)
    cell = make_cell(other_build, "not-reproduced", "fixed")
    calm = make_results(cell, validation=good.model_copy(update={"build": other_build}))
    assert changes_since(old_run, calm) == changes_since(calm, old_run) == ()
    worse = make_results(cell, validation=bad.model_copy(update={"build": other_build}))
    (new,) = changes_since(old_run, worse)
    assert (
        new.sentence
        == f"{other_build} validation against temurin-17.0.7+7: bad, not run before: Because."
    )
    assert changes_since(worse, old_run) == ()


def test_flags_builds_and_cells_that_come_and_go() -> None:
    flagged_run = make_results(make_cell(FIXED, "not-reproduced", "fixed", flags=("It waits.",)))
    plain = night("not-reproduced")
    ((new, code),) = changes_since(plain, flagged_run)
    assert (new.partition(": ")[2], code) == ("flagged, was as-expected: It waits.", 1)
    ((new, _),) = changes_since(flagged_run, plain)
    assert new.split(": ")[1] == "as-expected, was flagged"
    missing = (UnavailableRecord(entry=FIXED, reasons=(("wheel", "no route"),)),)
    gone_run = make_results(unavailable=missing)
    (change,) = changes_since(plain, gone_run)
    reason = "No source could provide it: wheel: no route"
    assert change == (f"{FIXED}: unavailable, not before: {reason}", 2)
    assert changes_since(gone_run, plain) == ((f"{FIXED}: no longer unavailable", 0),)
    empty_run = make_results()
    assert changes_since(empty_run, plain) == ()
    ((new, _),) = changes_since(empty_run, night("reproduced"))
    assert ": regression, not run before: " in new


def test_what_both_runs_have_is_compared_and_the_rest_is_counted() -> None:
    builds = (FIXED, "temurin-21.0.8+9")
    cells = [
        make_cell(build, "not-reproduced", "fixed", test=f"tls13/Test{n}.java")
        for build in builds
        for n in range(100)
    ]
    large, small = make_results(*cells), make_results(*cells[:6])
    assert changes_since(large, small) == ()
    assert not_compared(large, small) == "not compared: 194 of its results, 0 of this run's"
    assert changes_since(small, large) == ()
    assert not_compared(small, large) == "not compared: 0 of its results, 194 of this run's"
    assert not_compared(large, large) is None
    surprise = make_cell(builds[1], "reproduced", "fixed", test="tls13/Test0.java")
    worse = make_results(*cells[:6], surprise)
    ((new, _),) = changes_since(small, worse)
    assert ": regression, not run before: " in new
    (removal,) = changes_since(large, make_results(*cells[:5], *cells[100:106]))
    assert removal == (f"{FIXED} Test5: no longer run, was as-expected", 2)
    gap_run = make_results(unavailable=(UnavailableRecord(entry="x-1", reasons=()),))
    assert changes_since(gap_run, small) == ()  # it was not asked for again


def test_without_an_expectation_the_outcome_is_compared() -> None:
    old = make_results(make_cell(FIXED, "not-reproduced", "unknown"))
    new = make_results(make_cell(FIXED, "reproduced", "unknown"))
    (change,) = changes_since(old, new)
    assert ": reproduced, was not-reproduced: " in change.sentence


def suite_night(*cells: tuple[str, str, str]) -> Results:
    cell_results = [
        make_cell(build, outcome, "unknown", test=test) for test, build, outcome in cells
    ]
    suite_differences = differences((cell.build, cell.test, cell.outcome) for cell in cell_results)
    return make_results(*cell_results, suite="/suite", differences=suite_differences)


def test_a_new_difference_of_a_suite_is_named_once() -> None:
    second, third = "temurin-21.0.8+9", "temurin-25.0.1+8"
    same = [("net/A.java", FIXED, "not-reproduced"), ("net/A.java", second, "not-reproduced")]
    differs = [("net/B.java", FIXED, "not-reproduced"), ("net/B.java", second, "reproduced")]
    wider_run = suite_night(*same, *differs)
    ((new, _),) = changes_since(suite_night(*same), wider_run)
    sentence = f"differs between builds, not before: passed on {FIXED}, failed on {second}."
    assert new == f"net/B.java: {sentence}"
    with_third = suite_night(*same, ("net/A.java", third, FAILED))
    ((new, _),) = changes_since(suite_night(*same), with_third)
    assert new.endswith(f"passed on {FIXED}, passed on {second}, failed on {third}.")
    assert changes_since(wider_run, wider_run) == ()
    widest_run = suite_night(*same, *differs, ("net/B.java", third, FAILED))
    assert changes_since(wider_run, widest_run) == ()  # it was different before
    ((sentence, _),) = changes_since(
        suite_night(*same), suite_night(same[0], ("net/A.java", second, FAILED))
    )
    assert sentence.startswith(f"{second} net/A.java: failed, was passed: ")


def test_report_says_what_changed_by_its_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store(tmp_path / "monday", ["17.0.3+7"])
    store(tmp_path / "tuesday", ["17.0.3+7"])
    main(["report", str(tmp_path / "monday")])
    capsys.readouterr()
    options = ["--since", str(tmp_path / "monday")]
    assert main(["report", str(tmp_path / "tuesday"), *options]) == 0
    assert "0 changes since monday, started" in capsys.readouterr().out
    (cell,) = (tmp_path / "tuesday").rglob("control-tls12.json")
    cell.unlink()  # no verdict without a control
    options = ["--since", str(tmp_path / "monday" / "results.json")]
    assert main(["report", str(tmp_path / "tuesday"), *options]) == 2
    out = capsys.readouterr().out
    assert "inconclusive, was as-expected: No control was run" in out
    assert "\n1 change since monday, started" in out


def test_since_what_is_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store(tmp_path / "run", ["17.0.3+7"])
    (tmp_path / "results.json").write_text("{}")
    for options, line in (
        (tmp_path / "nix", f"{tmp_path}/nix: not a run; accepted: a folder that holds run.json"),
        (tmp_path / "results.json", f"{tmp_path}/results.json: not a record of this kit"),
    ):
        assert main(["report", str(tmp_path / "run"), "--since", str(options)]) == 4
        assert line in capsys.readouterr().err
