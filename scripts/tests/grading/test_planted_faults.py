# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""When is a planted fault found? Only by the verdict and the words that its entry wants."""

import os
from pathlib import Path

import pytest

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.planted import PlantedFault, load_planted
from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.errors import MachineError
from jdkmatrix.grading.planted_faults import Answer, answers, missed_in
from jdkmatrix.grading.whole_run import assemble
from jdkmatrix.overlay.configured import configured_copy
from jdkmatrix.paths import Checkout
from jdkmatrix.records.record import UnavailableRecord
from jdkmatrix.results.document import BuildFault, BuildFaultKind, CellResult
from jdkmatrix.vocabulary import Grade
from tests.grading import behaviour_kit as behaviour
from tests.grading.row_kit import TEST, Ends, build, store_run
from tests.report.conftest import make_cell, make_results

NAMES = "SSLSessionContextImpl.get"


def fault(verdict: str = "regression", names: str = NAMES, **fields: str) -> PlantedFault:
    document = {"id": "fault", "title": "a lock", "patch": "fault.diff", "bug": "JDK-8255603"}
    return PlantedFault.model_validate(
        {**document, "builds": ["a-17"], "verdict": verdict, "names": names, **fields}
    )


def cell(grade: Grade, reason: str, cause: str | None = None) -> CellResult:
    base_cell = make_cell("a-17", "reproduced", "fixed")
    evidence = base_cell.evidence.model_copy(update={"cause": cause})
    return base_cell.model_copy(update={"grade": grade, "reason": reason, "evidence": evidence})


@pytest.mark.parametrize(
    ("graded_cell", "planted_fault", "miss"),
    [
        (cell(Grade.REGRESSION, f"Waits in {NAMES}."), fault(), None),
        (cell(Grade.REGRESSION, "Waits.", f"2 threads waited in {NAMES}"), fault(), None),
        (cell(Grade.REGRESSION, "Waits."), fault(names=""), None),
        (cell(Grade.REGRESSION, "Waits."), fault(), f"'{NAMES}' is not named: Waits."),
        (cell(Grade.FLAKY, f"{NAMES}."), fault("flaky"), None),
        (cell(Grade.REGRESSION, f"{NAMES}."), fault("flaky"), f"regression, not flaky: {NAMES}."),
        (cell(Grade.AS_EXPECTED, "Fine."), fault(), "as-expected, not regression: Fine."),
        (cell(Grade.SILENCED, "No TLS 1.3."), fault(), "silenced, not regression: No TLS 1.3."),
        (cell(Grade.AS_EXPECTED, "Fine."), fault("innocent", ""), None),
        (cell(Grade.INCONCLUSIVE, "Too slow."), fault("innocent", ""), None),
        (cell(Grade.REGRESSION, "W."), fault("innocent", ""), "regression, not innocent: W."),
        (cell(Grade.ERROR, "Late."), fault("innocent", ""), "error, not innocent: Late."),
    ],
)
def test_a_fault_is_found_by_its_verdict_and_its_words(
    graded_cell: CellResult, planted_fault: PlantedFault, miss: str | None
) -> None:
    assert missed_in(graded_cell, planted_fault) == miss


@pytest.mark.parametrize(
    ("grade", "is_missed"),
    [
        (Grade.AS_EXPECTED, True),
        (Grade.FLAKY, True),
        (Grade.SKIPPED, True),
        (Grade.ERROR, False),
        (Grade.INCONCLUSIVE, False),
    ],
)
def test_what_has_no_verdict_is_not_missed(grade: Grade, is_missed: bool) -> None:
    """A JVM that was killed says nothing of the fault: 2, not 1."""
    results = make_results(cell(grade, "Killed.")).model_copy(update={"unavailable": ()})
    (reply,) = answers(results, fault(), tests=1)
    assert (reply.is_found, reply.is_missed) == (False, is_missed)


@pytest.mark.parametrize(
    ("about", "names", "is_found"),
    [("tls13", "has TLSv1.3", True), ("flight-recorder", "", False), ("tls13", "RC4", False)],
)
def test_a_promise_is_a_finding_of_the_build(about: str, names: str, is_found: bool) -> None:
    build_fault = BuildFault(
        build="a-17",
        kind=BuildFaultKind.BROKEN_PROMISE,
        about=about,
        sentence="It is not to be had; disabledAlgorithms has TLSv1.3.",
        rerun="scripts/matrix run",
    )
    results = make_results(cell(Grade.SILENCED, "No TLS 1.3."))
    results = results.model_copy(update={"unavailable": ()})
    planted_fault = fault(names=names, promise="tls13")
    (answer,) = answers(
        results.model_copy(update={"build_faults": (build_fault,)}), planted_fault, 1
    )
    assert answer.is_found is is_found
    (answer,) = answers(results, planted_fault, 1)
    assert answer == Answer(False, "NOT FOUND: no broken promise of tls13 is reported")


ALPN, FULL = "server/alpn/TLSv1.3", "server/full/TLSv1.3"
ALPN_12 = "server/alpn/TLSv1.2"


