# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a row judged by the builds before its own, and explained by what came between the two?"""

from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.cli.run import exit_code
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.errors import ExitCode
from jdkmatrix.grading.confirmation import attempts_at_flaky_rows
from jdkmatrix.grading.row_cells import rows_to_confirm
from jdkmatrix.grading.whole_run import Grader, assemble
from jdkmatrix.machine.children import ChildEnd
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import BuildRecord, OverlayRecord
from jdkmatrix.records.store import ROWS_FILE
from jdkmatrix.report.page.overall import looks, overall
from jdkmatrix.results.document import CellResult
from jdkmatrix.verdict.flakiness import FLAKY_ATTEMPTS
from jdkmatrix.vocabulary import Grade, Outcome, RowStatus, Status
from tests.grading.row_kit import TEST, Ends, build, store_attempt, store_run

FULL = "client/full/TLSv1.2/TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256/rsa/any/SSLSocket/jsse/1"
RSA = "client/full/TLSv1.2/TLS_RSA_WITH_AES_128_GCM_SHA256/rsa/any/SSLSocket/jsse/1"
CHACHA = "client/full/TLSv1.3/TLS_CHACHA20_POLY1305_SHA256/rsa/any/SSLSocket/jsse/1"


def last(
    tmp_path: Path, root: Path, ledger: Ledger, *builds: tuple[BuildRecord, Ends]
) -> CellResult:
    """The result of the last of these builds."""
    run, folder = store_run(tmp_path, *builds)
    results = assemble(run, folder, Rulebook.load(Checkout(root)))
    cell = results.cell(builds[-1][0].id, TEST)
    assert cell
    return cell


def test_a_row_that_worked_before_is_a_regression(
    tmp_path: Path, root: Path, ledger: Ledger
) -> None:
    older, newer = build("17.0.12+7"), build("17.0.19+10")
    cell = last(tmp_path, root, ledger, (older, {FULL: "p"}), (newer, {FULL: "u"}))
    assert cell.grade is Grade.REGRESSION
    sentence = "unsupported, but passed on 17.0.12+7 (said by 17.0.12+7): said by 17.0.19+10"
    assert cell.rows[0].change == sentence
    basis = "compared with 17.0.12+7"
    assert cell.reason == f"{FULL}: {sentence}. 1 rows: 1 unsupported; {basis}."


def test_a_peer_that_is_not_there_is_told_once(tmp_path: Path, root: Path, ledger: Ledger) -> None:
    older, newer = build("17.0.12+7"), build("17.0.19+10")
    old, new = {FULL: "p", RSA: "p", CHACHA: "p"}, {FULL: "p", RSA: "l", CHACHA: "l"}
    cell = last(tmp_path, root, ledger, (older, old), (newer, new))
    assert cell.grade is Grade.AS_EXPECTED
    assert [row.grade for row in cell.rows] == [Grade.AS_EXPECTED, *[Grade.SKIPPED] * 2]
    assert cell.reason.endswith(" Rows without a peer: said by 17.0.19+10 (2).")
    assert cell.reason.startswith("3 rows: 1 passed, 2 lacking; none worse than on 17.0.12+7.")


@pytest.mark.parametrize(
    ("ends", "code"),
    [("pee", ExitCode.MACHINE), ("eee", ExitCode.MACHINE), ("fee", ExitCode.SURPRISE)],
)
def test_what_the_kit_failed_to_ask_is_its_own_failure_and_not_the_builds(
    tmp_path: Path, root: Path, ledger: Ledger, ends: str, code: ExitCode
) -> None:
    older, newer = build("17.0.12+7"), build("17.0.19+10")
    names = (FULL, RSA, CHACHA)
    run, folder = store_run(
        tmp_path, (older, dict.fromkeys(names, "p")), (newer, dict(zip(names, ends, strict=True)))
    )
    results = assemble(run, folder, Rulebook.load(Checkout(root)))
    cell = results.cell(newer.id, TEST)
    assert cell
    assert results.not_asked == (cell,)
    count = ends.count("e")
    says = f"Rows whose peer the kit failed to bring: said by 17.0.19+10 ({count})."
    assert says in cell.reason
    assert exit_code(results, strict=False) is code
    assert overall(results).word == (
        "not as expected" if "f" in ends else "rows that were not asked"
    )
    assert [(look.cases[0].grade, look.cases[0].title) for look in looks(results)] == [
        ("regression" if "f" in ends else "not asked", f"{newer.id} ClientRows")
    ]


