# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What the JDK's own suite asks of its runner, on real runtime images without a compiler."""

import json
from pathlib import Path

import pytest

from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.errors import ExitCode
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.supplier import Supplier
from tests.in_process import Capture, matrix

pytestmark = [pytest.mark.network, pytest.mark.jdk]

IMAGE = "temurin-17.0.9+9"

# Test, outcome, and what its reason says.
EXPECTED = (
    ("NeedsPropertyAndInternals.java", "not-reproduced", "Execution successful"),
    ("Ignored.java", "not-applicable", "no tests selected"),
    ("NeedsAPerson.java", "not-applicable", "no tests selected"),
    ("UnknownKeyword.java", "error", "Parse Exception: Invalid key: unheard-of"),
    (
        "DoesNotCompile.java",
        "reproduced",
        "Compilation failed: DoesNotCompile.java:9: error: cannot find symbol: method notThere()",
    ),
)


# What is selected, parsed and compiled on the other image is no different.
ON_8 = "NeedsPropertyAndInternals.java"


def test_each_test_ends_as_by_plain_jtreg(root: Path, tmp_path: Path, capsys: Capture) -> None:
    by_test = outcomes(capsys, root, tmp_path / "17", "--build", IMAGE, code=ExitCode.MACHINE)
    assert by_test.keys() == {name for name, *_ in EXPECTED}
    for name, outcome, reason in EXPECTED:
        assert (by_test[name][0], reason in by_test[name][1]) == (outcome, True), by_test[name]


def test_on_a_runtime_of_8_alike(root: Path, tmp_path: Path, capsys: Capture) -> None:
    checkout = Checkout.current()
    build_entry = load_jdks(checkout.jdks).entry("debian-8")
    (debian,) = Supplier.of_checkout(checkout, offline=False).supply([build_entry])
    assert isinstance(debian, Build)
    options = ("--jdk", str(debian.home / "jre"), "--test", ON_8)
    by_test = outcomes(capsys, root, tmp_path / "8", *options)
    (name, outcome, reason), *_ = EXPECTED
    assert by_test.keys() == {ON_8} == {name}
    assert (by_test[name][0], reason in by_test[name][1]) == (outcome, True), by_test[name]


def outcomes(
    capsys: Capture, root: Path, out: Path, *options: str, code: ExitCode = ExitCode.OK
) -> dict[str, tuple[str, str]]:
    """Outcome and reason of each cell of a run on one image, by test."""
    suite = root / "scripts" / "tests" / "fixtures" / "jdk-like-suite"
    process = matrix(capsys, "run", "--suite", str(suite), *options, "--out", str(out), "--json")
    assert process.returncode == code, process.stderr
    cells = json.loads(process.stdout)["cells"]
    return {cell["test"]: (cell["outcome"], cell["reason"]) for cell in cells}
