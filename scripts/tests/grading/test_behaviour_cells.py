# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""How do the rows of `test/behave` become results, and is a row that differs asked again?"""

from pathlib import Path

import pytest

from jdkmatrix.config.accepted_changes import AcceptedChange
from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.grading.behaviour_cells import rows_to_ask_again
from jdkmatrix.grading.compared_behaviour import breaches_of, compare_builds
from jdkmatrix.grading.judged_build import validation_of
from jdkmatrix.grading.whole_run import Grader, assemble
from jdkmatrix.paths import Checkout
from jdkmatrix.records.comparison_record import ThroughputRecord
from jdkmatrix.records.record import PlannedCell
from jdkmatrix.records.store import OBSERVATIONS_FILE
from jdkmatrix.results.document import CellResult, Results
from jdkmatrix.results.speed import TopicResult, ValidationResult
from jdkmatrix.verdict.behaviour import ChangeRules
from jdkmatrix.vocabulary import Grade, Outcome
from jdkmatrix.words.behaviour import difference_lines
from tests.grading.behaviour_kit import NEW, OLD, TEST, Texts, results_of, store
from tests.grading.row_kit import build


def cell_of(results: Results) -> CellResult:
    cell = results.cell(NEW.id, TEST)
    assert cell
    return cell


def test_an_unexplained_change_of_a_gold_row_is_a_regression(tmp_path: Path, root: Path) -> None:
    old, new = {"a.b": "200 x", "plain.b": "p"}, {"a.b": "404 x", "plain.b": "q"}
    results = results_of(tmp_path, root, (OLD, (old,)), (NEW, (new,)))
    cell = cell_of(results)
    assert (cell.outcome, cell.grade) == (Outcome.REPRODUCED, Grade.REGRESSION)
    gold, plain = cell.observations
    assert (gold.grade, gold.change) == (Grade.REGRESSION, "200 x -> 404 x")
    assert gold.baseline_build == OLD.id
    assert plain.grade is Grade.RECORDED
    cases = [case for case in results.cases if case.kind == "observation"]
    assert [(case.build, case.subject, case.status) for case in cases] == [
        (OLD.id, "a.b", "passed"),
        (OLD.id, "plain.b", "passed"),
        (NEW.id, "a.b", "failed"),
        (NEW.id, "plain.b", "passed"),
    ]
    assert [case.state for case in cases] == ["200 x", "p", "regression", "q"]
    first = results.cell(OLD.id, TEST)
    assert first and first.grade is Grade.AS_EXPECTED
    assert "a.b: 200 x -> 404 x; 2 of 2 rows changed for no known reason against" in cell.reason


def test_a_broken_rule_that_is_not_known_is_a_regression(tmp_path: Path, root: Path) -> None:
    results = results_of(tmp_path, root, (OLD, ({"a.b": "x"},)), (NEW, ({"a.b": "hangs in X"},)))
    row = cell_of(results).observations[0]
    assert (row.rule, row.rule_bug, row.grade) == ("hangs", None, Grade.REGRESSION)
    rulebook = Rulebook.load(Checkout(root))
    assert [breach.rule for breach in breaches_of(results, NEW.id, rulebook.behaviour)] == ["hangs"]
    assert breaches_of(results, OLD.id, rulebook.behaviour) == ()


def test_a_row_that_flickers_is_no_surprise(tmp_path: Path, root: Path) -> None:
    results = results_of(
        tmp_path,
        root,
        (OLD, ({"a.b": "x", "a.c": "x"}, {"a.b": "x", "a.c": "x"})),
        (NEW, ({"a.b": "y", "a.c": "y"}, {"a.b": "x", "a.c": "y"})),
    )
    cell = cell_of(results)
    assert [row.grade for row in cell.observations] == [Grade.AS_EXPECTED, Grade.REGRESSION]
    assert cell.observations[0].further_texts == ("x",)
    rulebook = Rulebook.load(Checkout(root))
    delta = compare_builds(
        results, (OLD.id, NEW.id), ChangeRules(rulebook.behaviour, rulebook.known_changes)
    )
    assert (delta.flickering, delta.changed_rows) == (("a.b",), ("a.c",))


