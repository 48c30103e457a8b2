# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Do the reference pages have the keys and words that there are? Are pages short?"""

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from jdkmatrix.config.ledger import Bug
from jdkmatrix.errors import ExitCode
from jdkmatrix.results.case import Case
from jdkmatrix.results.document import Results
from jdkmatrix.vocabulary import Grade, SpeedGrade
from tests.conftest import ROOT

REFERENCE = ROOT / "docs" / "reference"
MOST_LINES = {"README.md": 150, "CHANGELOG.md": 60}
MOST_BYTES = {"README.md": 9_000, "test/README.md": 20_000, "docs/validation.png": 180_000}
HOW_TO = sorted((ROOT / "docs" / "how-to").glob("*.md"))


def words(text: str, heading: str) -> set[str]:
    """What the first column of a page's table below that heading has."""
    part = text.partition(f"\n{heading}\n")[2].partition("\n## ")[0]
    firsts = re.findall(r"^\| (`[^|]+) \|", part, re.MULTILINE)
    return {word for first in firsts for word in re.findall(r"`([^`]+)`", first)}


def page(name: str) -> str:
    return (REFERENCE / name).read_text("utf-8")


def test_the_ledgers_keys() -> None:
    names = {field.alias or name for name, field in Bug.model_fields.items()}
    assert words(page("ledger.md"), "# The ledger") == names


def test_the_keys_of_results_json() -> None:
    text = page("results.md")
    names = {field.alias or name for name, field in Results.model_fields.items()}
    head = {"schema", "run", "started", "finished", "seconds", "cases"}
    assert words(text, "## The lists beside it") == names - head
    assert words(text, "## cases") <= {*Case.model_fields}


def test_the_grades() -> None:
    text = page("results.md").partition("\n## Grades\n")[2].partition("\n## ")[0]
    assert {*Grade, *SpeedGrade} <= set(re.findall(r"`([a-z-]+)`", text))


def test_the_exit_codes() -> None:
    text = page("exit-codes.md")
    assert {int(code) for code in re.findall(r"^\| (\d) \|", text, re.MULTILINE)} == {*ExitCode}


@pytest.mark.parametrize("name", MOST_LINES)
def test_a_page_is_short(name: str) -> None:
    assert (ROOT / name).read_text("utf-8").count("\n") <= MOST_LINES[name]


@pytest.mark.parametrize("name", MOST_BYTES)
def test_a_page_is_small(name: str) -> None:
    assert (ROOT / name).stat().st_size <= MOST_BYTES[name]


@pytest.mark.parametrize("how_to", HOW_TO, ids=lambda how_to: how_to.stem)
def test_a_how_to_begins_with_its_command_and_is_short(how_to: Path) -> None:
    text = how_to.read_text("utf-8")
    assert text.count("\n") <= 120
    assert re.search(r"^# .*\n\n```\n(?:\$ )?(?:scripts/matrix|make) ", text, re.MULTILINE)


def yaml_blocks(text: str) -> list[Any]:
    """What a page's blocks of YAML say."""
    texts = re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [YAML(typ="safe").load(block) for block in texts]


def test_the_ledgers_example_is_its_entry() -> None:
    entry = yaml_blocks(page("ledger.md"))[0][0]
    ledger = YAML(typ="safe").load((ROOT / "test" / "bugs.yaml").read_text())
    (bug,) = [bug for bug in ledger["bugs"] if bug["id"] == entry["id"]]
    assert set(entry.pop("tests")) <= set(bug["tests"])
    assert entry.items() <= bug.items()
