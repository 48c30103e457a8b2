# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does each reproduced cell say why, from real facts, and never stumble over what is not there?

`fixtures/evidence/reproduced.jsonl` has a line a test, or more: what `reproduced` cells of real
runs wrote. After a change to a test's facts: UPDATE_REPRODUCED="RUN/results.json ..." pytest
tests/words/test_causes.py, and look at what changed.
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.config.ledger import PLACEHOLDER, Bug, CauseTemplate, Ledger, load_ledger
from jdkmatrix.evidence.cause import CauseSource
from jdkmatrix.evidence.digest import parse_digest
from jdkmatrix.evidence.outcomes import CaseOutcome
from jdkmatrix.words.causes import Cause, find_cause
from tests.evidence.conftest import EVIDENCE

STORED = EVIDENCE / "reproduced.jsonl"
LONGEST_SENTENCE = 300
REASON = "Because (figure 3, bound 1)."
TEMPLATE = CauseTemplate(says="{who} waited {close_ms} for {count} bytes")
JAVA = {"version": "17", "vendor": "v", "home": "/jdk", "pid": 1}


@pytest.fixture(scope="module")
def ledger(root: Path) -> Ledger:
    return load_ledger(root / "test" / "bugs.yaml")


def outcome(facts: dict[str, Any], *figures: dict[str, Any]) -> CaseOutcome:
    header = {"schema": 1, "test": "T", "bug": "JDK-8293562", "case": "subject", "java": JAVA}
    body = {"outcome": "reproduced", "reason": REASON, "facts": facts}
    judged_figures = figures or ({"name": "f", "value": 1, "bound": 1, "unit": "ms"},)
    return CaseOutcome.model_validate({**header, **body, "figures": judged_figures})


def find_by_template(
    template: CauseTemplate, facts: dict[str, Any], *figures: dict[str, Any]
) -> Cause:
    return find_cause(None, None, (template,), outcome(facts, *figures), "a/T.java", REASON)


def read_stored() -> Iterator[tuple[str, CaseOutcome]]:
    for line in STORED.read_text().splitlines():
        cell = json.loads(line)
        yield cell["test"], outcome(cell["facts"], *cell["figures"])


def bug_of(ledger: Ledger, test: str) -> Bug:
    return next(bug for bug in ledger.bugs if test in bug.tests)


@pytest.mark.skipif("UPDATE_REPRODUCED" not in os.environ, reason="only to store cells anew")
def test_store_what_reproduced_cells_wrote(ledger: Ledger) -> None:
    """One cell for each sentence that a test's facts make; of tests that were not run, as it is."""
    new: dict[tuple[str, str], str] = {}
    for file in os.environ["UPDATE_REPRODUCED"].split():
        for cell in json.loads(Path(file).read_text())["cells"]:
            if cell["outcome"] == "reproduced":
                case, bug = cell["evidence"]["cases"][0], bug_of(ledger, cell["test"])
                record = {"test": cell["test"], "build": cell["build"]}
                record |= {"figures": case["figures"], "facts": case["facts"]}
                case_outcome = outcome(case["facts"], *case["figures"])
                cause = find_cause(
                    None, None, bug.cause, case_outcome, cell["test"], REASON
                ).sentence
                shape = re.sub(r"[\d., ms]+", "", cause)
                new.setdefault((cell["test"], shape), json.dumps(record))
    run = {test for test, _ in new}
    old = [line for line in STORED.read_text().splitlines() if json.loads(line)["test"] not in run]
    STORED.write_text("".join(f"{line}\n" for line in sorted([*old, *new.values()])))


def test_facts_become_words() -> None:
    facts = {"who": "closer", "close_ms": 2513, "count": 3_989_504}
    cause = find_by_template(TEMPLATE, facts)
    assert cause == Cause("closer waited 2.5 s for 3,989,504 bytes", CauseSource.FACTS)


def test_a_list_is_joined_and_a_figure_is_a_fact_too() -> None:
    figure = {"name": "close_ms", "value": 300, "bound": 300, "unit": "ms"}
    cause = find_by_template(TEMPLATE, {"who": ["a", "b"], "count": 1}, figure)
    assert cause.sentence == "a, b waited 300 ms for 1 bytes"


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"who": "closer", "close_ms": 1},
        {"who": None, "close_ms": 1, "count": 1},
        {"who": True, "close_ms": 1, "count": 1},
        {"who": " ", "close_ms": 1, "count": 1},
        {"who": [], "close_ms": 1, "count": 1},
        {"who": ["a", ""], "close_ms": 1, "count": 1},
        {"who": "a < " * 99, "close_ms": 1, "count": 1},
    ],
)
def test_without_a_fact_the_reason_is_said(facts: dict[str, Any]) -> None:
    assert find_by_template(TEMPLATE, facts) == Cause(
        "Because (figure 3, bound 1)", CauseSource.REASON
    )


