# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Are outcome files read as written, and a malformed one refused with file, place and reason?"""

import json
from pathlib import Path
from typing import Any

import pytest

from jdkmatrix.evidence.outcomes import OutcomeFileError, read_outcomes
from jdkmatrix.vocabulary import Outcome


def content(**changes: Any) -> dict[str, Any]:
    document = {
        "schema": 1,
        "test": "RequestsBlockedWhileConnectionCloses",
        "bug": "JDK-8293562",
        "case": "subject",
        "outcome": "reproduced",
        "reason": "A request waited (worst_request_ms 3997, bound 2000).",
        "figures": [{"name": "worst_request_ms", "value": 3997, "bound": 2000, "unit": "ms"}],
        "facts": {"protocol": "TLSv1.3", "held_fins": 2, "silent": True, "stacks": ["a", "b"]},
        "java": {"version": "11.0.13+8", "vendor": "Eclipse Adoptium", "home": "/x", "pid": 7},
    } | changes
    return {key: field for key, field in document.items() if field is not ...}


def write(folder: Path, name: str = "outcome.json", **changes: Any) -> None:
    (folder / name).write_text(json.dumps(content(**changes)), encoding="utf-8")


def test_subject_and_controls(tmp_path: Path) -> None:
    write(tmp_path)
    write(tmp_path, "control-tls12.json", case="tls12", outcome="not-reproduced")
    write(tmp_path, "control-no-read-timeout.json", case="no-read-timeout", outcome="error")
    cell = read_outcomes(tmp_path)
    assert cell.verdict is not None
    assert cell.verdict.outcome is Outcome.REPRODUCED
    assert cell.verdict.figures[0].value == 3997
    assert cell.verdict.java.pid == 7
    assert [control.case for control in cell.controls] == ["no-read-timeout", "tls12"]


def test_no_file_is_no_verdict(tmp_path: Path) -> None:
    cell = read_outcomes(tmp_path)
    assert cell.verdict is None
    assert cell.controls == ()


def test_a_control_that_did_not_hold_ends_the_cell(tmp_path: Path) -> None:
    write(tmp_path, case="tls12", outcome="inconclusive", figures=[])
    cell = read_outcomes(tmp_path)
    assert cell.verdict is not None
    assert (cell.verdict.case, cell.verdict.outcome) == ("tls12", Outcome.INCONCLUSIVE)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"schema": 2}, "schema: input should be 1"),
        ({"outcome": "Reproduced"}, "outcome: input should be 'reproduced', 'not-reproduced'"),
        ({"outcome": None}, "outcome: input should be"),
        ({"reason": ""}, "reason: string should have at least 1 character"),
        ({"reason": ...}, "reason: field required"),
        ({"bug": "8293562"}, "bug: string should match pattern"),
        ({"figures": []}, "outcome 'reproduced' without a figure"),
        (
            {"figures": [{"name": "a", "value": "3997", "bound": 1, "unit": "ms"}]},
            "figures.0.value",
        ),
        (
            {"figures": [{"name": "a", "value": float("nan"), "bound": 1, "unit": "ms"}]},
            "figures.0",
        ),
        ({"java": {"version": "11", "vendor": "", "home": ""}}, "java.pid: field required"),
        ({"pid": 7}, "pid: extra inputs are not permitted"),
        ({"case": "tls12"}, "case: 'tls12' is a control, and only the subject may say 'repro"),
    ],
)
def test_malformed(tmp_path: Path, changes: dict[str, Any], text: str) -> None:
    write(tmp_path, **changes)
    with pytest.raises(OutcomeFileError) as error:
        read_outcomes(tmp_path)
    assert str(error.value).startswith(f"{tmp_path / 'outcome.json'}: {text}")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"", "not JSON: Expecting value"),
        (json.dumps(content()).encode()[:-9], "not JSON: "),
        (b"[]", "Input should be a valid dict"),
        (b'{"reason": "\xff"}', "cannot be read: not UTF-8 at byte 12"),
        (b"[" * 200_000, "not JSON: "),
        (b" " * (1 << 20) + b"{}", "cannot be read: more than 1,048,576 bytes"),
    ],
    ids=["empty", "cut", "list", "latin-1", "deep", "large"],
)
def test_not_even_json(tmp_path: Path, raw: bytes, text: str) -> None:
    (tmp_path / "outcome.json").write_bytes(raw)
    with pytest.raises(OutcomeFileError) as error:
        read_outcomes(tmp_path)
    assert str(error.value).startswith(f"{tmp_path / 'outcome.json'}: {text}")
    assert "\n" not in str(error.value)


def test_a_control_under_another_name(tmp_path: Path) -> None:
    write(tmp_path, "control-tls12.json", case="no-read-timeout", outcome="not-reproduced")
    with pytest.raises(OutcomeFileError, match="case: is 'no-read-timeout', the file's name 'tl"):
        read_outcomes(tmp_path)
