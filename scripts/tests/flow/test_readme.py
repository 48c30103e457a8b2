# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The README of the flow claims nothing of a test that is not there."""

import re
from pathlib import Path


def test_the_tests_of_the_table_of_faults_are_there() -> None:
    tests = Path(__file__).parents[1]
    readme = tests.with_name("jdkmatrix") / "README.md"
    references = re.findall(r"`(\S+\.py)::(test_\w+)`", readme.read_text(encoding="utf-8"))
    assert len(references) > 5
    for file, test in references:
        assert f"def {test}(" in (tests / file).read_text(encoding="utf-8"), f"{file}::{test}"