@pytest.mark.parametrize(
    ("plain", "faulty", "miss"),
    [
        ({ALPN: "p", FULL: "p"}, {ALPN: "f", FULL: "p"}, None),
        ({ALPN: "p", FULL: "p"}, {ALPN: "f", FULL: "f"}, f"{FULL} is a regression, too"),
        (
            {ALPN: "p", ALPN_12: "p"},
            {ALPN: "f", ALPN_12: "p"},
            f"{ALPN_12} passes all the same",
        ),
        ({ALPN: "p", ALPN_12: "f"}, {ALPN: "f", ALPN_12: "f"}, None),
        ({ALPN: "p", FULL: "p"}, {ALPN: "p", FULL: "p"}, "as-expected, not regression"),
        ({ALPN: "p", FULL: "p"}, {ALPN: "p", FULL: "f"}, "no row of server/alpn/* is a regression"),
    ],
)
def test_rows_are_found_by_the_pattern_that_is_named_for_them(
    tmp_path: Path, ledger: Ledger, plain: Ends, faulty: Ends, miss: str | None
) -> None:
    builds = (build("17.0.12+7"), plain), (build("local:17.0.12+7"), faulty)
    document = {"id": "rows", "title": "x", "patch": "x.diff", "builds": ["17.0.12+7"]}
    planted_fault = PlantedFault.model_validate(
        {**document, "tests": [TEST], "rows": ["server/alpn/*"]}
    )
    replies = list(
        answers(assemble(*store_run(tmp_path, *builds), Rulebook(ledger)), planted_fault, 1)
    )
    assert replies[0] == Answer(True, "ClientRows on 17.0.12+7: as-expected, as it must be")
    assert replies[1].is_found is (miss is None)
    assert (miss or "regression, as it must be") in replies[1].sentence


CLOSES, PLAIN = "reuse.url.get-404", "plain.get-404"


@pytest.mark.parametrize(
    ("changed_rows", "miss"),
    [
        ([CLOSES], None),
        ([CLOSES, PLAIN], None),  # what is not gold decides nothing
        ([PLAIN], "as-expected, not regression"),
        ([CLOSES, "other"], "other is a regression, too"),
    ],
)
def test_a_change_of_a_gold_row_of_behaviour_is_found_too(
    tmp_path: Path, ledger: Ledger, changed_rows: list[str], miss: str | None
) -> None:
    texts = dict.fromkeys([CLOSES, PLAIN, "other"], "the same connection")
    faulty = texts | dict.fromkeys(changed_rows, "a new connection")
    builds = build("17.0.12+7"), build("local:17.0.12+7")
    run = behaviour.store(tmp_path, (builds[0], (texts,)), (builds[1], (faulty,)))
    document = {"id": "rows", "title": "x", "patch": "x.diff", "builds": ["17.0.12+7"]}
    planted_fault = PlantedFault.model_validate(
        {**document, "tests": [behaviour.TEST], "rows": ["reuse.*"]}
    )
    replies = list(answers(assemble(*run, Rulebook(ledger)), planted_fault, 1))
    assert replies[0].is_found
    assert replies[1].is_found is (miss is None)
    assert (miss or "regression, as it must be") in replies[1].sentence


def test_what_the_build_shows_without_the_fault_is_no_finding(
    tmp_path: Path, ledger: Ledger
) -> None:
    document = {"id": "rows", "title": "x", "patch": "x.diff", "builds": ["17.0.12+7"]}
    planted_fault = PlantedFault.model_validate({**document, "tests": [TEST], "rows": ["*"]})
    results = assemble(*store_run(tmp_path, (build("17.0.12+7"), {FULL: "F"})), Rulebook(ledger))
    (answer,) = answers(results, planted_fault, 1)
    assert not answer.is_found
    assert answer.sentence.startswith("ClientRows on 17.0.12+7: regression, WITHOUT THE FAULT: ")


def test_a_build_that_cannot_be_had_finds_nothing() -> None:
    missing = UnavailableRecord(entry="a-17", reasons=(("wheel", "gone"),))
    results = make_results().model_copy(update={"unavailable": (missing,)})
    replies = list(answers(results, fault(), 2))
    text = "a-17 is unavailable: wheel: gone"
    assert replies == [Answer(False, text, has_verdict=False)] * 2
    assert not replies[0].is_missed


def test_what_is_planted_is_wanted_by_its_words(ledger: Ledger) -> None:
    faults = load_planted(Checkout.current().planted_faults, ledger).planted
    assert {planted_fault.verdict for planted_fault in faults} == {
        "regression",
        "flaky",
        "innocent",
    }
    of_bugs = [planted_fault for planted_fault in faults if planted_fault.bug]
    nameless_ids = [
        planted_fault.id
        for planted_fault in of_bugs
        if not planted_fault.names and planted_fault.verdict != "innocent"
    ]
    assert all(fault_id.startswith("close-under-lock-") for fault_id in nameless_ids)


@pytest.mark.parametrize("folder", ["conf/security", "jre/lib/security"])
def test_a_copy_is_configured_otherwise_and_the_jdk_is_not(tmp_path: Path, folder: str) -> None:
    target = tmp_path / "etc"
    target.write_text("a=1\n")
    place = tmp_path / "jdk" / folder / "java.security"
    place.parent.mkdir(parents=True)
    place.symlink_to(os.path.relpath(target, place.parent))
    (tmp_path / "jdk" / "gone").symlink_to("nowhere")
    configured_copy(tmp_path / "jdk", "a=2\n", tmp_path / "copy" / "jdk")
    assert (tmp_path / "copy" / "jdk" / folder / "java.security").read_text() == "a=1\n\na=2\n"
    assert target.read_text() == "a=1\n"


def test_a_jdk_without_java_security_is_refused(tmp_path: Path) -> None:
    (tmp_path / "jdk").mkdir()
    with pytest.raises(MachineError, match=r"no java\.security"):
        configured_copy(tmp_path / "jdk", "a=2\n", tmp_path / "copy")
    with pytest.raises(MachineError, match="cannot be copied: "):
        configured_copy(tmp_path / "none", "a=2\n", tmp_path / "copy2")
