# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The site says what `bugs` says, its links lead somewhere, and people can read it."""

import json
import posixpath
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from jdkmatrix.cli.app import main
from jdkmatrix.config.known_changes import load_known_changes
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.version import read
from jdkmatrix.errors import ExitCode
from jdkmatrix.paths import Checkout
from jdkmatrix.report.site.release_lines import lines_of, releases_of
from jdkmatrix.report.site.site import SiteSource, site_files
from jdkmatrix.results.bugs_document import BugsDocument, ChangesDocument
from jdkmatrix.results.known_bugs import Effect, Question, answer
from jdkmatrix.vocabulary import Expectation
from tests.report.conftest import make_cell, make_results

MOST_BYTES = 300_000


@pytest.fixture(scope="module")
def source(root: Path) -> SiteSource:
    checkout = Checkout(root)
    changes = load_known_changes(checkout.known_changes)
    cell = make_cell("temurin-17.0.3+7", "reproduced", "affected")
    return SiteSource(load_ledger(checkout.ledger), changes, checkout.suite, make_results(cell))


@pytest.fixture(scope="module")
def files(source: SiteSource) -> dict[str, str]:
    return site_files(source)


def test_each_bug_release_and_change_has_a_page(files: dict[str, str], source: SiteSource) -> None:
    for bug in source.ledger.bugs:
        page = files[f"bug/{bug.id}.html"]
        assert f"scripts/matrix has {bug.id.removeprefix('JDK-')}" in page
        assert all(f"../java/{Path(test).stem}.java" in page for test in bug.tests)
    assert {f"change/{change.bug}.html" for change in source.changes if change.is_excuse} <= set(
        files
    )
    assert {"release/8u372.html", "release/17.0.7.html", "release/21.0.8.html"} <= set(files)


def test_a_release_is_what_bugs_says_of_the_update(
    files: dict[str, str], source: SiteSource
) -> None:
    page = files["release/17.0.7.html"]
    update = answer(
        Question(version=read("17.0.6"), update=read("17.0.7")), source.ledger, source.changes
    )
    fixes = page.partition("<h2>Fixes</h2>")[2].partition("<h2>")[0]
    ids = re.findall(r"bug/(JDK-\d+)\.html", fixes)
    assert ids == [finding.bug.id for finding in update.with_effect(Effect.FIXES)]
    assert "JDK-8293562" in ids


def test_a_line_is_what_the_ledger_says_of_its_releases(source: SiteSource) -> None:
    bug = next(bug for bug in source.ledger.bugs if bug.id == "JDK-8293562")
    releases = releases_of(source.ledger, source.changes, source.results)
    lines = {line.train: line for line in lines_of(bug, source.ledger, releases, source.results)}
    older, newer = lines[17].spans
    assert (older.text, older.expectation) == ("17 to 17.0.6", Expectation.AFFECTED)
    assert (newer.first, newer.expectation) == ("17.0.7", Expectation.FIXED)
    assert lines[17].first_fix == "17.0.7"
    assert lines[17].builds_with == ("temurin-17.0.3+7",)
    assert lines[17].builds_without == ()
    assert [span.expectation for span in lines[21].spans] == [Expectation.FIXED]


def test_links_lead_to_files_or_to_the_tracker(files: dict[str, str]) -> None:
    for name, text in files.items():
        if not name.endswith(".html"):
            continue
        for link in re.findall(r'(?:href|action)="([^"]+)"', text):
            if not link.startswith("https://"):
                assert posixpath.normpath(posixpath.join(posixpath.dirname(name), link)) in files


def test_an_id_of_the_kits_own_leads_nowhere(files: dict[str, str]) -> None:
    page = files["bug/KIT-1.html"]
    assert "no number of JBS: which change brought it is not public" in page
    assert "browse/KIT-1" not in page
    assert "change/KIT-1.html" not in files


def test_pages_are_small_and_load_nothing(files: dict[str, str]) -> None:
    loading = re.compile(r"<(?:img|iframe|object|embed|script src)|\bsrc=|@import|url\(")
    for name, text in files.items():
        assert len(text.encode()) <= MOST_BYTES, name
        assert not (name.endswith(".html") and loading.search(text)), name


def test_documents_fit_their_schemas(files: dict[str, str], source: SiteSource) -> None:
    bugs = BugsDocument.model_validate_json(files["bugs.json"])
    assert [bug.id for bug in bugs.bugs] != []
    assert len(bugs.bugs) == len(source.ledger.bugs)
    changes = ChangesDocument.model_validate_json(files["changes.json"])
    assert len(changes.changes) == sum(change.is_excuse for change in source.changes)
    for name in ("bugs", "changes"):
        properties = json.loads(files[f"{name}.schema.json"])["properties"]
        assert set(properties) == set(json.loads(files[f"{name}.json"]))


def test_the_feed_is_rss(files: dict[str, str]) -> None:
    entries = ElementTree.fromstring(files["feed.xml"]).findall("channel/item")
    assert {entry.findtext("link") for entry in entries} == {
        name for name in files if name.startswith("release/")
    }


@pytest.mark.slow
def test_it_writes_over_a_site_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "public"
    for _ in range(2):
        assert main(["site", "--out", str(out)]) == ExitCode.OK
    assert f"pages: {out / 'index.html'}" in capsys.readouterr().out
    letters = tmp_path / "letters"
    letters.mkdir()
    (letters / "letter.txt").write_text("mine")
    assert main(["site", "--out", str(letters)]) == ExitCode.USAGE
    assert "holds no site; accepted: a new folder" in capsys.readouterr().err
    assert [path.name for path in letters.iterdir()] == ["letter.txt"]
