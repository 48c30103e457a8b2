# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The table of bugs and builds says what the cells found, and marks what was not expected."""

from pathlib import Path

from jdkmatrix.report.bug_table import PAGE_HEAD, bug_table

from .conftest import make_cell, make_results

FIRST, SECOND, THIRD = "JDK-8293562", "JDK-8209333", "JDK-8212136"


def test_marks_and_order() -> None:
    results = make_results(
        make_cell("temurin-17.0.9+9", "not-reproduced", "fixed"),
        make_cell("temurin-17.0.3+7", "reproduced", "affected"),
        make_cell("temurin-17.0.3+7", "not-applicable", "affected", bug=SECOND, test="a.java"),
        make_cell("temurin-17.0.9+9", "inconclusive", "affected", bug=SECOND, test="a.java"),
        make_cell("debian-11.0.33-ea+8", "reproduced", "fixed"),
        make_cell("debian-11.0.33-ea+8", "not-reproduced", "affected", bug=SECOND, test="a.java"),
    )
    page = bug_table(results, [SECOND, THIRD, FIRST])
    lines = page.removeprefix(PAGE_HEAD).splitlines()
    assert lines[0].startswith("6 cells of 2026-11-21, 3 surprises (!). R reproduced, ")
    assert lines[2:] == [
        "| bug | debian<br>11.0.33-ea+8 | temurin<br>17.0.3+7 | temurin<br>17.0.9+9 |",
        "| --- | :-: | :-: | :-: |",
        "| [8209333](https://bugs.openjdk.org/browse/JDK-8209333) | ·! | - | ?! |",
        "| [8293562](https://bugs.openjdk.org/browse/JDK-8293562) | R! | R | · |",
    ]


def test_an_id_of_the_kits_own_has_no_page() -> None:
    results = make_results(make_cell("a-17", "reproduced", "affected", bug="KIT-1"))
    assert bug_table(results, ["KIT-1"]).endswith("| KIT-1 | R |\n")


def test_of_several_tests_the_gravest_counts() -> None:
    build = "temurin-17.0.3+7"
    other_cells = (
        make_cell(build, "not-applicable", "affected", test="b.java"),
        make_cell(build, "not-reproduced", "affected", test="c.java"),
        make_cell(build, "reproduced", "affected"),
    )
    table = bug_table(make_results(*other_cells), [FIRST])
    assert table.startswith(f"{PAGE_HEAD}3 cells of 2026-11-21, 1 surprise (!). ")
    assert table.endswith("| R! |\n")
    without_verdict = make_cell(build, "error", "affected", test="d.java")
    assert bug_table(make_results(*other_cells, without_verdict), [FIRST]).endswith("| ?! |\n")


def test_trains_stay_together() -> None:
    versions = [*(f"17.0.{n}+1" for n in range(1, 8)), *(f"21.0.{n}+1" for n in range(1, 6))]
    cells = (make_cell(f"temurin-{text}", "reproduced", "affected") for text in versions)
    heads = [
        line for line in bug_table(make_results(*cells), [FIRST]).splitlines() if "bug" in line
    ]
    columns = [head.count("temurin") for head in heads if head.startswith("| bug")]
    assert columns == [7, 5]


def test_the_shipped_page_is_one_of_these(root: Path) -> None:
    assert (root / "test" / "GRID.md").read_text().startswith(PAGE_HEAD)
