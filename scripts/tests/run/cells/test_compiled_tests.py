# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""What becomes of tests whose jars can't be had?"""

from pathlib import Path

import pytest

from jdkmatrix.errors import MachineError
from jdkmatrix.paths import Checkout
from jdkmatrix.run.cells import compiled_tests
from jdkmatrix.run.cells.compiled_tests import othervm_of

TEST = "interop/QuickRows.java"
LACK = "no mvn on this machine's PATH, and no apt-get on this machine"


def no_jars(_: str) -> tuple[Path, ...]:
    raise MachineError("jars: mvn: exit code 1")


def test_they_are_left_out_where_no_jar_can_be_had(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled_tests, "lack_of_maven", lambda: LACK)
    runner = othervm_of(Checkout(root), [TEST], Path("/nix"), 1.0, no_jars, Path)
    assert runner.tests[TEST].lacks == f"the jars of TestNG ({LACK})"


def test_jars_that_only_failed_to_come_end_the_run(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled_tests, "lack_of_maven", lambda: None)
    with pytest.raises(MachineError, match=r"^jars: mvn: exit code 1$"):
        othervm_of(Checkout(root), [TEST], Path("/nix"), 1.0, no_jars, Path)