@pytest.mark.parametrize("end", ["p", "l"])
def test_a_cell_of_which_no_row_was_tried_is_skipped(tmp_path: Path, root: Path, end: str) -> None:
    older, newer = build("17.0.12+7"), build("17.0.19+10")
    run, folder = store_run(tmp_path, (older, {FULL: end}), (newer, {FULL: "l", RSA: "l"}))
    results = assemble(run, folder, Rulebook.load(Checkout(root)))
    cell = results.cell(newer.id, TEST)
    assert cell
    assert (cell.outcome, cell.grade) == (Outcome.NOT_APPLICABLE, Grade.SKIPPED)
    reason = "2 rows: 2 lacking; none was tried. Rows without a peer: said by 17.0.19+10 (2)."
    assert cell.reason == reason
    assert exit_code(results, strict=False) == (0 if end == "p" else 3)


def test_a_known_change_is_told_with_its_rows(tmp_path: Path, root: Path, ledger: Ledger) -> None:
    older, newer = build("17.0.12+7"), build("17.0.19+10")
    ends = [{FULL: "p", RSA: letter, f"{RSA}6": letter} for letter in "pu"]
    cell = last(tmp_path, root, ledger, (older, ends[0]), (newer, ends[1]))
    assert cell.grade is Grade.AS_EXPECTED
    assert cell.reason.endswith(
        "none worse than on 17.0.12+7 except for known changes."
        " Rows with known changes: JDK-8245545 (2)."
    )


@pytest.mark.parametrize(
    ("vendors", "grade"),
    [
        (("Azul Systems, Inc.", "Eclipse Adoptium"), Grade.AS_EXPECTED),
        (("Azul Systems, Inc.", "Azul Systems, Inc."), Grade.REGRESSION),
        (("Eclipse Adoptium", "Debian"), Grade.REGRESSION),
    ],
)
def test_what_one_vendor_has_more_is_no_regression_of_another(
    tmp_path: Path, root: Path, ledger: Ledger, vendors: tuple[str, str], grade: Grade
) -> None:
    older, newer = build("11.0.7+10", vendors[0]), build("11.0.9.1+1", vendors[1])
    cell = last(tmp_path, root, ledger, (older, {CHACHA: "p"}), (newer, {CHACHA: "u"}))
    assert cell.grade is grade


def test_of_one_version_the_build_asked_for_first_is_the_earlier(
    tmp_path: Path, root: Path, ledger: Ledger
) -> None:
    plain, copy = build("17.0.12+7"), build("local:17.0.12+7")
    assert last(tmp_path / "1", root, ledger, (plain, {FULL: "p"}), (copy, {FULL: "f"})).grade is (
        Grade.REGRESSION
    )
    assert last(tmp_path / "2", root, ledger, (copy, {FULL: "f"}), (plain, {FULL: "p"})).grade is (
        Grade.AS_EXPECTED
    )


@pytest.mark.parametrize("victim", ["older", "newer", "both"])
@pytest.mark.parametrize(("end", "grade"), [("p", Grade.AS_EXPECTED), ("u", Grade.REGRESSION)])
def test_rows_count_though_the_first_attempt_was_killed(
    tmp_path: Path, root: Path, ledger: Ledger, victim: str, end: str, grade: Grade
) -> None:
    older, newer = build("17.0.12+7"), build("17.0.19+10")
    rows = ((older, {FULL: "p"}, victim != "newer"), (newer, {FULL: end}, victim != "older"))
    run, folder = store_run(
        tmp_path, *((build_record, None if late else ends) for build_record, ends, late in rows)
    )
    for build_record, ends, late in rows:
        for attempt in (2, 3) if late else ():
            store_attempt(folder, build_record, ends, attempt)
    cell = assemble(run, folder, Rulebook.load(Checkout(root))).cell(newer.id, TEST)
    assert cell
    assert (cell.grade, len(cell.rows)) == (grade, 1)
    assert " 17.0.12+7." in cell.reason


