# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is `rows.jsonl` read as agreed, and nothing guessed of one that is not whole?"""

import json
from pathlib import Path

import pytest

from jdkmatrix.evidence.outcomes import OutcomeFileError
from jdkmatrix.evidence.rows import read_rows
from jdkmatrix.records.store import ROWS_FILE
from jdkmatrix.vocabulary import RowStatus


def line(row: str = "client/full", **changes: object) -> str:
    whole = {"row": row, "must_fail": False, "status": "passed", "said": "", "alert": "", "ms": 1}
    return json.dumps(whole | changes)


def test_rows_in_their_order(tmp_path: Path) -> None:
    lines = [line("b"), line("a", status="lacking", said="no openssl"), '{"rows": 2}']
    (tmp_path / ROWS_FILE).write_text("\n".join(lines))
    rows = read_rows(tmp_path)
    assert [row.row for row in rows] == ["b", "a"]
    assert rows[1].status is RowStatus.LACKING


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([line()], "the JVM ended after 1 rows"),
        ([line(), '{"rows": 2}'], "the JVM ended after 1 rows"),
        (['{"rows": 0}'], "the JVM ended after 0 rows"),
        ([line(), line(), '{"rows": 2}'], "a row occurs twice"),
        ([line(status="good"), '{"rows": 1}'], "validation error"),
        ([line()[:20]], "validation error"),
    ],
)
def test_what_is_not_whole_is_no_result(tmp_path: Path, lines: list[str], message: str) -> None:
    (tmp_path / ROWS_FILE).write_text("\n".join(lines))
    with pytest.raises(OutcomeFileError, match=message):
        read_rows(tmp_path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(OutcomeFileError, match=r"rows\.jsonl: not a regular file$"):
        read_rows(tmp_path)
