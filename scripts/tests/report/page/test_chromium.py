# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""A browser opens the page at once, asks for nothing else, and all of it can be reached."""

import colorsys
import os
import re
from pathlib import Path

import pytest

from jdkmatrix.report.page.anchors import link
from jdkmatrix.report.page.page import render_page
from jdkmatrix.results.document import BuildFault, BuildFaultKind, Results
from jdkmatrix.vocabulary import Expectation, Grade, SpeedGrade, Verdict
from tests.report.big_run import big_results
from tests.report.conftest import make_cell, make_results
from tests.report.page.chromium import Chromium, find_chromium
from tests.report.speed_kit import make_validation

MOST_MS = 1000
TRIES = 5
CELL = "#temurin-17.0.3+7/keepalive/RequestsBlockedWhileConnectionCloses3"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_chromium() is None, reason="no Chromium on this machine (Debian: apt install chromium)"
    ),
]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("page") / "index.html"
    file.write_text(render_page(big_results()), "utf-8")
    return file


def test_it_opens_within_a_second(browser: Chromium, page: Path) -> None:
    if os.getloadavg()[0] > 2 * (os.cpu_count() or 1):
        pytest.skip(f"the machine is busy (load {os.getloadavg()[0]:.0f}): a time says nothing")
    times_ms = []
    for _ in range(TRIES):
        browser.open(page)
        timing = 'performance.getEntriesByType("navigation")[0].loadEventEnd'
        script = f"new Promise(f => requestAnimationFrame(() => setTimeout(() => f({timing}))))"
        times_ms.append(browser.run_js(script))
    assert min(times_ms) < MOST_MS, times_ms


@pytest.mark.parametrize("width", [1440, 1000, 390])
def test_it_asks_for_nothing_complains_of_nothing_and_fits(
    browser: Chromium, page: Path, width: int
) -> None:
    browser.open(page, width)
    assert browser.requests() == [page.as_uri()]
    assert browser.complaints() == []
    assert browser.run_js("document.documentElement.scrollWidth <= innerWidth")
    assert browser.run_js("innerWidth") == width


def test_a_link_to_a_cell_opens_it_and_takes_the_focus_there(browser: Chromium, page: Path) -> None:
    browser.open(page, fragment=CELL)
    browser.run_js("new Promise(f => setTimeout(f, 50))")
    body = f'document.getElementById("{CELL[1:]}")'
    assert browser.run_js(f"{body}.checkVisibility()")
    assert browser.run_js(f"{body}.closest('details').firstElementChild === document.activeElement")
    top = browser.run_js(f"{body}.closest('details').getBoundingClientRect().top")
    assert 0 <= top < 100
    assert browser.run_js(f"!!{body}.querySelector('.rerun button')")


def test_a_mark_opens_its_cell_beside_the_grid_which_stays(browser: Chromium, page: Path) -> None:
    browser.open(page)
    mark = f"""document.querySelector('.grid a[href="#{link(CELL[1:])}"]')"""
    browser.run_js(f"{mark}.scrollIntoView()")
    scroll_px = browser.run_js("scrollY")
    browser.run_js(f"{mark}.click()")
    assert browser.run_js("decodeURIComponent(location.hash)") == CELL
    assert browser.run_js("scrollY") == scroll_px > 0
    body = f'document.getElementById("{CELL[1:]}")'
    place = browser.run_js(f"{body}.closest('details').getBoundingClientRect().toJSON()")
    assert -1 < place["top"] < 100
    assert place["left"] > browser.run_js("document.getElementById('grid').offsetWidth")


def test_on_a_telephone_the_grid_says_that_it_scrolls_and_a_finger_hits(
    browser: Chromium, page: Path
) -> None:
    browser.open(page, 390, fragment=CELL)
    assert browser.run_js("document.querySelector('.sideways').checkVisibility()")
    small = """[...document.querySelectorAll('nav a, .topics a, .grid :is(a, label), summary, ' +
        'button, select, input[type=search], .files a')]
        .filter(e => e.checkVisibility())
        .map(e => [e.textContent.slice(0, 40), e.getBoundingClientRect()])
        .filter(([, r]) => r.width && (r.width < 44 || r.height < 44))
        .map(([t, r]) => `${t} ${r.width} x ${r.height}`)"""
    assert browser.run_js(small) == []
    browser.open(page)
    assert not browser.run_js("document.querySelector('.sideways').checkVisibility()")


def test_links_within_the_page_lead_somewhere(browser: Chromium, page: Path) -> None:
    browser.open(page)
    script = """[...document.querySelectorAll('a[href^="#"]')].map(a => a.getAttribute('href'))
        .filter(h => !document.getElementById(decodeURIComponent(h.slice(1))))"""
    assert browser.run_js(script) == []


def test_arrow_keys_go_from_mark_to_mark(browser: Chromium, page: Path) -> None:
    browser.open(page)
    browser.run_js("document.querySelector('.grid tbody tr td a').focus()")
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowDown", "ArrowUp"):
        browser.call("Input.dispatchKeyEvent", type="keyDown", key=key)
    anchor = browser.run_js("decodeURIComponent(document.activeElement.hash)")
    assert anchor == "#temurin-8u302-b08/keepalive/RequestsBlockedWhileConnectionCloses1"
    browser.call("Input.dispatchKeyEvent", type="keyDown", key="ArrowLeft")
    assert browser.run_js("document.activeElement.matches('.grid td a')")  # not out of the grid


