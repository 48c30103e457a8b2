# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What the verdict of a validation says first, of one bug and of several; when rows are good."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.grading.judged_build import validation_of
from jdkmatrix.grading.whole_run import assemble
from jdkmatrix.paths import Checkout
from jdkmatrix.records.comparison_record import ThroughputRecord
from jdkmatrix.records.record import BuildRecord
from jdkmatrix.results.document import BugResult, BuildFault, BuildFaultKind, CellResult
from jdkmatrix.results.speed import TopicResult, ValidationResult
from jdkmatrix.supply.runtime_facts import Defaults
from jdkmatrix.vocabulary import MACHINE_LACKS, Grade, Verdict
from tests.grading.row_kit import Ends, build, store_attempt, store_run
from tests.report.conftest import make_build, make_cell, make_results

BUILD = "temurin-17.0.9+9"
ROW = "client/full/TLSv1.3/TLS_AES_128_GCM_SHA256/rsa/any/SSLSocket/jsse/1"


def without_baseline(*cells: CellResult, **changes: Any) -> ValidationResult:
    """The verdict on the build by these cells."""
    plan = ThroughputRecord(seed=1, blocks=2, minimum_effect=0.05, validates=(BUILD, None))
    return validation_of(make_results(*cells, **changes), plan)


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (
            [("JDK-8293562", "a/One.java", "regression")],
            "JDK-8293562 is back (1 of 1 test); One: Requests waited",
        ),
        (
            [
                ("JDK-8293562", "a/One.java", "regression"),
                ("JDK-8293562", "a/Two.java", "regression"),
                ("JDK-8293562", "a/Three.java", "regression"),
                ("JDK-8278067", "a/Four.java", "flaky"),
            ],
            "JDK-8293562 is back (3 of 3 tests); One: Requests waited; "
            "JDK-8278067 is flaky (1 of 1 test); Four: Requests waited",
        ),
        (  # what makes it bad, before what has no answer
            [
                ("JDK-8290005", "a/One.java", "error"),
                ("JDK-8278067", "a/Two.java", "flaky"),
                ("JDK-8293562", "a/Three.java", "regression"),
            ],
            "JDK-8293562 is back (1 of 1 test); Three: Requests waited; "
            "JDK-8278067 is flaky (1 of 1 test); Two: Requests waited; "
            "JDK-8290005 was not tested to the end (1 of 1 test); One: Requests waited",
        ),
    ],
)
def test_a_bug_is_named_once_with_its_first_test(
    rows: list[tuple[str, str, str]], text: str
) -> None:
    cells = [
        make_cell(BUILD, "reproduced", "fixed").model_copy(
            update={"bug": bug, "test": test, "reason": "Requests waited.", "grade": Grade(grade)}
        )
        for bug, test, grade in rows
    ]
    validation = without_baseline(*cells)
    assert validation.verdict == "bad"
    assert validation.reason.startswith(f"bugs: {text}; ")


def test_a_bug_is_named_with_its_title() -> None:
    cell = make_cell(BUILD, "reproduced", "fixed")
    assert cell.bug
    bug = BugResult(id=cell.bug, title="Threads wait", component="x", fixed=(), links=())
    validation = without_baseline(cell, bugs=(bug,))
    name = cell.test.rpartition("/")[2].removesuffix(".java")
    sentence = f"bugs: {cell.bug} is back (1 of 1 test): Threads wait; {name}: "
    assert validation.reason.startswith(sentence)


def test_what_the_version_does_not_tell_is_said_with_where_the_fix_lies() -> None:
    cells = [
        make_cell(BUILD, "not-reproduced", expectation).model_copy(
            update={"bug": bug, "test": f"a/{bug}.java"}
        )
        for bug, expectation in (
            ("JDK-1", "unknown"),
            ("JDK-2", "unknown"),
            ("JDK-3", "unknown"),
            ("JDK-4", "fixed"),
        )
    ]
    tags = {
        "JDK-1": ("11.0.2+7", "17.0.8+7..17.0.12+7"),
        "JDK-2": ("17.0.9",),
        "JDK-3": ("11.0.2+7",),
        "JDK-4": ("17.0.8+7..17.0.12+7",),
    }
    bugs = tuple(
        BugResult(id=bug, title="x", component="x", fixed=first_tags, links=())
        for bug, first_tags in tags.items()
    )
    validation = without_baseline(*cells, bugs=bugs, builds=(make_build(BUILD),))
    (topic,) = (topic for topic in validation.topics if topic.topic == "bugs")
    assert topic.sentence.endswith(
        "; the version does not tell of 3 bugs whether it is fixed: JDK-1 (fixed after 17.0.8+7, "
        "by 17.0.12+7), JDK-2 (fixed by 17.0.9), JDK-3"
    )


