# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is a name that says nothing seen wherever Python binds one, and no noun of the field taken?"""

import ast

import pytest

from names import bindings, is_miss


@pytest.mark.parametrize(
    "source",
    [
        "found = 1",
        "found: int = 1",
        "found += 1",
        "def f(found): pass",
        "def f(*found): pass",
        "def f(*, found=1): pass",
        "lambda found: 1",
        "def found(): pass",
        "async def found(): pass",
        "for found in x: pass",
        "(found for found in x)",
        "with x as (a, found): pass",
        "try: pass\nexcept E as found: pass",
        "(found := 1)",
        "self.found = 1",
        "class C:\n    found: int",
        "match x:\n    case [*found]: pass",
        "match x:\n    case C() as found: pass",
        "class found: pass",
    ],
)
def test_a_bad_name_is_seen_wherever_it_is_bound(source: str) -> None:
    assert [name for name, _ in bindings(ast.walk(ast.parse(source))) if is_miss(name, "x.py")] == [
        "found"
    ]


@pytest.mark.parametrize(
    "name",
    ["one", "_told", "why", "asked", "WHAT", "value", "entries", "Measured", "_Said", "What"],
)
def test_no_noun(name: str) -> None:
    assert is_miss(name, "x.py")


@pytest.mark.parametrize(
    "name",
    [
        "speed",
        "_seed",
        "found_builds",
        "SKIPPED",
        "expected",
        "cell",
        "Rung",
        "MergedRun",
        "PlanApplied",
    ],
)
def test_a_noun_or_a_status(name: str) -> None:
    assert not is_miss(name, "x.py")
