# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What the JDK's own suite asks of its runner, on real runtime images without a compiler."""

import json
import subprocess
from pathlib import Path

import pytest

from jdkmatrix.config.jdks import load_jdks
from jdkmatrix.paths import Checkout
from jdkmatrix.supply.build import Build
from jdkmatrix.supply.supplier import Supplier

pytestmark = [pytest.mark.network, pytest.mark.jdk]

IMAGE = "temurin-17.0.9+9"

# Test, outcome, and what its reason says.
EXPECTED = (
    ("NeedsSuiteProperty.java", "not-reproduced", "Execution successful"),
    ("UsesInternals.java", "not-reproduced", "Execution successful"),
    ("Ignored.java", "not-applicable", "no tests selected"),
    ("NeedsAPerson.java", "not-applicable", "no tests selected"),
    ("UnknownKeyword.java", "error", "Parse Exception: Invalid key: unheard-of"),
    (
        "DoesNotCompile.java",
        "reproduced",
        "Compilation failed: DoesNotCompile.java:9: error: cannot find symbol: method notThere()",
    ),
)


def test_each_test_ends_as_by_plain_jtreg(root: Path, tmp_path: Path) -> None:
    checkout = Checkout.here()
    entry = load_jdks(checkout.jdks).entry("debian-8")
    (debian,) = Supplier.of(checkout, offline=False).supply([entry])
    assert isinstance(debian, Build)
    suite = root / "scripts" / "tests" / "fixtures" / "jdk-like-suite"
    images = ["--build", IMAGE, "--jdk", str(debian.home / "jre")]
    out = ["--out", str(tmp_path / "run")]
    done = subprocess.run(
        [str(root / "scripts" / "matrix"), "run", "--suite", str(suite), *images, *out, "--json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["differences"] == []
    found = {(cell["build"], cell["test"]): cell for cell in document["cells"]}
    assert len(found) == 2 * len(EXPECTED)
    for (build, test), cell in found.items():
        (outcome, reason) = next((o, r) for name, o, r in EXPECTED if name == test)
        assert (cell["outcome"], reason in cell["reason"]) == (outcome, True), (build, cell)
