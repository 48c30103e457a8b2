# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What jtreg/AQAVIT.md says of targets, levels and tests is what the playlist runs."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from jdkmatrix.config.ledger import Ledger
from jdkmatrix.config.suite import find_tests, read_groups
from jdkmatrix.plan.planned_cells import plan_tests


def rows(playlist: str, suite: Path, ledger: Ledger) -> list[str]:
    """Target, level, group and number of tests, as the table begins with them."""
    suite_tests, groups = find_tests(suite), read_groups(suite)
    lines = []
    for test in ElementTree.fromstring(playlist).iter("test"):
        selectors = re.findall(r"--test (:\w+)", test.findtext("command", ""))
        tests = [
            test_file.path for test_file in plan_tests(ledger, suite_tests, (), selectors, groups)
        ]
        level, name = test.findtext("levels/level"), test.findtext("testCaseName")
        group = f"`{selectors[0]}`" if selectors else "every bug"
        lines.append(f"| `{name}` | {level} | {group} | {len(tests)} |")
    return lines


@pytest.fixture
def playlist(root: Path) -> str:
    return (root / "jtreg" / "playlist.xml").read_text()


def test_the_table_is_what_the_playlist_runs(root: Path, playlist: str, ledger: Ledger) -> None:
    text = (root / "jtreg" / "AQAVIT.md").read_text()
    table = [line.rsplit("|", 3)[0] + "|" for line in text.splitlines() if line.startswith("| `")]
    assert table == rows(playlist, root / "test", ledger), "write these rows to jtreg/AQAVIT.md"


@pytest.mark.parametrize(
    ("right", "wrong"),
    [(">sanity<", ">extended<"), (":tier1", ":interop"), ("tls13_all_bugs", "tls13_bugs")],
)
def test_another_playlist_has_other_rows(
    root: Path, playlist: str, ledger: Ledger, right: str, wrong: str
) -> None:
    other_rows = rows(playlist.replace(right, wrong), root / "test", ledger)
    assert other_rows != rows(playlist, root / "test", ledger)
