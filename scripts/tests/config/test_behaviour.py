# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are masks, rules and accepted changes read, and is a mistake in them one line?"""

from pathlib import Path

import pytest

from jdkmatrix.config import version
from jdkmatrix.config.accepted_changes import check_accepted, load_accepted_changes
from jdkmatrix.config.behaviour import RowMask, load_behaviour
from jdkmatrix.errors import UsageError
from jdkmatrix.paths import Checkout
from jdkmatrix.vocabulary import ObservationStatus

ACCEPTED = """
accepted:
  - {id: accept, rows: ["sent.url.*"], build: debian-17, by: A. Engineer, reason: as we want it}
"""
SEEN = ObservationStatus.SEEN


def test_each_mask_and_rule_of_the_kit_hides_and_finds_something(root: Path) -> None:
    behaviour = load_behaviour(Checkout(root).behaviour)
    for mask in behaviour.masks:
        row = mask.rows[0].replace("*", "x")
        for text, rest in mask.hides.items():
            assert mask.hide(row, text) == rest
            assert mask.rows == ("*",) or mask.hide("another.row", text) == text
        for text in mask.keeps:
            assert mask.hide(row, text) == text
    signs = {
        "post-twice": "POST sent 2 times",
        "internal-error": "alert internal_error",
        "runtime-exception": "IOException: x <- NullPointerException",
        "no-answer": "closed without an answer",
        "revoked-accepted": "valid",
    }
    for rule in behaviour.rules:
        row = rule.rows[0].replace("*", "a.b")
        if rule.status:
            assert rule.is_broken_by(row, rule.status, "x")
            assert not rule.is_broken_by(row, SEEN, "x")
        else:
            assert rule.is_broken_by(row, SEEN, signs[rule.name])
            assert not rule.is_broken_by(row, SEEN, "POST sent 1 times, IOException")


def test_a_mask_is_for_its_rows() -> None:
    mask = RowMask(
        id="x",
        name="x",
        rows=("a.*",),
        pattern="[0-9]+",
        replacement="N",
        hides={"1": "N"},
        keeps=("a",),
    )
    assert (mask.hide("a.b", "12"), mask.hide("b.b", "12")) == ("N", "12")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "masks: [{id: x, name: x, pattern: '(', replacement: '', hides: {a: b}, keeps: [c]}]",
            "not a regular expression",
        ),
        (
            "rules: [{name: x, sentence: y, pattern: '('}]",
            "accepted: Python's `re`",
        ),
        ("rules: [{name: x, sentence: y}]", "accepted: one of status and pattern"),
        ("rules: [{name: x, sentence: y, status: bad}]", "status"),
        (
            "rules: [{name: x, sentence: y, status: hangs, known: [{rows: [a], title: b}]}]",
            "accepted: bug, unreported: true, or both",
        ),
    ],
)
def test_a_mistake_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "behave.yaml"
    file.write_text(f"schema: 1\n{text}\n")
    with pytest.raises(UsageError) as refusal:
        load_behaviour(file)
    assert message in str(refusal.value) and "\n" not in str(refusal.value)


def test_a_breach_is_known_of_its_builds(tmp_path: Path) -> None:
    file = tmp_path / "behave.yaml"
    of_rule = "{rows: [a.*], unreported: true, title: b, since: {17: 17.0.20.1+1..17.0.21.0.3+1}}"
    file.write_text(
        f"schema: 1\nrules: [{{name: x, sentence: y, status: hangs, known: [{of_rule}]}}]"
    )
    (breach,) = load_behaviour(file).rules[0].known_breaches
    assert breach.explains("a.b", version.parse("17.0.21.1+2"))
    assert not breach.explains("a.b", version.parse("17.0.20.1+1"))
    assert not breach.explains("b.b", version.parse("17.0.21.1+2"))


def test_accepted_changes_are_of_this_build_and_of_rows_that_there_are(tmp_path: Path) -> None:
    file = tmp_path / "accepted.yaml"
    file.write_text(ACCEPTED)
    changes = load_accepted_changes(file)
    check_accepted(file, changes, ("debian-17",), ("sent.url.get",))
    check_accepted(file, changes, ("debian-17",), ("sent.*",))
    with pytest.raises(UsageError, match=r"debian-17 is not what .*: debian-21"):
        check_accepted(file, changes, ("debian-21",), ("sent.url.get",))
    with pytest.raises(
        UsageError, match=r"accept: rows: sent\.url\.\*: no gold row has such an id"
    ):
        check_accepted(file, changes, ("debian-17",), ("redirect.*",))


def test_an_id_twice_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "accepted.yaml"
    file.write_text(ACCEPTED + ACCEPTED.splitlines()[-1] + "\n")
    with pytest.raises(UsageError, match="duplicate id 'accept'"):
        load_accepted_changes(file)