def test_the_filter_shows_what_was_asked_for(browser: Chromium, page: Path) -> None:
    browser.open(page)
    script = """(() => { const i = document.querySelector('input[type=search]');
        i.value = 'temurin-17.0.3+7 reproduced'; i.dispatchEvent(new Event('input'));
        return [...document.querySelectorAll('#cells .cell:not([hidden]) .build')]
            .map(b => b.textContent); })()"""
    assert set(browser.run_js(script)) == {"temurin-17.0.3+7"}
    assert browser.run_js("document.getElementById('said').textContent") == "30 results shown"


def test_the_copy_button_copies_the_command(browser: Chromium, page: Path) -> None:
    browser.open(page, fragment=CELL)
    script = f"""(async () => {{ let text; Object.defineProperty(navigator, 'clipboard',
        {{value: {{writeText: async t => {{ text = t; }}}}}});
        document.getElementById("{CELL[1:]}").querySelector('.rerun button').click();
        await new Promise(f => setTimeout(f)); return text; }})()"""
    assert browser.run_js(script).startswith("scripts/matrix run --build temurin-17.0.3+7 --test ")
    assert browser.run_js("document.getElementById('said').textContent").startswith("Copied")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_colour_schemes_are_there(browser: Chromium, page: Path, scheme: str) -> None:
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.call("Emulation.setEmulatedMedia", features=[feature])
    browser.open(page)
    ground = browser.run_js("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(17, 21, 26)"}[scheme]


# What each badge must look like, whatever the shade: the first page is signed by its colours.
COLOURS: dict[str, str] = {
    Verdict.GOOD: "green",
    Verdict.BAD: "red",
    Verdict.UNDECIDED: "amber",
    Grade.REGRESSION: "red",
    Grade.UNEXPECTED_FIX: "red",
    Grade.FLAKY: "red",
    Grade.BROKE: "red",
    Grade.ERROR: "red",
    Grade.INCONCLUSIVE: "amber",
    BuildFaultKind.BROKEN_PROMISE: "red",
    BuildFaultKind.REPLACED: "red",
    BuildFaultKind.BROKEN_JVM: "amber",
    "slower": "red",
    "not known before": "red",
    "flagged": "red",
    "N to look at": "red",
    "a new word": "neutral",
}
# Of text that is not large (WCAG 2.2, 1.4.3).
LEAST_CONTRAST = 4.5
BADGES = """(() => {
    const word = document.querySelector('.badge').cloneNode();
    word.className = 'badge a-new-word'; word.textContent = 'a new word';
    document.querySelector('main').append(word);
    const shown = e => [e.textContent, getComputedStyle(e).color,
        getComputedStyle(e).backgroundColor];
    return [...document.querySelectorAll('.badge')].map(shown); })()"""


def with_each_badge(verdict: Verdict) -> Results:
    """A validation of that verdict, with all that a badge can say besides it."""
    surprises = [grade for grade in Grade if grade.is_surprise]
    old, new = (f"temurin-17.0.{n}" for n in ("7+7", "9+9"))
    slower = (
        big_results()
        .throughput[0]
        .model_copy(update={"grade": SpeedGrade.SLOWER, "expectation": Expectation.FIXED})
    )
    return make_results(
        *(
            make_cell(new, "reproduced", "fixed", test=f"keepalive/{grade}.java", grade=grade)
            for grade in surprises
        ),
        make_cell(new, "not-reproduced", "fixed", flags=("It waits.",)),
        build_faults=tuple(
            BuildFault(build=old, kind=kind, about="x", sentence="Why.", rerun="")
            for kind in BuildFaultKind
        ),
        throughput=(slower,),
        validation=make_validation(verdict),
    )


def colour_name(rgb: tuple[float, ...]) -> str:
    hue, saturation, _ = colorsys.rgb_to_hsv(*rgb)
    if saturation < 0.35:
        return "neutral"
    names = {"red": 0, "amber": 45, "green": 150, "blue": 220}
    return min(names, key=lambda name: abs((360 * hue - names[name] + 180) % 360 - 180))


def contrast(*colours: tuple[float, ...]) -> float:
    """The ratio of WCAG 2.2."""
    lights = []
    for colour in colours:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def test_each_badge_must_have_a_colour() -> None:
    words = {*Verdict, *BuildFaultKind, *(grade for grade in Grade if grade.is_surprise)}
    assert words <= COLOURS.keys()


@pytest.mark.parametrize(
    ("media", "scheme"),
    [("screen", "light"), ("screen", "dark"), ("print", "light"), ("print", "dark")],
)
def test_a_badge_has_the_colour_of_its_word(
    browser: Chromium, tmp_path: Path, media: str, scheme: str
) -> None:
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.call("Emulation.setEmulatedMedia", media=media, features=[feature])
    colours: dict[str, str] = {}
    try:
        for verdict in Verdict:
            file = tmp_path / f"{verdict}.html"
            file.write_text(render_page(with_each_badge(verdict)), "utf-8")
            browser.open(file)
            for text, *css in browser.run_js(BADGES):
                ink, ground = (
                    tuple(int(number) / 255 for number in re.findall(r"\d+", colour))
                    for colour in css
                )
                assert contrast(ink, ground) >= LEAST_CONTRAST, (text, css)
                colours[re.sub(r"^\d+", "N", text)] = colour_name(ground)
            edge = "getComputedStyle(document.querySelector('.word')).borderLeftColor"
            rgb = tuple(int(number) / 255 for number in re.findall(r"\d+", browser.run_js(edge)))
            assert colour_name(rgb) == COLOURS[verdict]
        assert colours == COLOURS
    finally:
        browser.call("Emulation.setEmulatedMedia", media="", features=[])