def test_a_build_without_rows_is_none_to_compare_with(
    tmp_path: Path, root: Path, ledger: Ledger
) -> None:
    older, newer = build("17.0.12+7"), build("17.0.19+10")
    run, folder = store_run(tmp_path, (older, None), (newer, {FULL: "f"}))
    cell = assemble(run, folder, Rulebook.load(Checkout(root))).cell(newer.id, TEST)
    assert cell and cell.reason == "1 rows: 1 failed; no earlier build to compare with."


def test_what_passed_before_and_after_a_known_change_is_not_lost_by_it(
    tmp_path: Path, root: Path, ledger: Ledger
) -> None:
    builds = [build(text) for text in ("17.0.12+7", "17.0.19+10", "17.0.20+1")]
    cell = last(tmp_path, root, ledger, *zip(builds, ({RSA: end} for end in "ppu"), strict=True))
    assert cell.grade is Grade.REGRESSION
    assert [(row.baseline_build, row.bug) for row in cell.rows] == [("17.0.19+10", None)]


def test_a_peer_that_came_is_no_row_that_works_again(
    tmp_path: Path, root: Path, ledger: Ledger
) -> None:
    older, newer = build("17.0.12+7"), build("17.0.19+10")
    old, new = {FULL: "f", RSA: "l", CHACHA: "F"}, {FULL: "p", RSA: "p", CHACHA: "P"}
    cell = last(tmp_path, root, ledger, (older, old), (newer, new))
    change = "works, but did not on 17.0.12+7: said by 17.0.12+7"
    assert [row.change for row in cell.rows] == [change, None, change]
    assert [row.failure for row in cell.rows] == [None, None, "said by 17.0.19+10"]


def test_of_many_lost_rows_three_are_named_those_of_each_attempt_first(
    tmp_path: Path, root: Path
) -> None:
    older, newer = build("17.0.12+7"), build("17.0.19+10")
    names = ["a", "b", "c", "d"]
    run, folder = store_run(
        tmp_path, (older, dict.fromkeys(names, "p")), (newer, dict.fromkeys(names, "f"))
    )
    store_attempt(folder, newer, {**dict.fromkeys(names, "f"), "a": "p"}, 2)
    cell = assemble(run, folder, Rulebook.load(Checkout(root))).cell(newer.id, TEST)
    assert cell
    sentences = cell.reason.partition(" 4 rows: ")[0]
    sentence = "failed, but passed on 17.0.12+7 (said by 17.0.12+7): said by 17.0.19+10"
    assert (cell.grade, sentences) == (
        Grade.REGRESSION,
        f"b: {sentence}. c: {sentence}. d: {sentence}. 1 row more.",
    )


@pytest.mark.parametrize(("end", "grade"), [("f", "regression"), ("p", "flaky"), ("l", None)])
def test_an_attempt_at_the_lost_rows_alone(
    tmp_path: Path, root: Path, end: str, grade: str | None
) -> None:
    older, newer = build("17.0.12+7"), build("17.0.19+10")
    ends = [{"a": "p", "b": "p"}, {"a": "p", "b": "f"}]
    run, folder = store_run(tmp_path, *zip((older, newer), ends, strict=True))
    rulebook = Rulebook.load(Checkout(root))
    first = assemble(run, folder, rulebook).cell(newer.id, TEST)
    assert first
    assert rows_to_confirm(first) == ("b",)
    assert rows_to_confirm(first.model_copy(update={"grade": Grade.ERROR})) == ()
    store_attempt(folder, newer, {"b": end}, 2)
    cell = assemble(run, folder, rulebook).cell(newer.id, TEST)
    assert cell
    assert [row.row for row in cell.rows] == ["a", "b"]
    # Without its peer the row was not tried again: that is no answer.
    assert (cell.grade, cell.attempts[1].grade) == (
        (grade, "as-expected" if end == "p" else grade)
        if grade
        else ("inconclusive", "inconclusive")
    )


