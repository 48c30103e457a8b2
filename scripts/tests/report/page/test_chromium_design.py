# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The samples as people see them: an answer on the first screen and sheet, calm, no barriers."""

import base64
import colorsys
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.report.page.chromium import Chromium, find_chromium

REPORTS = Path(__file__).parents[4] / "reports"
SAMPLES = sorted(REPORTS.glob("sample*/index.html"))
VALIDATIONS = sorted(REPORTS.glob("sample-validation*/index.html"))
MOST_BYTES = 700_000
# Width, height, and how the page is seen.
SCREENS = ((1400, 900), (1000, 900), (390, 844))
AXE = find_spec("axe_core_python")
RUN_AXE = """axe.run(document, {resultTypes: ['violations']})
    .then(r => r.violations.map(
        v => `${v.id}: ${v.nodes.slice(0, 3).map(n => n.html).join(' ')}`))"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_chromium() is None, reason="no Chromium on this machine"),
]
each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda page: page.parent.name)
each_validation = pytest.mark.parametrize("sample", VALIDATIONS, ids=lambda page: page.parent.name)


def show(browser: Chromium, page: Path, width: int, scheme: str = "light", media: str = "") -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.call("Emulation.setEmulatedMedia", media=media, features=features)
    browser.open(page, width)


def hue(css_colour: str) -> str:
    """`green`, `red`, `ochre`, or `grey` of a computed colour."""
    rgb = [int(number) / 255 for number in re.findall(r"\d+", css_colour)[:3]]
    angle, saturation, _ = colorsys.rgb_to_hsv(*rgb)
    if saturation < 0.25:
        return "grey"
    hues = {"red": 0, "ochre": 45, "green": 150, "blue": 215}
    return min(hues, key=lambda name: abs((360 * angle - hues[name] + 180) % 360 - 180))


@each_sample
def test_the_first_screen_answers_and_nothing_overflows(browser: Chromium, sample: Path) -> None:
    assert sample.stat().st_size <= MOST_BYTES
    for width, height in SCREENS:
        show(browser, sample, width)
        assert browser.requests() == [sample.as_uri()]
        assert browser.complaints() == []
        assert browser.run_js("document.documentElement.scrollWidth <= innerWidth"), width
        bottom = browser.run_js("document.querySelector('.answers').getBoundingClientRect().bottom")
        assert 0 < bottom <= height, width
        answers = browser.run_js(
            "[...document.querySelectorAll('.answers dt')].map(t => t.innerText)"
        )
        assert answers == ["How sure", "What now"]
        assert len(browser.run_js("document.querySelector('h1').innerText").split()) <= 7


@each_sample
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_word_has_its_colour_and_what_is_expected_has_none(
    browser: Chromium, sample: Path, scheme: str
) -> None:
    show(browser, sample, 1400, scheme)
    tones = {"good": "green", "bad": "red", "open": "ochre"}
    tone = browser.run_js("document.querySelector('.head').classList[1]")
    colour = "getComputedStyle(document.querySelector('.word')).color"
    assert hue(browser.run_js(colour)) == tones[tone]
    marks = """[...new Set([...document.querySelectorAll(
        '.grid td :is(.reproduced, .not-reproduced, .not-applicable):not(.odd)')]
        .map(mark => getComputedStyle(mark, '::before').color))]"""
    assert {hue(colour) for colour in browser.run_js(marks)} <= {"grey"}
    odd = (
        "[...document.querySelectorAll('.grid .odd')].map(m => getComputedStyle(m).backgroundColor)"
    )
    assert {hue(colour) for colour in browser.run_js(odd)} <= {"red", "ochre"}


@each_validation
def test_a_validation_prints_on_one_sheet_with_a_line_to_sign(
    browser: Chromium, sample: Path
) -> None:
    show(browser, sample, 1400)
    pdf = base64.b64decode(
        browser.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"]
    )
    assert len(re.findall(rb"/Type /Page\b", pdf)) == 1
    show(browser, sample, 1400, media="print")
    assert browser.run_js("document.querySelector('.sign').checkVisibility()")
    assert browser.run_js("document.querySelector('#next').checkVisibility()")
    assert not browser.run_js("document.querySelector('.grid')?.checkVisibility() ?? false")


def test_on_paper_each_bug_has_its_id_and_no_word_is_larger_than_the_text(
    browser: Chromium,
) -> None:
    show(browser, REPORTS / "sample" / "index.html", 1000, media="print")
    lefts = browser.run_js(
        "[...document.querySelectorAll('.grid .bug th > a')]"
        ".map(a => a.getBoundingClientRect().left)"
    )
    assert len(lefts) > 50
    assert min(lefts) >= 0
    sizes = browser.run_js(
        "[document.body, ...document.querySelectorAll('.grid th *, .badge')]"
        ".map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert max(sizes) == sizes[0]


@pytest.mark.skipif(AXE is None, reason="no axe-core-python, which is for developers")
@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (390, "dark")])
@pytest.mark.parametrize("name", ["sample-validation", "sample-services"])
def test_axe_sees_no_barrier(browser: Chromium, name: str, width: int, scheme: str) -> None:
    assert AXE and AXE.origin
    show(browser, REPORTS / name / "index.html", width, scheme)
    browser.run_js(Path(AXE.origin).with_name("axe.min.js").read_text("utf-8"))
    assert browser.run_js(RUN_AXE) == []


def test_the_pane_is_empty_until_a_mark_is_chosen(browser: Chromium) -> None:
    show(browser, REPORTS / "sample" / "index.html", 1400)
    count = "[...document.querySelectorAll('#cells .bug')].filter(b => b.checkVisibility()).length"
    assert browser.run_js(count) == 0
    assert browser.run_js("document.querySelector('.empty').checkVisibility()")
    browser.run_js("document.querySelector('.grid td a').click()")
    assert browser.run_js(count) == 1
    assert not browser.run_js("document.querySelector('.empty').checkVisibility()")


def test_tests_of_a_bug_are_folded_and_a_key_opens_them(browser: Chromium) -> None:
    show(browser, REPORTS / "sample" / "index.html", 1400)
    count = "[...document.querySelectorAll('.grid .test')].filter(r => r.checkVisibility()).length"
    assert browser.run_js(count) == 0
    browser.run_js("document.querySelector('.grid input').focus()")
    for kind in ("keyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", type=kind, key=" ", code="Space", text=" ")
    assert browser.run_js(count) == 6


def test_rows_are_filtered_by_difference_and_release_line_and_sorted(browser: Chromium) -> None:
    show(browser, REPORTS / "sample-validation" / "index.html", 1400)
    rows = """[...document.querySelectorAll('.grid tbody')].filter(b => b.checkVisibility())
        .map(b => b.querySelector('th a').textContent)"""
    assert browser.run_js(rows) == ["8293562"]  # a validation shows what differs
    show(browser, REPORTS / "sample" / "index.html", 1400)
    total = len(browser.run_js(rows))

    def press(text: str) -> int:
        browser.run_js(
            "[...document.querySelectorAll('#grid .tools button')]"
            f".find(b => b.textContent.startsWith('{text}')).click()"
        )
        return len(browser.run_js(rows))

    different = press("Only")
    assert 0 < different < total
    columns = """[...document.querySelectorAll('.grid thead tr + tr th')]
        .filter(h => h.checkVisibility()).map(h => h.textContent)"""
    different_of_8 = press("17u")
    assert browser.run_js(columns) == ["debian-8u372-ga", "debian-8u504-ga"]
    assert 0 < different_of_8 < different
    press("17u")
    assert press("8u") == 0  # one column differs from nothing
    assert browser.run_js(columns) == ["debian-17.0.21.1+2"]
    assert press("All") == total
    browser.run_js("""(() => { const order = document.querySelector('#grid select');
        order.selectedIndex = 2; order.dispatchEvent(new Event('change')); })()""")
    numbers = [int(row) for row in browser.run_js(rows) if row.isdigit()]
    assert numbers == sorted(numbers, reverse=True)