def test_a_flagged_cell_is_bad_though_it_was_as_expected() -> None:
    cell = make_cell(BUILD, "not-reproduced", "fixed", flags=("It waits.",))
    validation = without_baseline(cell)
    assert validation.verdict == "bad"
    name = cell.test.rpartition("/")[2].removesuffix(".java")
    sentence = f"{cell.bug} shows in a recording (1 of 1 test); {name}: It waits"
    assert (
        validation.reason == f"bugs: {sentence}; 1 as expected; 1 suspicious by their recordings."
    )
    validation = without_baseline()
    assert (validation.verdict, validation.reason) == ("undecided", "bugs: no reproducer was run.")


def test_without_what_the_machine_lacks_no_build_is_good() -> None:
    reason = f"{MACHINE_LACKS} jars: no mvn"
    good = make_cell(BUILD, "not-reproduced", "fixed")
    lacking = make_cell(BUILD, "not-applicable", "not-applicable").model_copy(
        update={"test": "interop/QuickRows.java", "reason": reason, "grade": Grade.SKIPPED}
    )
    validation = without_baseline(good, lacking)
    assert (validation.verdict, validation.reason) == (
        "undecided",
        f"machine: QuickRows: {reason}.",
    )
    assert without_baseline(good).verdict == "good"


@pytest.mark.parametrize(
    ("faults", "complete", "verdict", "text"),
    [
        ((), False, "undecided", "the run was interrupted"),
        (("replaced",), True, "undecided", "replaced: why"),
        (("broken-promise",), True, "bad", "broken-promise: why"),
        (
            ("replaced", "broken-promise"),
            False,
            "bad",
            "replaced: why; broken-promise: why; the run was interrupted",
        ),
    ],
)
def test_what_is_wrong_with_the_build_or_the_run_is_a_topic(
    faults: tuple[str, ...], complete: bool, verdict: str, text: str
) -> None:
    of_builds = tuple(
        BuildFault(
            build=build_id, kind=BuildFaultKind(kind), about="x", sentence=f"{kind}: why.", rerun=""
        )
        for kind in faults
        for build_id in (BUILD, "another-17.0.9+9")
    )
    cell = make_cell(BUILD, "not-reproduced", "fixed")
    validation = without_baseline(cell, complete=complete, build_faults=of_builds)
    assert (validation.verdict, validation.reason) == (verdict, f"build: {text}.")


@pytest.mark.parametrize("kind", BuildFaultKind)
def test_what_is_wrong_with_the_baseline_leaves_it_undecided(kind: BuildFaultKind) -> None:
    old = "temurin-17.0.8+7"
    fault = BuildFault(build=old, kind=kind, about="x", sentence="Why.", rerun="")
    plan = ThroughputRecord(seed=1, blocks=2, minimum_effect=0.05, validates=(BUILD, old))
    validation = validation_of(make_results(build_faults=(fault,)), plan)
    expected = TopicResult(topic="build", verdict=Verdict.UNDECIDED, sentence=f"{old}: Why")
    assert validation.topics[0] == expected


def test_what_the_baseline_cannot_tell_is_not_looked_at() -> None:
    old = "debian-17.0.8+7"
    new_defaults = Defaults(version="17.0.9+9", vendor="x", aspects={"root": {"ab12": "CN=x"}})
    new = make_build(BUILD).model_copy(update={"defaults": new_defaults})
    base = make_build(old)
    plan = ThroughputRecord(
        seed=1, blocks=2, minimum_effect=0.05, validates=(BUILD, old), left_out=("the plan's",)
    )
    validation = validation_of(make_results(builds=(new, base)), plan)
    assert validation.not_looked_at == (
        "the plan's",
        f"the update alone: {old} is another vendor's (debian, not temurin), so differences may be "
        "the vendor's",
        "defaults: one of the two builds could not be asked",
    )
    assert (validation.defaults, validation.rerun) == (
        None,
        f"scripts/matrix validate {BUILD} --baseline {old}",
    )
    old_defaults = Defaults(
        version="17.0.8+7", vendor="x", aspects={}, unknown={"root": "no cacerts"}
    )
    base = base.model_copy(update={"vendor": "temurin", "defaults": old_defaults})
    validation = validation_of(make_results(builds=(new, base)), plan)
    assert validation.not_looked_at == ("the plan's", "defaults, root: no cacerts")
    assert validation.defaults
    assert validation.defaults.unexplained == ()
    (defaults,) = (topic for topic in validation.topics if topic.topic == "defaults")
    text = "nothing of them could be compared"
    assert (defaults.verdict, defaults.sentence) == (Verdict.UNDECIDED, text)
    assert validation_of(make_results(builds=(new,)), plan).rerun == ""
    local_build = base.model_copy(update={"source": "local", "home": "/my jdk"})
    assert validation_of(make_results(builds=(new, local_build)), plan, minutes=7).rerun == (
        f"scripts/matrix validate {BUILD} --baseline '/my jdk' --minutes 7"
    )