def test_what_must_be_refused_is_named_before_what_is_lost(tmp_path: Path, root: Path) -> None:
    older, newer = build("17.0.12+7"), build("17.0.19+10")
    run, folder = store_run(tmp_path, (older, {"a": "p", "b": "P"}), (newer, {"a": "f", "b": "F"}))
    cell = assemble(run, folder, Rulebook.load(Checkout(root))).cell(newer.id, TEST)
    assert cell
    assert cell.reason.startswith("b: said by 17.0.19+10. a: failed, but passed on 17.0.12+7 ")


@pytest.mark.parametrize(
    ("ends", "changes", "outcome"),
    [
        ("p", {"status": Status.FAILED}, "rows.jsonl: no row failed; its status: x"),
        ("f", {"status": Status.PASSED}, "rows.jsonl: a row failed; its status: x"),
        ("p", {"ended": ChildEnd.TIMEOUT}, "It was killed after 1 s: x"),
        (
            "p",
            {"artifacts": (ROWS_FILE, "hs_err_pid7.log")},
            "The test JVM crashed: hs_err_pid7.log. Its status: x",
        ),
    ],
    ids=["no row failed", "a row failed", "killed", "crashed"],
)
def test_rows_of_an_attempt_that_broke_do_not_count(
    tmp_path: Path, root: Path, ends: str, changes: dict[str, Any], outcome: str
) -> None:
    """Neither for the cell, nor against a row that another attempt lost."""
    older, newer = build("17.0.12+7"), build("17.0.19+10")
    run, folder = store_run(tmp_path, (older, {FULL: "p"}), (newer, {FULL: "f"}))
    store_attempt(folder, newer, {FULL: ends}, 2)
    (planned_cell,) = [cell for cell in run.cells if cell.build == newer.id]
    _, broke = folder.read_attempts(planned_cell)
    folder.write_cell(broke.model_copy(update=changes))
    cell = assemble(run, folder, Rulebook.load(Checkout(root))).cell(newer.id, TEST)
    assert cell
    assert [row.grade for row in cell.rows] == [Grade.REGRESSION]
    _, second = cell.attempts
    grade = Grade.BROKE if "crashed" in outcome else Grade.ERROR
    assert (second.outcome, second.grade, second.reason) == (Outcome.ERROR, grade, outcome)


@pytest.mark.parametrize(
    ("attempts", "grade", "rows"),
    [
        ("fp pf", Grade.FLAKY, [Grade.FLAKY, Grade.AS_EXPECTED]),
        ("ff pf fp", Grade.FLAKY, [Grade.FLAKY, Grade.FLAKY]),
        ("fp lf ff", Grade.REGRESSION, [Grade.REGRESSION, Grade.AS_EXPECTED]),
        ("fp ff fp", Grade.REGRESSION, [Grade.REGRESSION, Grade.AS_EXPECTED]),
        ("pf ff ff", Grade.REGRESSION, [Grade.AS_EXPECTED, Grade.REGRESSION]),
        ("ff ff ff", Grade.REGRESSION, [Grade.REGRESSION, Grade.REGRESSION]),
    ],
)
def test_a_row_is_lost_that_fails_in_each_attempt(
    tmp_path: Path, root: Path, attempts: str, grade: Grade, rows: list[Grade]
) -> None:
    older, newer = build("17.0.12+7"), build("17.0.19+10")
    first, *rest = (dict(zip((FULL, CHACHA), ends, strict=True)) for ends in attempts.split())
    run, folder = store_run(tmp_path, (older, {FULL: "p", CHACHA: "p"}), (newer, first))
    for number, ends in enumerate(rest, 2):
        store_attempt(folder, newer, ends, number)
    cell = assemble(run, folder, Rulebook.load(Checkout(root))).cell(newer.id, TEST)
    assert cell
    assert (cell.grade, [row.grade for row in cell.rows]) == (grade, rows)
    for row in cell.rows:
        assert ("; not in every attempt: flaky" in str(row.change)) == (row.grade is Grade.FLAKY)


