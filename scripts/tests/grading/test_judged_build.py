# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What the verdict of a validation says first, of one bug and of several."""

import pytest

from jdkmatrix.grading.judged_build import validation_of
from jdkmatrix.records.comparison_record import ThroughputRecord
from jdkmatrix.vocabulary import Grade
from tests.report.conftest import make_cell, make_results

BUILD = "temurin-17.0.9+9"


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (
            [("JDK-8293562", "a/One.java", "regression")],
            "regression: JDK-8293562 (One: Requests waited)",
        ),
        (
            [
                ("JDK-8293562", "a/One.java", "regression"),
                ("JDK-8293562", "a/Two.java", "regression"),
                ("JDK-8293562", "a/Three.java", "regression"),
                ("JDK-8278067", "a/Four.java", "flaky"),
            ],
            "regression: JDK-8293562 (One: Requests waited), and 2 more of its tests; "
            "flaky: JDK-8278067 (Four: Requests waited)",
        ),
    ],
)
def test_a_bug_is_named_once_with_its_first_test(
    found: list[tuple[str, str, str]], said: str
) -> None:
    cells = [
        make_cell(BUILD, "reproduced", "fixed").model_copy(
            update={"bug": bug, "test": test, "reason": "Requests waited.", "grade": Grade(grade)}
        )
        for bug, test, grade in found
    ]
    plan = ThroughputRecord(seed=1, blocks=2, minimum_effect=0.05, validates=(BUILD, None))
    judged = validation_of(make_results(*cells), plan)
    assert judged.verdict == "bad"
    assert judged.reason.startswith(f"bugs: {said}; ")
