# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is docs/reference/behaviour-changes.md what the stored observations give today?

After a run of `:behave` or `:behave_gold` on the builds at hand, or a change of test/changes.yaml:
UPDATE_BEHAVIOUR="RUN..." scripts/test tests/docs/test_behaviour_changes.py; `-` keeps the rows.
"""

import gzip
import os
from pathlib import Path

import pytest

from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.grading.stored_results import results_of
from jdkmatrix.paths import Checkout
from tests.conftest import FIXTURES, ROOT
from tests.docs.behaviour_page import ObservedBuilds, behaviour_changes, collect_observations

PAGE = ROOT / "docs" / "reference" / "behaviour-changes.md"
ROWS = FIXTURES / "docs" / "behaviour.json.gz"
_TRAINS = {8, 11, 17, 21, 25, 26, 27, 28}


def write_rows(runs: list[str]) -> None:
    snapshot = collect_observations(results_of(ROOT / "reports", Path(run)) for run in runs)
    content = snapshot.model_dump_json(by_alias=True).encode()
    ROWS.write_bytes(gzip.compress(content, mtime=0))


def read_rows() -> ObservedBuilds:
    return ObservedBuilds.model_validate_json(gzip.decompress(ROWS.read_bytes()))


@pytest.fixture(scope="module")
def snapshot() -> ObservedBuilds:
    """The rows; they have a third of a second to be read."""
    return read_rows()


def make_page(snapshot: ObservedBuilds) -> str:
    rulebook = Rulebook.load(Checkout(ROOT))
    return behaviour_changes(snapshot, rulebook.behaviour, rulebook.known_changes)


@pytest.fixture(scope="module")
def page() -> str:
    if runs := os.environ.get("UPDATE_BEHAVIOUR"):
        if runs != "-":
            write_rows(runs.split())
        PAGE.write_text(make_page(read_rows()))
    return PAGE.read_text()


@pytest.mark.slow
def test_the_page_is_what_the_rows_give(page: str, snapshot: ObservedBuilds) -> None:
    assert page == make_page(snapshot)


def test_another_text_of_part_is_on_the_page(page: str, snapshot: ObservedBuilds) -> None:
    row = snapshot.rows["sent.url.get"].model_copy(deep=True)
    newest = row.builds["debian-17.0.21.1+2"]
    row.attempts.append(((row.attempts[newest][0][0], "GET /planted"),))
    row.builds["debian-17.0.21.1+2"] = len(row.attempts) - 1
    # Of this row alone: to compare all takes seconds.
    part = snapshot.model_copy(update={"rows": {"sent.url.get": row}})
    new_lines = set(make_page(part).splitlines()) - set(page.splitlines())
    assert any("*unexplained*" in line and "GET /planted" in line for line in new_lines)


def test_each_line_has_an_id_or_a_reason(page: str) -> None:
    changes = [line for line in page.splitlines() if " -> " in line]
    assert len(changes) > 100
    reasons = ("no id of it is public", "no entry fits")
    for line in changes:
        has_id = "[JDK-" in line or "* vendors: " in line
        assert has_id != ("*unexplained" in line), line
        assert has_id or any(reason in line for reason in reasons), line


def test_all_lines_at_hand_are_compared(page: str) -> None:
    heads = {
        int(line[3:]) for line in page.splitlines() if line[:3] == "## " and line[3:].isdigit()
    }
    assert heads == _TRAINS


def test_each_image_is_one_of_a_build_at_hand(page: str, snapshot: ObservedBuilds) -> None:
    images = Rulebook.load(Checkout(ROOT)).behaviour.images
    assert images
    for image in images:
        texts = [text for attempts in snapshot.rows[image.row].attempts for _, text in attempts]
        shows = [image.is_shown_by(text) for text in texts]
        assert any(shows) and not all(shows)
        assert f"\nBoth lack {image.lacks}.\n" in page


def test_the_rows_are_small() -> None:
    assert ROWS.stat().st_size < 300_000
