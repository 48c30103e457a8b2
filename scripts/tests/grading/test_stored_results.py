# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What the kit writes it reads again, however many rows a run has."""

from pathlib import Path

from jdkmatrix.grading.stored_results import read_results
from tests.report.conftest import make_results

# Gold rows of 46 builds had 89,061,872 bytes.
SPACE_BYTES = 96 << 20


def test_the_results_of_all_rows_on_all_builds_are_read(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    results = make_results()
    file.write_text(results.to_json() + " " * SPACE_BYTES)
    assert read_results(file).run == results.run
