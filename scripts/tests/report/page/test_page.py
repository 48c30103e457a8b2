# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The page is one file that loads nothing, leads from each cell to its evidence, and is small."""

import base64
import hashlib
import html
import re
import time
from collections import Counter
from html.parser import HTMLParser
from io import StringIO
from urllib.parse import unquote

import pytest
from rich.console import Console

from jdkmatrix.grading.cases.kinds import with_cases
from jdkmatrix.records.record import MergedShard
from jdkmatrix.report.console.throughput_summary import print_figures
from jdkmatrix.report.page.page import render_page
from jdkmatrix.report.written_reports import render
from jdkmatrix.results.document import EvidenceResult, Results
from jdkmatrix.verdict.suite_differences import differences
from jdkmatrix.vocabulary import SpeedGrade, Verdict
from tests.report.big_run import BUGS, BUILDS, SAMPLES, big_results
from tests.report.conftest import CAUSE, make_cell, make_results
from tests.report.speed_kit import make_validation
from tests.verdict.test_promises import facts as make_facts

MOST_BYTES = 2_000_000
MOST_SECONDS = 5.0
# Closed by what follows: tags whose end HTML lets one leave out.
IMPLIED = {"td", "th", "tr", "thead", "tbody"}
VOID = {"meta", "br", "link", "input", "hr", "img", "wbr", "rect", "line", "circle", "path"}
# What a browser loads by itself, as against what a reader may click on.
LOADING = {"src", "srcset", "data", "poster", "action", "formaction", "background", "xlink:href"}