def test_rows_that_differ_are_asked_again(tmp_path: Path, root: Path, ledger: Ledger) -> None:
    run, folder = store(
        tmp_path, (OLD, ({"a.b": "x", "a.c": "x"},)), (NEW, ({"a.b": "y", "a.c": "x"},))
    )
    rulebook = Rulebook.load(Checkout(root))
    grader, cell = Grader(run, folder, rulebook), PlannedCell(build=NEW.id, test=TEST)
    earlier = grader.earlier_behaviour(cell)
    assert earlier and earlier.build == OLD
    assert rows_to_ask_again(earlier, grader.behaviour(cell), rulebook) == ("a.b",)


def test_two_builds_are_compared_whatever_their_trains(tmp_path: Path, root: Path) -> None:
    results = results_of(
        tmp_path, root, (build("11.0.24+8"), ({"a.b": "x"},)), (NEW, ({"a.b": "y"},))
    )
    assert cell_of(results).observations[0].baseline_build == "11.0.24+8"


def judge(
    tmp_path: Path, root: Path, old: Texts, new: Texts, *acceptances: AcceptedChange
) -> ValidationResult:
    """The verdict on the newer build, against the older."""
    run, folder = store(tmp_path, (OLD, (old,)), (NEW, (new,)))
    rulebook = Rulebook.load(Checkout(root))
    plan = ThroughputRecord(seed=1, blocks=2, minimum_effect=0.05, validates=(NEW.id, OLD.id))
    rules = ChangeRules(rulebook.behaviour, rulebook.known_changes, acceptances)
    return validation_of(assemble(run, folder, rulebook), plan, rules)


def topic_of(validation: ValidationResult) -> TopicResult:
    return next(topic for topic in validation.topics if topic.topic == "behaviour")


@pytest.mark.parametrize(
    ("old", "new", "verdict", "text"),
    [
        ("x", "x", "good", "none of 1 row changed"),
        ("x", "hangs in X.y", "bad", "it is not over after its deadline: 1 row: a.b: hangs in X.y"),
        ("hangs in X.y", "hangs in X.y", "good", "none of 1 row changed"),
        ("200 x", "404 x", "bad", "unexplained: a.b: 200 x -> 404 x"),
        ("E: x", "E: (bad_certificate) x", "good", "none of 1 row changed"),
    ],
)
def test_a_validation_judges_what_changed(
    tmp_path: Path, root: Path, old: str, new: str, verdict: str, text: str
) -> None:
    topic = topic_of(judge(tmp_path, root, {"a.b": old}, {"a.b": new}))
    assert topic.verdict == verdict
    assert topic.sentence.startswith(text)


def test_an_accepted_change_is_good_and_named(tmp_path: Path, root: Path) -> None:
    acceptance = AcceptedChange.model_validate(
        {"id": "i", "rows": ["a.*"], "build": NEW.id, "by": "A. Engineer", "reason": "wanted"}
    )
    old, new = {"a.b": "200 x", "a.c": "x"}, {"a.b": "404 x", "a.c": "hangs in X.y"}
    validation = judge(tmp_path, root, old, new, acceptance)
    topic = topic_of(validation)
    assert (topic.verdict, validation.new_breaches) == ("good", ())
    assert topic.sentence.endswith("accepted by A. Engineer")
    assert validation.behaviour
    first, *_ = difference_lines(validation.behaviour)
    assert first.startswith("unexplained (accepted by A. Engineer: wanted): ")


def test_rows_of_one_build_alone_are_undecided(tmp_path: Path, root: Path) -> None:
    topic = topic_of(judge(tmp_path, root, {}, {"a.b": "x"}))
    assert (topic.verdict, topic.sentence) == ("undecided", "no row could be compared")


def test_a_jvm_that_did_not_reach_its_end_is_an_error(tmp_path: Path, root: Path) -> None:
    run, folder = store(tmp_path, (NEW, ({"a.b": "x"},)))
    file = folder.cell_folder(run.cells[0]) / OBSERVATIONS_FILE
    file.write_text(file.read_text().partition("\n")[0])
    cell = assemble(run, folder, Rulebook.load(Checkout(root))).cells[0]
    assert (cell.outcome, cell.grade) == (Outcome.ERROR, Grade.ERROR)
    assert "the JVM ended after 1 rows" in cell.reason
