# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is `observations.jsonl` read as agreed, and nothing guessed of one that is not whole?"""

import json
from pathlib import Path

import pytest

from jdkmatrix.evidence.outcomes import OutcomeFileError
from jdkmatrix.evidence.rows import read_observations
from jdkmatrix.records.store import OBSERVATIONS_FILE
from jdkmatrix.vocabulary import ObservationStatus


def line(row: str = "sent.url.get", **changes: object) -> str:
    whole = {"row": row, "does": "x", "gold": True, "status": "seen", "text": "a", "notes": []}
    return json.dumps(whole | {"ms": 1} | changes)


def test_rows_in_their_order(tmp_path: Path) -> None:
    lines = [line("b.b"), line("a.a", status="hangs", notes=["leaves thread x"]), '{"rows": 2}']
    (tmp_path / OBSERVATIONS_FILE).write_text("\n".join(lines))
    rows = read_observations(tmp_path)
    assert [row.row for row in rows] == ["b.b", "a.a"]
    assert rows[1].status is ObservationStatus.HANGS
    assert rows[1].notes == ("leaves thread x",)


def test_no_row_may_be_selected(tmp_path: Path) -> None:
    (tmp_path / OBSERVATIONS_FILE).write_text('{"rows": 0}\n')
    assert read_observations(tmp_path) == ()


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "the JVM ended after 0 rows"),
        ([line()], "the JVM ended after 1 rows"),
        ([line(), '{"rows": 2}'], "the JVM ended after 1 rows"),
        ([line(), line(), '{"rows": 2}'], "a row occurs twice"),
        ([line(status="good"), '{"rows": 1}'], "validation error"),
        ([line()[:20]], "validation error"),
    ],
)
def test_what_is_not_whole_is_no_result(tmp_path: Path, lines: list[str], message: str) -> None:
    (tmp_path / OBSERVATIONS_FILE).write_text("\n".join(lines))
    with pytest.raises(OutcomeFileError, match=message):
        read_observations(tmp_path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(OutcomeFileError, match=r"observations\.jsonl: not a regular file$"):
        read_observations(tmp_path)
