# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Has docs/reference/builds-file.md each key of a source, and no other?"""

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
    return (root / "docs/reference/builds-file.md").read_text()


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