def test_flaky_rows_are_asked_as_often_on_the_baseline(tmp_path: Path, root: Path) -> None:
    older, newer = build("17.0.12+7"), build("17.0.19+10")
    ends = [{"a": "p", "b": "p"}, {"a": "p", "b": "f"}]
    run, folder = store_run(tmp_path, *zip((older, newer), ends, strict=True))
    store_attempt(folder, newer, {"b": "p"}, 2)
    rulebook = Rulebook.load(Checkout(root))

    def wanted_attempts() -> list[tuple[str, int, tuple[str, ...]]]:
        grader = Grader(run, folder, rulebook)
        graded_cells = {cell: grader.grade(folder.read_attempts(cell)) for cell in run.cells}
        attempts = attempts_at_flaky_rows(graded_cells, validates=False)
        return [(cell.build, number, rows) for cell, number, rows in attempts]

    assert wanted_attempts() == [
        *((older.id, number, ("b",)) for number in range(2, FLAKY_ATTEMPTS + 1)),
        *((newer.id, number, ("b",)) for number in range(3, FLAKY_ATTEMPTS + 1)),
    ]
    for of_build, first in ((older, 2), (newer, 3)):
        for number in range(first, FLAKY_ATTEMPTS + 1):
            store_attempt(folder, of_build, {"b": "f" if of_build is newer else "p"}, number)
    assert wanted_attempts() == []
    results = assemble(run, folder, rulebook)
    statuses = {}
    for of_build in (older, newer):
        cell = results.cell(of_build.id, TEST)
        assert cell
        (statuses[of_build.id],) = (row.statuses for row in cell.rows if row.row == "b")
    assert statuses == {
        older.id: (RowStatus.PASSED,) * FLAKY_ATTEMPTS,
        newer.id: (
            RowStatus.FAILED,
            RowStatus.PASSED,
            *((RowStatus.FAILED,) * (FLAKY_ATTEMPTS - 2)),
        ),
    }


OVERLAY = OverlayRecord(
    name="x", option="--overlay /x", sha256="0" * 64, java_options=(), note="laid over"
)


@pytest.mark.parametrize(
    ("builds", "ends", "options"),
    [
        (["17.0.2+8", "17.0.12+7", "17.0.19+10"], "pff", "--build 17.0.2+8 --build 17.0.19+10"),
        (["local:17.0.2+8", "17.0.19+10"], "pu", "--jdk /nowhere --build 17.0.19+10"),
        (["17.0.2+8", "17.0.19+10"], "pp", "--build 17.0.19+10"),
        (["17.0.2+8", "17.0.19+10"], "PF", "--build 17.0.19+10"),
        (["17.0.19+10", "17.0.19+10-x"], "pf", "--build 17.0.19+10 --overlay /x"),
        (["17.0.2+8", "17.0.19+10-x"], "pf", "--build 17.0.2+8 --build 17.0.19+10 --overlay /x"),
    ],
)
def test_the_rerun_line_of_a_lost_row_has_the_build_that_it_worked_on(
    tmp_path: Path, root: Path, ledger: Ledger, builds: list[str], ends: str, options: str
) -> None:
    records = [
        build(text.removesuffix("-x")).model_copy(
            update={"overlay": OVERLAY, "id": text} if text.endswith("-x") else {}
        )
        for text in builds
    ]
    rows = [(record, {FULL: letter}) for record, letter in zip(records, ends, strict=True)]
    cell = last(tmp_path, root, ledger, *rows)
    assert cell.rerun == f"scripts/matrix run {options} --test {TEST}"