def test_a_figure_below_its_bound_is_no_cause() -> None:
    figure = {"name": "close_ms", "value": 3, "bound": 300, "unit": "ms"}
    assert find_by_template(TEMPLATE, {"who": "a", "count": 1}, figure).source is CauseSource.REASON


def test_without_an_outcome_file_or_template_the_reason_is_said() -> None:
    assert find_cause(None, None, (TEMPLATE,), None, "a/T.java", "Why.") == Cause(
        "Why", CauseSource.REASON
    )
    assert find_cause(None, None, (), outcome({}), "a/T.java", "Why").sentence == "Why"


def test_what_a_test_wrote_is_no_template() -> None:
    cause = find_by_template(TEMPLATE, {"who": "{count}\n.", "close_ms": 1, "count": 2})
    assert cause.sentence == "{count} waited 1 ms for 2 bytes"


@pytest.mark.parametrize(
    ("fact", "condition", "holds"),
    [
        ("closer: A.read < B.close", "B.close", True),
        ("closer: A.read < B.close", "closer", True),
        ("closer: A.read < B.closeSocket", "B.close", False),
        (["x: A.read", "y: B.close"], "B.close", True),
        ("closer: A.read", ("B.close", "A.read"), True),
        ("closer: A.read", ("B.close", "C.read"), False),
        (0, 0, True),
        (0, False, False),
        (False, False, True),
        (True, 1, False),
        ("1", 1, False),
        (None, "B.close", False),
    ],
)
def test_a_sentence_is_said_where_its_facts_hold(
    fact: Any, condition: bool | int | str | tuple[str, ...], holds: bool
) -> None:
    template = CauseTemplate(says="so it is", where={"fact": condition})
    assert (find_by_template(template, {"fact": fact}).source is CauseSource.FACTS) == holds


def test_a_sentence_of_another_test_is_not_said() -> None:
    template = CauseTemplate(says="so it is", test="a/U.java")
    assert find_by_template(template, {}).source is CauseSource.REASON


def test_the_recording_is_asked_first(ledger: Ledger) -> None:
    (recording,) = parse_digest((EVIDENCE / "temurin-11.0.13+8.blocked.json").read_bytes()).readable
    bug = ledger.bug("8293562")
    facts = {"waiter": "w", "holder": "h", "waiter_frames": "KeepAliveCache.get"}
    case_outcome = outcome({**facts, "holder_frames": "SSLSocketImpl.close"})
    test = bug.tests[0]
    by_recording = find_cause(recording, bug.evidence, bug.cause, case_outcome, test, REASON)
    assert by_recording.source is CauseSource.RECORDING
    assert by_recording.sentence.startswith("12 threads waited ")
    assert (
        find_cause(None, bug.evidence, bug.cause, case_outcome, test, REASON).source
        is CauseSource.FACTS
    )


def test_each_test_of_the_ledger_has_a_sentence_of_real_facts(ledger: Ledger) -> None:
    cells = list(read_stored())
    assert {test for test, _ in cells} == {test for bug in ledger.bugs for test in bug.tests}
    for test, case in cells:
        cause = find_cause(None, None, bug_of(ledger, test).cause, case, test, REASON)
        assert cause.source is CauseSource.FACTS, test
        assert len(cause.sentence) <= LONGEST_SENTENCE, cause.sentence
        assert not re.search(r"[{}\n]|\.$", cause.sentence), cause.sentence


def test_each_sentence_of_the_ledger_is_said_of_real_facts(ledger: Ledger) -> None:
    cells = list(read_stored())
    missing = [
        template.says
        for bug in ledger.bugs
        for n, template in enumerate(bug.cause)
        if not any(
            find_cause(None, None, bug.cause[n:], case, test, REASON)
            == find_cause(None, None, (template,), case, test, REASON)
            != find_cause(None, None, (), case, test, REASON)
            for test, case in cells
            if test in bug.tests
        )
    ]
    assert missing == []


def test_each_fact_that_a_sentence_names_is_written_by_its_test(ledger: Ledger, root: Path) -> None:
    library = "".join(file.read_text() for file in sorted((root / "test" / "lib").glob("*.java")))
    unknown = [
        (test, name)
        for bug in ledger.bugs
        for template in bug.cause
        for test in ([template.test] if template.test else bug.tests)
        for name in {*PLACEHOLDER.findall(template.says), *template.facts}
        if f'"{name}"' not in library + (root / "test" / test).read_text()
        and (template.test or not any(_writes(root, sibling, name) for sibling in bug.tests))
    ]
    assert unknown == []


def _writes(root: Path, test: str, name: str) -> bool:
    return f'"{name}"' in (root / "test" / test).read_text()
