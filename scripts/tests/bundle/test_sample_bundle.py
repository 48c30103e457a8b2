# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The attachment kept as a sample: whole, unchanged since it was made, and of nobody's machine."""

import hashlib
import re
from pathlib import Path

import pytest

from jdkmatrix.bundle.flatten import MOST_LINES
from jdkmatrix.paths import Checkout
from jdkmatrix.results.document import Results
from jdkmatrix.vocabulary import Outcome
from tests.report.test_sample_report import PLACE

SAMPLE = Checkout.current().reports / "sample-bundle"
NAME = "ReplyWithTrailersRefused.java"


@pytest.fixture(scope="module")
def sums() -> dict[str, str]:
    lines = (SAMPLE / "SHA256SUMS").read_text().splitlines()
    return {name: digest for digest, name in (line.split("  ") for line in lines)}


def test_every_file_is_as_it_was_made(sums: dict[str, str]) -> None:
    names = {str(file.relative_to(SAMPLE)) for file in SAMPLE.rglob("*") if file.is_file()}
    assert names == {*sums, "SHA256SUMS", "README.md"}
    for name, digest in sums.items():
        assert hashlib.sha256((SAMPLE / name).read_bytes()).hexdigest() == digest, name


def test_it_has_a_minimal_file_a_short_description_and_all_that_they_name(
    sums: dict[str, str],
) -> None:
    assert (SAMPLE / NAME).read_text().count("\n") <= MOST_LINES
    assert f"with-controls/{NAME}" in sums
    texts = [(SAMPLE / name).read_text() for name in ("description.md", "details.md")]
    assert texts[0].count("\n") <= 60
    file_names = set(re.findall(r"`([\w/-]+\.(?:java|json|md|txt|jfr))`", "".join(texts)))
    assert file_names <= set(sums)


def test_it_is_of_builds_with_the_bug_and_without() -> None:
    results = Results.model_validate_json((SAMPLE / "results.json").read_text())
    assert results.complete
    assert {cell.outcome for cell in results.cells} == {Outcome.REPRODUCED, Outcome.NOT_REPRODUCED}
    for file in filter(Path.is_file, SAMPLE.rglob("*")):
        assert PLACE.findall(file.read_text()) == [], file
