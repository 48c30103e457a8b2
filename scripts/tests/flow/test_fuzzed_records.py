# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Whatever the records of a run or of a shard hold, they are read, or refused in one line."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from jdkmatrix.errors import KitError
from jdkmatrix.evidence.digest import parse_digest
from jdkmatrix.evidence.outcomes import read_outcomes
from jdkmatrix.evidence.rows import read_rows
from jdkmatrix.flow.flow import grade_run
from jdkmatrix.paths import Checkout
from jdkmatrix.records.model import read_record
from jdkmatrix.records.record import CellRecord
from jdkmatrix.records.store import ROWS_FILE, RunFolder
from jdkmatrix.results.document import Results
from tests.flow.shard_kit import AFFECTED, store
from tests.fuzz import fuzz

READERS: dict[str, Callable[[Path], object]] = {
    "run.json": lambda file: RunFolder(file.parent).read_run(),
    "cell.json": lambda file: read_record(file, CellRecord),
    "digest.json": lambda file: parse_digest(file.read_bytes()),
    "outcome.json": lambda file: read_outcomes(file.parent),
    "results.json": lambda file: read_record(file, Results),
    ROWS_FILE: lambda file: read_rows(file.parent),
}
ROWS = (
    '{"row":"a/b","must_fail":false,"status":"passed","said":"TLSv1.3","alert":"","ms":3}\n'
    '{"rows":1}'
)
ODD = [
    *("null", "true", "-1", "0", "1e999", "NaN", "-Infinity", "1.5", "9" * 5_000, "0x1", "'a'"),
    *('""', '"\\ud800"', '"\\u0000"', '"\\u001b[2J"', '"../../x"', '"/etc/passwd"', '"a\\nb"'),
    *('"' + "x" * 100_000 + '"', "[" * 100_000, '{"a":' * 300, "[" * 150 + "]" * 150, "[]", "{}"),
    *(
        '{"__class__": 1}',
        '"::error::x"',
        '"-Xmx"',
        '"2026-13-45T00:00:00Z"',
        "",
        "}",
        '"',
        ",",
        ":",
    ),
]
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?[0-9.eE+]+|true|false|null|[\[\]{},:]')
CHANGES = st.lists(st.tuples(st.integers(0, 4_000), st.sampled_from(ODD)), min_size=1, max_size=3)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one cell, with its reports, and a file of rows."""
    place = tmp_path_factory.mktemp("fuzzed") / "run"
    store(place, (AFFECTED,))
    folder = RunFolder(place)
    grade_run(Checkout.current(), folder, folder.read_run())
    (place / ROWS_FILE).write_text(ROWS)
    return place


def change_words(text: str, changes: list[tuple[int, str]]) -> bytes:
    """The text with other words in these places."""
    for index, odd in changes:
        tokens = list(TOKEN.finditer(text))
        if tokens:
            token = tokens[index % len(tokens)]
            text = text[: token.start()] + odd + text[token.end() :]
    return text.encode(errors="surrogatepass")


def read_error(read: Callable[[], object]) -> str:
    """In what line; "" if it is taken."""
    try:
        read()
    except KitError as error:
        assert str(error).count("\n") == 0, str(error)[:300]
        return str(error)
    return ""


def original(run: Path, name: str) -> Path:
    (file,) = run.rglob(name)
    return file


@pytest.mark.parametrize("name", READERS)
def test_what_is_changed_here_is_right_as_it_is(run: Path, name: str) -> None:
    assert read_error(lambda: READERS[name](original(run, name))) == ""


@pytest.mark.slow
@fuzz(200, name=st.sampled_from(sorted(READERS)), changes=CHANGES)
def test_odd_values_anywhere(run: Path, name: str, changes: list[tuple[int, str]]) -> None:
    file = original(run, name)
    place = run.parent / f"odd-{name}" / name
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(change_words(file.read_text(), changes))
    read_error(lambda: READERS[name](place))


@fuzz(
    20,
    long_inputs=2_000,
    name=st.sampled_from(["run.json", "cell.json", "digest.json", "outcome.json"]),
    changes=CHANGES,
)
def test_a_run_with_an_odd_record_is_reported_or_refused(
    run: Path, name: str, changes: list[tuple[int, str]]
) -> None:
    place = run.with_name("odd")
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(run, place)
    file = original(place, name)
    file.write_bytes(change_words(file.read_text(), changes))
    folder = RunFolder(place)

    def report() -> Any:
        return grade_run(Checkout.current(), folder, folder.read_run())

    if not read_error(report):
        json.loads((place / "results.json").read_text())
