# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does `report --across` say what came to several release lines, and are rows stored once?"""

from pathlib import Path

from jdkmatrix.config.rulebook import Rulebook
from jdkmatrix.paths import Checkout
from jdkmatrix.report.behaviour_changes import lines_across
from jdkmatrix.words.behaviour import NONE_COMMON
from tests.docs.behaviour_page import ObservedBuilds, collect_observations, line_builds
from tests.grading.behaviour_kit import NEW, OLD, results_of
from tests.grading.row_kit import build

OTHER_LINE = build("21.0.4+7"), build("21.0.8+9")


def test_what_came_to_two_lines_is_a_line(tmp_path: Path, root: Path) -> None:
    texts = {"a.b": "200 x"}, {"a.b": "404 x"}
    pairs = zip((OLD, NEW, *OTHER_LINE), (*texts, *texts), strict=True)
    results = results_of(tmp_path, root, *((record, (rows,)) for record, rows in pairs))
    lines = lines_across(results, Rulebook.load(Checkout(root)))
    assert lines == ["17.0.19, 21.0.8: unexplained: a.b: 200 x -> 404 x"]


def test_without_such_a_change_it_is_said(tmp_path: Path, root: Path) -> None:
    results = results_of(tmp_path, root, (OLD, ({"a.b": "x"},)), (NEW, ({"a.b": "y"},)))
    assert lines_across(results, Rulebook.load(Checkout(root))) == [NONE_COMMON]


def test_rows_are_stored_once_and_come_back(tmp_path: Path, root: Path) -> None:
    old, new = {"a.b": "x", "a.c": "x"}, {"a.b": "x", "a.c": "y"}
    results = results_of(tmp_path, root, (OLD, (old,)), (NEW, (new, {"a.b": "x", "a.c": "z"})))
    content = collect_observations([results]).model_dump_json(by_alias=True)
    snapshot = ObservedBuilds.model_validate_json(content)
    assert [len(row.attempts) for row in snapshot.rows.values()] == [1, 2]
    older, newer = line_builds(snapshot)
    assert (older.name, newer.name) == (OLD.id, NEW.id)
    assert older.rows["a.c"].first.text == "x"
    assert [sight.text for sight in newer.rows["a.c"].attempts] == ["y", "z"]  # it flickers
    assert newer.rows["a.c"].is_gold
