# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The site as people see it: no barriers, nothing cut off, a search that finds."""

from pathlib import Path

import pytest

from jdkmatrix.config.known_changes import load_known_changes
from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.paths import Checkout
from jdkmatrix.report.site.site import SiteSource, write_site
from tests.report.page.chromium import Chromium, find_chromium
from tests.report.page.test_chromium_design import AXE, RUN_AXE, show

PAGES = (
    "index.html",
    "bug/JDK-8293562.html",
    "bug/JDK-8209333.html",
    "release/17.0.7.html",
    "change/JDK-8245545.html",
)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_chromium() is None, reason="no Chromium on this machine"),
]


@pytest.fixture(scope="module")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    checkout = Checkout(root)
    changes = load_known_changes(checkout.known_changes)
    folder = tmp_path_factory.mktemp("site")
    write_site(SiteSource(load_ledger(checkout.ledger), changes, checkout.suite), folder)
    return folder


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_cut_off_or_asked_for(
    browser: Chromium, site: Path, page: str, width: int
) -> None:
    show(browser, site / page, width)
    assert browser.run_js("document.documentElement.scrollWidth") <= width
    assert browser.complaints() == []
    assert [address for address in browser.requests() if not address.startswith("file:")] == []


@pytest.mark.skipif(AXE is None, reason="no axe-core-python, which is for developers")
@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (390, "dark")])
@pytest.mark.parametrize("page", PAGES)
def test_axe_sees_no_barrier(
    browser: Chromium, site: Path, page: str, width: int, scheme: str
) -> None:
    assert AXE and AXE.origin
    show(browser, site / page, width, scheme)
    browser.run_js(Path(AXE.origin).with_name("axe.min.js").read_text("utf-8"))
    assert browser.run_js(RUN_AXE) == []


@pytest.mark.parametrize(
    ("text", "words", "rows"),
    [
        ("KeepAliveCache.get", "bugs and changes have these words", range(1, 6)),
        ("too many concurrent streams", "2 of ", range(2, 3)),
        ("17.0.7", "Release 17.0.7: what it fixes, brings and changes.", range(77, 500)),
        ("no such words at all", "None has all these words", range(1)),
    ],
)
def test_the_search_finds(
    browser: Chromium, site: Path, text: str, words: str, rows: range
) -> None:
    query = text.replace(" ", "+")
    browser.open(site / "index.html", fragment=f"?q={query}")
    assert words in browser.run_js("document.getElementById('answer').textContent")
    count = "[...document.querySelectorAll('[data-text]')].filter(r => r.checkVisibility()).length"
    assert browser.run_js(count) in rows
