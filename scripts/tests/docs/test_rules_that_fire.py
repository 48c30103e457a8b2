# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""Is docs/reference/rules-that-fire.md what the stored runs and test/planted/planted.yaml give?

A rule is a row without protocol, suite and peer. After runs of `:conformance` or `:interop_quick`:
UPDATE_FIRED="RESULTS.json..." scripts/test tests/docs/test_rules_that_fire.py; `-` keeps the runs.
"""

import fnmatch
import json
import os
import re
from collections import defaultdict
from pathlib import Path
from typing import TypeAlias

import pytest

from jdkmatrix.config.ledger import load_ledger
from jdkmatrix.config.planted import load_planted
from jdkmatrix.paths import Checkout
from tests.conftest import FIXTURES, ROOT

PAGE = ROOT / "docs" / "reference" / "rules-that-fire.md"
FAILURES = FIXTURES / "docs" / "fired.json"
MUSTS = ROOT / "test" / "interop" / "lib" / "Musts.java"
_HEAD = """\
<!-- SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors -->
<!-- SPDX-License-Identifier: Apache-2.0 -->

# Rules that fire

A row that can't fail proves nothing. This page is written by a test: each rule of `:conformance`
and `:interop_quick`, with the builds on which a row of it failed, and the
[planted faults](../../test/planted/README.md) that must make one fail. Builds are those of stored
runs, not all that there are.
"""

Failures: TypeAlias = dict[str, list[str]]
"""By row, the builds on which it failed; none if it was only seen to pass."""


def rule_of(row: str) -> str:
    """Its side and feature; of certificates that must be refused, which."""
    side, feature, _, _, key, *_ = row.split("/")
    return f"{side}/{feature}/{key}" if feature == "refuse-certificate" else f"{side}/{feature}"


def collect_failures(files: list[str]) -> Failures:
    failures: dict[str, set[str]] = defaultdict(set)
    for file in files:
        for cell in json.loads(Path(file).read_text())["cells"]:
            for row in cell.get("rows", ()):
                builds = failures[row["row"]]
                if row["status"] == "failed" and not re.search(
                    r"[+@](overlay|altered)", cell["build"]
                ):
                    builds.add(cell["build"])
    return {row: sorted(builds) for row, builds in sorted(failures.items())}


def read_failures() -> Failures:
    failures: Failures = json.loads(FAILURES.read_text())
    return failures


def planted_rows() -> dict[str, tuple[str, ...]]:
    """By fault, the patterns of the rows that it must make fail."""
    checkout = Checkout(ROOT)
    faults = load_planted(checkout.planted_faults, load_ledger(checkout.ledger)).planted
    return {
        fault.id: fault.rows
        for fault in faults
        if any(test.startswith("interop/") for test in fault.tests)
    }


def make_page(failures: Failures, faults: dict[str, tuple[str, ...]]) -> str:
    builds: dict[str, set[str]] = defaultdict(set)
    fault_ids: dict[str, set[str]] = defaultdict(set)
    for row, failed_builds in failures.items():
        builds[rule_of(row)].update(failed_builds)
        for fault, patterns in faults.items():
            if any(fnmatch.fnmatchcase(row, pattern) for pattern in patterns):
                fault_ids[rule_of(row)].add(fault)
    silent_rules = [rule for rule in builds if not builds[rule] and not fault_ids[rule]]
    lines = [_HEAD, "## Never seen to fire", ""]
    lines += [f"* `{rule}`" for rule in silent_rules] or ["None."]
    for title, is_must in (("Conformance", True), ("Interoperability", False)):
        lines += ["", f"## {title}", "", "| rule | failed on | planted |", "| --- | --- | --- |"]
        for rule in builds:
            if ("/must-" in rule) == is_must:
                cells = (
                    f"`{rule}`",
                    *(", ".join(sorted(ids[rule])) for ids in (builds, fault_ids)),
                )
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(line.replace("|  |", "| |").replace("|  |", "| |") for line in lines) + "\n"


@pytest.fixture(scope="module")
def page() -> str:
    if files := os.environ.get("UPDATE_FIRED"):
        if files != "-":
            FAILURES.write_text(json.dumps(collect_failures(files.split()), indent=0) + "\n")
        PAGE.write_text(make_page(read_failures(), planted_rows()))
    return PAGE.read_text()


def test_the_page_is_what_the_runs_and_the_faults_give(page: str) -> None:
    assert page == make_page(read_failures(), planted_rows())


def test_each_rule_of_conformance_is_on_it(page: str) -> None:
    text = MUSTS.read_text()
    rules = []
    for side in ("client", "server"):
        body = text.partition(f"Map<String, String> {side}s() {{")[2].partition("return musts;")[0]
        rules += [f"{side}/must-{rule}" for rule in re.findall(r'musts\.put\("([^"]+)"', body)]
    assert len(rules) > 100
    assert [rule for rule in rules if f"`{rule}`" not in page] == []


def test_a_rule_without_a_failure_and_without_a_fault_is_named_as_silent() -> None:
    row = "client/must-5.2-wrong-mac/TLSv1.3/any/ec256/any/SSLSocket/tls-attacker/0"
    silent_page = make_page({row: []}, {})
    assert "* `client/must-5.2-wrong-mac`" in silent_page
    assert "None." in make_page({row: ["debian-8u504-ga"]}, {})
    assert "None." in make_page({row: []}, {"any-mac-17": ("client/must-5.2-*",)})
