# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does another vendor's build of the same version contradict what explains a change?"""

from pathlib import Path

import pytest

from jdkmatrix.config.known_changes import KnownChange
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.grading.judged_build import validation_of
from jdkmatrix.grading.whole_run import assemble
from jdkmatrix.paths import Checkout
from jdkmatrix.records.comparison_record import ThroughputRecord
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.results.document import Results
from jdkmatrix.results.speed import TopicResult
from jdkmatrix.supply.runtime_facts import Defaults
from jdkmatrix.verdict.behaviour import ChangeRules
from jdkmatrix.vocabulary import Grade
from tests.grading.behaviour_kit import NEW, OLD, store
from tests.grading.row_kit import TEST, build, store_run
from tests.grading.test_row_cells import FULL, RSA

COUNTERPART = build(NEW.version, "Debian").model_copy(update={"id": "debian-17.0.19+10"})
PLAN = ThroughputRecord(seed=1, blocks=2, minimum_effect=0.05, validates=(NEW.id, OLD.id))
CHANGE = {
    "title": "x",
    "since": {17: "17.0.12+7..17.0.19+10"},
    "behaviour": [{"rows": ["a.b"]}],
    "changes": [{"aspect": "*", "kind": "removed"}],
}
OF_BUG = KnownChange.model_validate({"bug": "JDK-1234567", **CHANGE})
UNREPORTED = KnownChange.model_validate({"unreported": True, **CHANGE})
RSA_KEY_EXCHANGE = {"RSA_KEY": ""}


def explanations(results: Results, change: KnownChange = OF_BUG) -> TopicResult:
    rules = ChangeRules(known_changes=[change])
    validation = validation_of(results, PLAN, rules, counterpart=COUNTERPART.id)
    return next(topic for topic in validation.topics if topic.topic == "explanations")


@pytest.mark.parametrize(
    ("text", "change", "verdict", "sentence"),
    [
        ("y", OF_BUG, "good", "against debian-17.0.19+10, behaviour: none of 1 row differ"),
        (
            "x",
            OF_BUG,
            "bad",
            "JDK-1234567 does not explain 1 row: a.b; debian-17.0.19+10, of the same version, is "
            "there as the baseline; against debian-17.0.19+10, behaviour: 1 of 1 row differ for",
        ),
        ("z", OF_BUG, "good", "against debian-17.0.19+10, behaviour: 1 of 1 row differ"),
        ("x", UNREPORTED, "good", "against debian-17.0.19+10, behaviour: 1 of 1 row differ"),
    ],
    ids=["as the build", "as the baseline", "neither", "excused by nothing"],
)
def test_a_change_of_the_version_is_in_the_counterpart(
    tmp_path: Path, root: Path, text: str, change: KnownChange, verdict: str, sentence: str
) -> None:
    of_builds = [(OLD, ({"a.b": "x"},)), (COUNTERPART, ({"a.b": text},)), (NEW, ({"a.b": "y"},))]
    run, folder = store(tmp_path, *of_builds)
    topic = explanations(assemble(run, folder, Rulebook.load(Checkout(root))), change)
    assert topic.verdict == verdict
    assert topic.sentence.startswith(sentence)


@pytest.mark.parametrize(
    ("aspect", "suites", "verdict"),
    [
        ("client-cipher-suite", {}, "good"),
        ("client-cipher-suite", RSA_KEY_EXCHANGE, "bad"),
        ("root", RSA_KEY_EXCHANGE, "good"),
    ],
)
def test_so_is_a_changed_default_but_for_roots(
    tmp_path: Path, root: Path, aspect: str, suites: dict[str, str], verdict: str
) -> None:
    run, folder = store(tmp_path, *[(record, ()) for record in (OLD, COUNTERPART, NEW)])
    results = assemble(run, folder, Rulebook.load(Checkout(root)))
    of_builds = {OLD.id: RSA_KEY_EXCHANGE, COUNTERPART.id: suites, NEW.id: {}}
    records = [with_defaults(record, aspect, of_builds[record.id]) for record in results.builds]
    topic = explanations(results.model_copy(update={"builds": tuple(records)}))
    assert topic.verdict == verdict
    says_so = "JDK-1234567 does not explain - client-cipher-suite RSA_KEY; " in topic.sentence
    assert says_so is (verdict == "bad")


def with_defaults(record: BuildRecord, aspect: str, suites: dict[str, str]) -> BuildRecord:
    defaults = Defaults(version=record.version, vendor="x", aspects={aspect: suites}, unknown={})
    return record.model_copy(update={"defaults": defaults})


@pytest.mark.parametrize(("end", "grade"), [("u", Grade.AS_EXPECTED), ("p", Grade.REGRESSION)])
def test_a_lost_row_that_works_on_it_is_not_explained(
    tmp_path: Path, root: Path, end: str, grade: Grade
) -> None:
    of_builds = [(OLD, "p"), (COUNTERPART, end), (NEW, "u")]
    ends = [(record, {FULL: "p", RSA: of_row}) for record, of_row in of_builds]
    run, folder = store_run(tmp_path, *ends)
    run = run.model_copy(update={"speed": PLAN})
    results = assemble(run, folder, Rulebook.load(Checkout(root)))
    grades = {cell.build: cell.grade for cell in results.cells if cell.test == TEST}
    assert grades == {
        OLD.id: Grade.AS_EXPECTED,
        COUNTERPART.id: Grade.AS_EXPECTED,
        NEW.id: grade,
    }