class Page(HTMLParser):
    """What a test wants to know of the page; raises where a tag is not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.tags: Counter[str] = Counter()
        self.headers_without_scope = 0
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags[tag] += 1
        self._open += [tag] if tag not in VOID | IMPLIED else []
        self.ids += [name for name in [attributes.get("id")] if name]
        self.headers_without_scope += tag == "th" and "scope" not in attributes
        self.loads += [address for name, address in attrs if name in LOADING and address]
        href = attributes.get("href")
        if href is not None:
            (self.links if tag == "a" else self.loads).append(href)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag not in IMPLIED:
            assert self._open.pop() == tag, f"</{tag}> at {self.getpos()}"


@pytest.fixture(scope="module")
def big() -> Results:
    return big_results()


@pytest.fixture(scope="module")
def page(big: Results) -> Page:
    return Page(render_page(big))


def test_a_page_of_30_bugs_20_builds_and_200_samples_is_quick_and_small(big: Results) -> None:
    assert len(big.cells) == BUGS * len(BUILDS) == 600
    assert sum(len(comparison.samples) for comparison in big.throughput) == SAMPLES == 200
    start_s = time.process_time()
    size = len(render_page(big).encode())
    assert time.process_time() - start_s < MOST_SECONDS
    assert size < MOST_BYTES


def test_nothing_is_loaded(page: Page) -> None:
    assert page.loads == ["data:,"]
    style = re.findall(r"<style>(.*?)</style>", page.text, re.S)
    assert len(style) == 1
    assert "url(" not in style[0]
    assert "@import" not in style[0]
    assert "default-src 'none'" in page.text


def test_ids_are_unique_and_links_lead_somewhere(page: Page) -> None:
    twice = [name for name, count in Counter(page.ids).items() if count > 1]
    assert twice == []
    anchors = {unquote(link[1:]) for link in page.links if link.startswith("#")}
    assert anchors - set(page.ids) == set()


def test_links_are_places_files_of_the_run_or_named_by_the_ledger(page: Page) -> None:
    other_links = {
        link for link in page.links if not link.startswith(("#", "cells/", "throughput/"))
    }
    bugs = {f"https://bugs.openjdk.org/browse/JDK-{8200000 + n}" for n in range(BUGS)}
    assert other_links == {"results.json", "report.md", *bugs}


def test_each_cell_of_the_grid_leads_to_its_evidence(page: Page, big: Results) -> None:
    for cell in big.cells:
        anchor = f"{cell.build}/{cell.test.removesuffix('.java')}"
        assert f"#{anchor}" in page.links
        cell_text = page.text.partition(f'<div id="{anchor}">')[2].partition("</details>")[0]
        assert cell.rerun in cell_text
        assert "3,896 ms" in cell_text
        assert "1,925 ms" in cell_text
        assert ">tls12" in cell_text
        assert "test.jtr" in cell_text


def test_tables_have_captions_or_headers_with_a_scope(page: Page) -> None:
    assert page.headers_without_scope == 0
    assert page.tags["svg"] > 0
    pictures = re.findall(r"<svg[^>]*>", page.text)
    decorations = [picture for picture in pictures if 'aria-hidden="true"' in picture]
    panels = page.text.partition('<div class="panels" aria-hidden="true">')[2]
    assert len(pictures) - len(decorations) == len(re.findall(r'<svg class="law', panels))


def test_builds_are_in_version_order_within_their_train(page: Page) -> None:
    columns = re.findall(r'<th scope="col"[^>]*><a href="#build/([^"]*)"', page.text)
    assert tuple(columns) == BUILDS


def test_what_a_test_says_can_be_no_markup_and_no_link() -> None:
    evil = '"><script>alert(1)</script><img src=x onerror="alert(2)">'
    cell = make_cell("temurin-17.0.3+7", "reproduced", "fixed", test=f"keepalive/{evil}.java")
    cell = cell.model_copy(
        update={
            "reason": evil,
            "flags": (evil,),
            "rerun": evil,
            "artifacts": ("javascript:alert(3)/x.jtr", f"//elsewhere/{evil}/jtreg.log"),
        }
    )
    page = Page(render_page(make_results(cell)))
    assert (page.tags["script"], page.tags["img"]) == (1, 0)
    assert not [link for link in page.links if link.startswith(("javascript:", "//"))]
    assert page.loads == ["data:,"]


def test_the_only_script_is_the_one_that_the_policy_names(page: Page) -> None:
    (script,) = re.findall(r"<script>(.*?)</script>", page.text, re.S)
    hashes = re.findall(r"script-src '([^']*)'", page.text)
    assert hashes == [
        f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"
    ]


def test_the_first_word_is_never_better_than_the_run() -> None:
    bad_cell = make_cell("temurin-17.0.3+7", "reproduced", "affected")
    good_cell = make_cell("temurin-17.0.9+9", "not-reproduced", "fixed")
    regression = make_cell("temurin-17.0.9+9", "reproduced", "fixed")
    open_cell = make_cell("temurin-17.0.9+9", "inconclusive", "fixed")
    flagged_cell = good_cell.model_copy(update={"flags": ("Waits.",)})
    words = {
        "good": [make_results(bad_cell, good_cell)],
        "bad": [make_results(bad_cell, regression), make_results(bad_cell, flagged_cell)],
        "open": [
            make_results(bad_cell, open_cell),
            make_results(bad_cell, good_cell, complete=False, finished_at=None),
            make_results(),
            make_results(make_cell("temurin-17.0.9+9", "not-applicable", "fixed")),
            make_results(bad_cell, good_cell, throughput=big_results().throughput),
        ],
    }
    for tone, runs in words.items():
        for run in runs:
            assert f'<div class="head {tone}">' in render_page(run)


@pytest.mark.parametrize(
    ("verdict", "tone"), [("good", "good"), ("bad", "bad"), ("undecided", "open")]
)
def test_a_validation_is_its_verdict(verdict: str, tone: str) -> None:
    verdict_fields = {
        "build": "b",
        "baseline": "a",
        "verdict": Verdict(verdict),
        "reason": "Because.",
    }
    results = make_results(make_cell("temurin-17.0.3+7", "reproduced", "affected"))
    document = results.model_dump(by_alias=True) | {"validation": verdict_fields}
    text = render_page(with_cases(Results.model_validate(document)))
    assert f'<div class="head {tone}">' in text
    assert f'<b class="word">{verdict}</b>' in text


def test_a_validation_has_its_topics_and_what_defaults_changed() -> None:
    results = make_results(
        make_cell("temurin-17.0.9+9", "not-reproduced", "fixed"), validation=make_validation("good")
    )
    for text in render(results).values():
        assert "64 as-expected" in text
        assert "defaults, root: lib/security/cacerts is not there" in text
        assert "scripts/matrix validate temurin-17.0.9+9 --baseline temurin-17.0.7+7" in text
        assert (
            "What its defaults changed: 2 defaults changed, 1 of them for no known reason" in text
        )
        assert "JDK-8245545: Disable TLS_RSA" in text
        assert "- client-cipher-suite TLS_RSA_X" in text


def test_a_validation_shows_what_java_version_prints() -> None:
    """Word for word: it is what a reader compares with his own JDK."""
    lines = 'openjdk version "17.0.9" 2023-10-17\nOpenJDK Runtime Environment <Temurin>'
    results = make_results(
        make_cell("temurin-17.0.9+9", "not-reproduced", "fixed"), validation=make_validation("good")
    )
    build = results.builds[0]
    talkative = build.model_copy(update={"runtime": make_facts(shown_version=lines)})
    page = render_page(results.model_copy(update={"builds": (talkative, *results.builds[1:])}))
    assert f"<pre>{lines}</pre>" in html.unescape(page)


def test_a_bug_and_a_surprise_lead_to_their_history() -> None:
    """By the entry, which stays when the build moves on."""
    cell = make_cell("temurin-17.0.9+9", "reproduced", "fixed")
    results = make_results(cell)
    lines = html.unescape(render_page(results))
    assert f"<code>scripts/matrix history --bug {cell.bug}</code>" in lines
    surprise = f"scripts/matrix history --bug {cell.bug} --build {results.builds[0].entry}"
    assert (surprise in lines) == cell.grade.is_surprise
    assert cell.grade.is_surprise


def test_a_validation_shows_the_limit_beside_each_grade() -> None:
    (comparison, *_) = big_results().throughput
    rate, cost = comparison.figures
    limited_comparison = comparison.model_copy(
        update={
            "figures": (
                rate.model_copy(update={"grade": SpeedGrade.WITHIN_LIMIT, "most_loss": 0.75}),
                cost.model_copy(update={"grade": SpeedGrade.INCONCLUSIVE}),
            )
        }
    )
    validation_page = render(
        make_results(throughput=(limited_comparison,), validation=make_validation("good"))
    )
    plain = render(make_results(throughput=(comparison,)))
    outputs = {}
    for name, shown_comparison in (("judged", limited_comparison), ("plain", comparison)):
        out = StringIO()
        print_figures(Console(file=out, width=200), make_results(throughput=(shown_comparison,)))
        outputs[name] = out.getvalue()
    assert "<td>75 %</td><td>" in validation_page["index.html"]
    assert "<td>none</td><td>" in validation_page["index.html"]
    assert '<th scope="col">limit</th>' not in plain["index.html"]
    assert "| 75 % | within-limit |" in validation_page["report.md"]
    assert "| none | inconclusive |" in validation_page["report.md"]
    assert "| limit |" not in plain["report.md"]
    assert re.search(r"75 % +within-limit\n.* none +inconclusive\n", outputs["judged"])
    assert "limit" not in outputs["plain"]


def test_a_surprise_is_told_first_and_its_cell_is_open() -> None:
    cell = make_cell("temurin-17.0.9+9", "reproduced", "fixed")
    text = render_page(make_results(cell))
    assert text.index('id="looks"') < text.index('id="grid"')
    assert '<details class="cell odd" open>' in text
    assert text.count(cell.rerun) == 3  # beside the finding, in its cell, in what to do now


def test_a_run_without_surprise_has_no_such_part(results: Results) -> None:
    text = render_page(results)
    assert 'id="looks"' not in text
    assert 'class="f"' in text or "t f" in text  # 17.0.9 is the first fixed one
    assert CAUSE.replace("<", "&lt;").replace(">", "&gt;") in text


def test_a_build_without_cells_has_a_column_while_they_may_come(results: Results) -> None:
    builds = results.builds
    run = make_results(results.cells[0], builds=builds)
    column = '<th scope="col"><a href="#build/temurin-17.0.9+9"'
    assert column not in render_page(run)
    open_run = run.model_copy(update={"complete": False})
    assert column in render_page(open_run)


def test_a_cell_of_a_build_that_is_not_described_is_shown_too() -> None:
    cell = make_cell("temurin-17.0.9+9", "reproduced", "fixed")
    page = Page(render_page(make_results(cell, builds=())))
    assert '">other</th>' in page.text
    assert "#temurin-17.0.9+9/keepalive/RequestsBlockedWhileConnectionCloses" in page.links


def test_a_suite_of_the_users_tells_differences_in_its_own_words() -> None:
    cells = [
        make_cell(build, outcome, "unknown", bug=None, evidence=EvidenceResult())
        for build, outcome in (
            ("temurin-17.0.3+7", "reproduced"),
            ("temurin-17.0.9+9", "not-reproduced"),
        )
    ]
    suite_differences = differences((cell.build, cell.test, cell.outcome) for cell in cells)
    page = Page(render_page(make_results(*cells, suite="my", differences=suite_differences)))
    assert '<div class="head bad">' in page.text
    assert page.text.index('id="differences"') < page.text.index('id="grid"')
    assert ">failed</a>" in page.text
    assert "1 failed, 1 passed" in page.text
    assert ">reproduced" not in page.text
    assert "<h1>1 test differs between builds</h1>" in page.text
    same = make_results(*(cells[1].model_copy(update={"build": b}) for b in ("a-17+1", "b-17+2")))
    calm = render_page(same.model_copy(update={"suite": "my"}))
    assert '<b class="word">no difference</b>' in calm


def test_shards_are_told_with_their_machines(results: Results) -> None:
    shard = MergedShard(
        shard="1/2",
        run="first",
        started="2026-11-21T08:00:00Z",
        finished=None,
        machine=results.machine.model_copy(update={"cores": 64}),
    )
    assert "<dt>Shard 1/2</dt>" in render_page(results.model_copy(update={"shards": (shard,)}))
