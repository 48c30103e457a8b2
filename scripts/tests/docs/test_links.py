# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Does each link of a Markdown page lead to a file and a heading? Is each table one on GitHub?"""

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.docs.markdown import anchors, links, pages
from tests.report.test_written_reports import uneven_tables

PAGES = pages(ROOT)


def broken_links(page: Path) -> list[str]:
    """The links of a page whose file or heading is not there."""
    faults = []
    for link in links(page.read_text("utf-8")):
        file = (page.parent / link.target) if link.target else page
        if not file.exists():
            faults.append(link.target)
        elif link.anchor and link.anchor not in anchors(file.read_text("utf-8")):
            faults.append(f"{link.target}#{link.anchor}")
    return faults


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_each_link_leads_somewhere(page: Path) -> None:
    assert broken_links(page) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_each_row_of_a_table_has_a_cell_for_each_head(page: Path) -> None:
    assert uneven_tables(page.read_text("utf-8")) == []


def test_every_page_is_looked_at() -> None:
    names = {str(page.relative_to(ROOT)) for page in PAGES}
    assert {"README.md", "CHANGELOG.md", "docs/reference/ledger.md", "test/README.md"} <= names


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("[a](b.md)", []),
        ("[a](b.md#two-words-1)", []),
        ("[a](#here)\n\n# Here\n", []),
        ("`[a](gone.md)`\n```\n[a](gone.md)\n```\n", []),
        ("[a](https://example.org/gone.md)", []),
        ("[a](gone.md)", ["gone.md"]),
        ("![a](gone.png)", ["gone.png"]),
        ('<img alt="a" src="gone.png">', ["gone.png"]),
        ("[a](b.md#two-words-2)", ["b.md#two-words-2"]),
        ("[a](#there)\n\n# Here\n", ["#there"]),
    ],
)
def test_a_broken_link_is_named(text: str, faults: list[str], tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("# `Two` words!\n\n## [Two words](c.md): 1\n\n```\n# No\n```\n")
    page = tmp_path / "a.md"
    page.write_text(text)
    assert broken_links(page) == faults


def test_equal_headings_have_numbers() -> None:
    assert anchors("# A b\n\n## A b\n\n## A b\n") == {"a-b", "a-b-1", "a-b-2"}
