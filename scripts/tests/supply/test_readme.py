# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is what the supply's README says still so, where a machine can tell?"""

import re
from pathlib import Path

import pytest

from jdkmatrix.config.jdks import (
    AdoptiumSource,
    DebianSource,
    LocalSource,
    MavenSource,
    UrlSource,
    WheelSource,
)
from jdkmatrix.config.yaml_model import StrictModel

SOURCES = (WheelSource, MavenSource, DebianSource, AdoptiumSource, UrlSource, LocalSource)


@pytest.fixture(scope="module")
def text(root: Path) -> str:
    return (root / "scripts/jdkmatrix/supply/README.md").read_text()


def test_each_test_that_it_names_is_there(text: str) -> None:
    tests = re.findall(r"`(test_\w+\.py)::(test_\w+)`", text)
    assert len(tests) > 50
    files = {path.name: path.read_text() for path in Path(__file__).parents[1].rglob("test_*.py")}
    missing = [f"{file}::{test}" for file, test in tests if f"def {test}(" not in files[file]]
    assert missing == []


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.__name__)
def test_each_key_of_a_source_is_in_its_table(text: str, source: type[StrictModel]) -> None:
    kind = source.__name__.removesuffix("Source").lower()
    rows = text.partition(f"| `{kind}` |")[2]
    of_source = re.split(r"\n\| `|\n\n", rows)[0]
    keys = {key for row in of_source.splitlines() for key in keys_of(row)}
    names = {field.alias or name for name, field in source.model_fields.items()}
    assert keys == names - {"source"}


def keys_of(row: str) -> list[str]:
    cells = [cell.strip() for cell in row.split("|")]
    first = cells[0] or cells[2]  # the source's own row was cut behind its name
    return re.findall(r"`([\w-]+)`", first)