def on_rows(
    folder: Path,
    root: Path,
    *builds: tuple[BuildRecord, Ends],
    candidate: int,
    baseline: int | None,
    further_attempts: Sequence[tuple[BuildRecord, Ends]] = (),
) -> TopicResult:
    """What a validation says of the rows of one of these builds, with `further_attempts`."""
    run, stored_run = store_run(folder, *builds)
    numbers = Counter(build_record.id for build_record, _ in builds)
    for build_record, ends in further_attempts:
        numbers[build_record.id] += 1
        store_attempt(stored_run, build_record, ends, numbers[build_record.id])
    ids = [build_record.id for build_record, _ in builds]
    validates = (ids[candidate], None if baseline is None else ids[baseline])
    plan = ThroughputRecord(seed=1, blocks=2, minimum_effect=0.05, validates=validates)
    run = run.model_copy(update={"speed": plan})
    validation = assemble(run, stored_run, Rulebook.load(Checkout(root))).validation
    assert validation
    return next(topic for topic in validation.topics if topic.topic == "interoperability")


@pytest.mark.parametrize(
    ("old", "new", "verdict", "sentence"),
    [
        ("p", "p", "good", "1 rows: 1 passed; none worse than on 17.0.12+7"),
        ("p", "f", "bad", f"{ROW}: failed, but passed on 17.0.12+7 (said by 17.0.12+7): said by"),
        ("p", "l", "undecided", "1 rows: 1 lacking; none was tried. "),
        (
            "l",
            "p",
            "undecided",
            "1 rows: 1 passed; no earlier build to compare with; 17.0.12+7 has no",
        ),
        ("f", "f", "undecided", "1 rows: 1 failed; none worse than on 17.0.12+7; no row works"),
        (
            "",
            "p",
            "good",
            "1 rows: 1 passed; no earlier build to compare with; rows that must be refused alone",
        ),
        ("", "f", "undecided", "1 rows: 1 failed; no earlier"),
        (
            "",
            "F",
            "bad",
            f"{ROW}: said by 17.0.19+10. 1 rows: 1 failed; no earlier build to compare",
        ),
        (
            "",
            "l",
            "undecided",
            "1 rows: 1 lacking; none was tried",
        ),
    ],
)
def test_rows_are_good_where_some_were_compared(
    tmp_path: Path, root: Path, old: str, new: str, verdict: str, sentence: str
) -> None:
    builds = [(build("17.0.19+10"), {ROW: new})]
    if old:
        builds.append((build("17.0.12+7"), {ROW: old}))
    topic = on_rows(tmp_path, root, *builds, candidate=0, baseline=1 if old else None)
    assert topic.verdict == verdict
    assert topic.sentence.startswith(sentence)


@pytest.mark.parametrize(
    ("old", "new", "verdict", "rates"),
    [
        ("pppppp", "fpffff", "bad", "in 5 of 6 attempts, on 17.0.12+7 in 0 of 6"),
        ("pppppp", "fppppp", "undecided", "in 1 of 6 attempts, on 17.0.12+7 in 0 of 6"),
        ("ppfpff", "fpffff", "undecided", "in 5 of 6 attempts, on 17.0.12+7 in 3 of 6"),
        ("pp", "fpffff", "undecided", "in 5 of 6 attempts, on 17.0.12+7 in 0 of 2"),
    ],
)
def test_rows_that_come_and_go_are_bad_where_the_baseline_is_steady(
    tmp_path: Path, root: Path, old: str, new: str, verdict: str, rates: str
) -> None:
    rows = [f"{ROW}{number}" for number in range(3)]
    older, newer = build("17.0.12+7"), build("17.0.19+10")
    first_attempts, further_attempts = [], []
    for of_build, letters in ((older, old), (newer, new)):
        attempts = [(of_build, dict.fromkeys(rows, letter)) for letter in letters]
        first_attempts.append(attempts[0])
        further_attempts += attempts[1:]
    topic = on_rows(
        tmp_path, root, *first_attempts, candidate=1, baseline=0, further_attempts=further_attempts
    )
    assert (topic.verdict, rates in topic.sentence) == (verdict, True)


@pytest.mark.parametrize(("old", "new"), [("pp", "pe"), ("pe", "pp")])
def test_rows_that_were_not_asked_leave_it_undecided(
    tmp_path: Path, root: Path, old: str, new: str
) -> None:
    server_row = ROW.replace("client", "server")
    builds = [
        (build("17.0.12+7"), {ROW: old[0], server_row: old[1]}),
        (build("17.0.19+10"), {ROW: new[0], server_row: new[1]}),
    ]
    assert on_rows(tmp_path, root, *builds, candidate=1, baseline=0).verdict == "undecided"


@pytest.mark.parametrize("old", [0, 1])
def test_rows_are_compared_with_a_baseline_of_the_same_version(
    tmp_path: Path, root: Path, old: int
) -> None:
    builds = [build("17.0.12+7"), build("local:17.0.12+7")]  # in this order, whichever is judged
    ends = [{ROW: "p" if place == old else "f"} for place in (0, 1)]
    topic = on_rows(
        tmp_path, root, *zip(builds, ends, strict=True), candidate=1 - old, baseline=old
    )
    assert topic.verdict == "bad"
    assert topic.sentence.startswith(f"{ROW}: failed, but passed on {builds[old].id} ")
