# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The kit starts the JVMs of its own tests itself. Does jtreg come to the same?"""

import json
import os
from pathlib import Path

import pytest

from jdkmatrix.cli.app import main

pytestmark = [pytest.mark.network, pytest.mark.jdk]

BUILDS = ("temurin-17.0.3+7", "temurin-17.0.9+9")  # one affected, one fixed
# One for each change, a cheap one; the nightly checks every test of the ledger by
# CROSS_CHECK=:full.
TESTS = os.environ.get("CROSS_CHECK", "keepalive/ZeroKeepAliveTimeoutIgnored.java").split()


def outcomes(
    capsys: pytest.CaptureFixture[str], out: Path, *options: str
) -> dict[tuple[str, str], str]:
    """By build and test; for jtreg, `reproduced` is a test that fails."""
    arguments = [word for build in BUILDS for word in ("--build", build)]
    arguments += [word for test in TESTS for word in ("--test", test)]
    capsys.readouterr()
    main(["run", *arguments, *options, "--out", str(out), "--json"])
    cells = json.loads(capsys.readouterr().out)["cells"]
    by_cell = {(cell["build"], cell["test"]): cell["outcome"] for cell in cells}
    assert len(by_cell) >= len(BUILDS) * len(TESTS)
    return by_cell


def test_jtreg_comes_to_the_same(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own_outcomes = outcomes(capsys, tmp_path / "own", "--no-confirm")
    assert {"reproduced", "not-reproduced"} <= set(own_outcomes.values())
    assert outcomes(capsys, tmp_path / "jtreg", "--suite", str(root / "test")) == own_outcomes
